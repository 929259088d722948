import CIECard
import VirtualCIE
import Traces

/// The bad traces of the travel document: every fault that its side of the software card can show, at a place where an
/// attacker could gain: before the keys, at the token, in a file, at the chip's proof, in the signed data.
enum DocumentAttackScenarios {
  static func all() -> [Scenario] {
    var all = openingFaults.flatMap { fault in scenarios(fault, on: [.gemalto], visit) }
    all += curveFaults.flatMap { fault in scenarios(fault, on: [.itj4], visit) }
    all += sessionFaults.flatMap { fault in scenarios(fault, on: [.gemalto], visit) }
    all += proofFaults.flatMap { fault in scenarios(fault.text, on: fault.personas, visit) }
    return all + signedFaults.flatMap { fault in scenarios(fault, on: [.gemalto], proof) }
  }

  private typealias Attack = (plan: String, title: String)

  private static func scenarios(
    _ fault: Attack, on personas: [Persona], _ journey: (Persona) -> Trace.Journey
  ) -> [Scenario] {
    personas.map { persona in
      let words = fault.plan.split { !$0.isLetter && !$0.isNumber } + [persona.identifier[...]]
      let journey = journey(persona)
      return Scenario(
        section: .attack, name: words.joined(separator: "-") + "-\(journey.name)",
        title: fault.title, persona: persona, journey: journey, disturbance: .fault(fault.plan),
        extendedLength: DocumentScenarios.extendedReader)
    }
  }

  private static func visit(_ persona: Persona) -> Trace.Journey {
    .travelDocument(
      Trace.DocumentVisit(
        code: DocumentScenarios.can(of: persona),
        tasks: DocumentScenarios.tasks(of: persona, reading: [.dg1, .dg14, .dg15])))
  }

  private static func proof(_ persona: Persona) -> Trace.Journey {
    .documentAuthenticity(
      code: DocumentScenarios.can(of: persona), groups: DocumentScenarios.provedGroups,
      trustAnchors: [persona.documentCSCA])
  }

  /// During PACE over DH: 22:1 selects, 86:1 gives the nonce, 86:2 maps, 86:3 agrees, 86:4 exchanges the tokens.
  private static let openingFaults: [Attack] = [
    ("status=6982@22:1", "The card refuses the protocol that it announced"),
    ("cut-data@86:1", "The nonce misses its last byte"),
    ("truncated-answer=1@86:2", "Half a status word comes back from the mapping"),
    ("status=6700@86:2", "The card refuses the long command"),
    ("cut-data=200@86:3", "Most of the agreement key is missing"),
    ("wrong-token", "A card that does not know the password"),
    ("status=6300@86:4", "The password called wrong"),
    ("status=63C1@86:4", "The password called wrong, one try left"),
    ("status=6983@86:4", "The password called blocked"),
    ("bare-status=9000@86:4", "Success without a token"),
    ("endless-61xx=16@86:2", "The mapping key never ends"),
    ("card-removed@86:3", "The card goes during the agreement"),
    ("card-mute@86:4", "The card stops answering at the tokens"),
    ("pace-value=mapping-identity", "The mapping key is 1"),
    ("pace-value=mapping-minus-one", "The mapping key is p - 1"),
    ("pace-value=mapping-reflected", "The mapping key is the terminal's own"),
    ("pace-value=mapping-outside", "The mapping key is p"),
    ("pace-value=agreement-identity", "The agreement key is 1"),
    ("pace-value=agreement-minus-one", "The agreement key is p - 1"),
    ("pace-value=agreement-reflected", "The agreement key and the token are the terminal's own"),
    ("pace-value=agreement-outside", "The agreement key is p"),
  ]

  /// The faults of PACE on a curve.
  private static let curveFaults: [Attack] = [
    ("pace-value=mapping-identity", "The mapping key is the point at infinity"),
    ("pace-value=mapping-minus-one", "The mapping key is 04 and zeros"),
    ("pace-value=mapping-outside", "The mapping key is not on the curve"),
    ("pace-value=agreement-reflected", "The agreement key and the token are the terminal's own"),
    ("pace-value=agreement-outside", "The agreement key is not on the curve"),
  ]

  /// In the secure channel: A4:5 selects the application, B0:3 begins EF.SOD, 22:2 is chip authentication.
  private static let sessionFaults: [Attack] = [
    ("wrong-mac@a4:4", "Wrong MAC on the first protected answer"),
    ("wrong-mac@b0:4", "Wrong MAC on a piece of the security object"),
    ("stripped-protection@b0:3", "The security object in clear"),
    ("stale-counter@b0:4", "A piece of the security object under an old counter"),
    ("bare-status=6A82@b0:3", "A file called missing by somebody without the keys"),
    ("status=6982@b0:3", "The security object refused"),
    ("endless-6cxx@b0:3", "The right length is always another one"),
    ("card-removed@b0:5", "The card goes in the middle of a file"),
    ("stripped-protection@22:2", "Chip authentication answered in clear"),
  ]

  /// The chip proves itself with another key.
  private static let proofFaults: [(text: Attack, personas: [Persona])] = [
    (
      ("wrong-chip-authentication-key", "A chip without the key of DG14 or EF.CardSecurity"),
      [.gemalto, .itj4, .unknown]
    ),
    (("wrong-active-authentication", "A chip without the key of DG15"), [.gemalto2, .st]),
  ]

  /// The signed data and the read data differ.
  private static let signedFaults: [Attack] = [
    ("tampered-group=1", "Another machine readable zone"),
    ("tampered-group=11", "Other personal details"),
    ("tampered-group=14", "Another key to prove the chip with"),
    ("foreign-sod", "The security object of somebody else"),
    ("wrong-chip-authentication-key", "A copy of a document on another chip"),
  ]
}
