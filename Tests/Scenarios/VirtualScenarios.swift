import CIECard
import Traces
import VirtualCIE

/// The traces of a card without faults: every function for every persona, and failures on our side.
enum VirtualScenarios {
  static func all() throws -> [Scenario] {
    try Persona.all.flatMap { persona in
      try journeys(of: persona).map { journey in
        Scenario(persona, journey, title(of: journey))
      } + [
        Scenario(persona, .verifyPIN(pin: wrongCode), variant: "wrong", "A wrong PIN"),
        Scenario(
          persona, .unblockPIN(puk: wrongCode, newPIN: newPIN), variant: "wrong", "A wrong PUK"),
        Scenario(
          persona, .authenticity(challenge: nil, trustAnchors: [stranger(to: persona)]),
          variant: "foreign-anchor", "Proof against the authority of another country"),
      ]
    }
  }

  /// Another persona's test authority.
  private static func stranger(to persona: Persona) -> [UInt8] {
    (persona.identifier == Persona.gemalto.identifier ? Persona.nxp : .gemalto).csca
  }

  /// One of each, with the persona's published codes.
  static func journeys(of persona: Persona) throws -> [Trace.Journey] {
    [
      .information, .servicesNumber, .serialNumber,
      .documentNumber(pin: persona.pin), .certificate(pin: persona.pin),
      .verifyPIN(pin: persona.pin), .changePIN(pin: persona.pin, newPIN: newPIN),
      .unblockPIN(puk: persona.puk, newPIN: newPIN),
      .sign(
        pin: persona.pin,
        digests: try Digest.Algorithm.allCases.map { try Digest($0, hashing: message) }),
      .signatures(.login, pin: persona.pin, digests: [try Digest(.sha256, hashing: message)]),
      .signatures(.module, pin: persona.pin, digests: [try Digest(.sha256, hashing: message)]),
      .signatures(
        .documents, pin: persona.pin,
        digests: try ["first", "second"].map {
          try Digest(.sha256, hashing: [UInt8]("The \($0) file.".utf8))
        }),
      .authenticity(challenge: nil, trustAnchors: [persona.csca]),
    ]
  }

  static let newPIN = "86420864"
  private static let wrongCode = "40506070"
  private static let message = [UInt8]("A message that nobody sent.".utf8)

  private static func title(of journey: Trace.Journey) -> String {
    switch journey {
    case .information: "Which applications answer"
    case .servicesNumber: "The services number, and what can be proved of it without a trust anchor"
    case .serialNumber: "The serial number of the chip"
    case .documentNumber: "The document number after the PIN"
    case .certificate: "The holder's certificate after the PIN"
    case .verifyPIN: "The right PIN"
    case .changePIN: "A new PIN by means of the old one"
    case .unblockPIN: "A new PIN by means of the PUK"
    case .sign: "Three signatures in one session"
    case .signatures(.login, _, _): "The certificate and the signature of a login"
    case .signatures(.module, _, _): "What the PKCS #11 module asks: a look, a login, a signature"
    case .signatures(.documents, _, _): "The certificate and the signatures of two files"
    case .authenticity: "Proof that the chip is genuine"
    case .travelDocument: "A visit to the travel document"
    case .documentAuthenticity: "Proof that the travel document is genuine"
    }
  }
}

/// A trace of every option of the software card, as far as a conversation can show it.
enum OptionScenarios {
  static func all() throws -> [Scenario] {
    try CardOptions.examples.map(scenario)
  }

  private static func scenario(_ options: String) throws -> Scenario {
    let persona = Persona.showing(options)
    let journey = try journey(options, persona)
    let name = options.split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    return Scenario(
      section: .option, name: "\(name)-\(persona.identifier)-\(journey.name)",
      title: "A card with the option \(options)", persona: persona, journey: journey,
      options: options,
      extendedLength: showing(options) == .travelDocument
        || persona.identifier == Persona.itj4.identifier
        ? DocumentScenarios.extendedReader : nil)
  }

  private static func journey(
    _ options: String, _ persona: Persona
  ) throws -> Trace.Journey {
    switch showing(options) {
    case .travelDocument:
      let isWrong = ["token-refusal", "shown-tries", "failure-delay"].contains(name(of: options))
      let tasks: [Trace.DocumentTask] = [
        .read(.common), .read(.group(.dg1)), .read(.group(.dg14)), .authenticateChip,
        .read(.group(.dg12)),
      ]
      let signs: [Trace.DocumentTask] =
        name(of: options) == "active-authentication"
        ? [.read(.group(.dg15)), .answerChallenge] : []
      return .travelDocument(
        Trace.DocumentVisit(
          code: isWrong ? .can("000000") : DocumentScenarios.can(of: persona),
          tasks: tasks + signs, readsServicesNumberAfterwards: true))
    case .proof:
      return .authenticity(challenge: nil, trustAnchors: [persona.csca])
    case .signature:
      return .sign(
        pin: persona.pin, digests: [try Digest(.sha256, hashing: [UInt8](options.utf8))])
    }
  }

  /// The conversation that shows an option: a deviation says its own.
  private static func showing(_ options: String) -> CardDeviation.Showing {
    if let deviation = CardDeviation(rawValue: options) { return deviation.showing }
    switch name(of: options) {
    case "read-limit", "end-of-file": return .proof
    case "pace", "no-card-access", "no-bac", "nonce", "parameter-required", "pin-passwords",
      "shown-tries", "failure-delay", "token-refusal", "no-chip-key", "announced-length",
      "active-authentication":
      return .travelDocument
    case "no-extended-length":
      let ofDocument = ["", "=pace", "=chip-authentication"].map { "no-extended-length" + $0 }
      return ofDocument.contains(options) ? .travelDocument : .signature
    default: return .signature
    }
  }

  private static func name(of options: String) -> String {
    String(options.prefix { $0 != "=" })
  }
}
