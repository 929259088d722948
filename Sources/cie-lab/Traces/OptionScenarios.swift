import CIECard
import VirtualCIE
import Traces

/// A trace of every option of the software card: what of it a conversation can show.
enum OptionScenarios {
  static func all() throws -> [Scenario] {
    try CardOptions.examples.map(scenario)
  }

  private static func scenario(_ options: String) throws -> Scenario {
    let persona = persona(for: options)
    let journey = try journey(options, persona)
    let name = options.split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    return Scenario(
      section: .option, name: "\(name)-\(persona.identifier)-\(journey.name)",
      title: "A card with the option \(options)", persona: persona, journey: journey,
      options: options,
      extendedLength: isOfDocument(options) || persona.identifier == Persona.itj4.identifier
        ? DocumentScenarios.extendedReader : nil)
  }

  /// The card that has something to lose by the option.
  private static func persona(for options: String) -> Persona {
    if options == "combined-parameters" { return .nxp }
    return options.hasPrefix("no-extended-length") ? .itj4 : .gemalto
  }

  private static func journey(
    _ options: String, _ persona: Persona
  ) throws -> Trace.Journey {
    if isOfDocument(options) {
      let isWrong = ["token-refusal", "shown-tries", "failure-delay"].contains(name(of: options))
      let tasks: [Trace.DocumentTask] = [
        .read(.common), .read(.group(.dg1)), .read(.group(.dg14)), .authenticateChip,
        .read(.group(.dg12)),
      ]
      return .travelDocument(
        Trace.DocumentVisit(
          code: isWrong ? .can("000000") : DocumentScenarios.can(of: persona), tasks: tasks,
          readsServicesNumberAfterwards: true))
    }
    if filesInClear.contains(name(of: options)) {
      return .authenticity(challenge: nil, trustAnchors: [persona.csca])
    }
    return .sign(
      pin: persona.pin, digests: [try Digest(.sha256, hashing: [UInt8](options.utf8))])
  }

  private static func isOfDocument(_ options: String) -> Bool {
    ofDocument.contains(name(of: options))
      || [
        "no-extended-length", "no-extended-length=pace", "no-extended-length=chip-authentication",
      ]
      .contains(options)
  }

  private static func name(of options: String) -> String {
    String(options.prefix { $0 != "=" })
  }

  private static let ofDocument: Set<String> = [
    "pace", "no-card-access", "no-bac", "nonce", "parameter-required", "no-parameter",
    "pin-passwords", "shown-tries", "failure-delay", "token-refusal", "no-set-kat", "no-set-at",
    "chip-authentication-ends-sm",
  ]

  private static let filesInClear: Set<String> = [
    "read-limit", "end-of-file", "exact-le", "long-reads", "hidden-root", "fcp-6f", "no-root-aid",
    "no-bare-root", "no-root", "nothing-selected",
  ]
}
