import CIECard
import VirtualCIE
import Traces

/// The bad traces of the travel document: every command attacked in every way, and the faults that a card can have
/// alone, before the keys, at the chip's proof and in the signed data.
enum DocumentAttackScenarios {
  static func all() -> [Scenario] {
    let opening = ground(.gemalto, [.dg1, .dg14], places)
    let curve = ground(.itj4, [.dg1, .dg14, .dg15], [])
    let active = ground(
      .gemalto2, [.dg15],
      [.init("88:1", "the answer of active authentication", AttackWay.protectedData)])
    let basic = AttackGround(
      persona: .gemalto,
      journey: .travelDocument(
        Trace.DocumentVisit(
          code: DocumentScenarios.mrz(of: .gemalto), tasks: [.read(.group(.dg1))])),
      name: "gemalto-travel-document-bac", extendedLength: .notCarried, places: basicPlaces)
    var scenarios = [opening, active, basic].flatMap(\.scenarios)
    scenarios += openingFaults.map { opening.scenario($0, $1) }
    scenarios += curveFaults.map { curve.scenario($0, $1) }
    for fault in proofFaults {
      scenarios += fault.personas.map {
        ground($0, [.dg1, .dg14, .dg15], []).scenario(fault.text, fault.title)
      }
    }
    return scenarios + signedFaults.map { proof(.gemalto).scenario($0, $1) }
  }

  private typealias Attack = (text: String, title: String)

  /// A visit that reads these groups, has the chip prove itself, and reads EF.SOD.
  private static func ground(
    _ persona: Persona, _ groups: [DataGroup], _ places: [AttackGround.Place]
  ) -> AttackGround {
    var tasks = DocumentScenarios.tasks(of: persona, reading: groups)
    tasks.append(tasks.removeFirst())
    return AttackGround(
      persona: persona,
      journey: .travelDocument(
        Trace.DocumentVisit(code: DocumentScenarios.can(of: persona), tasks: tasks)),
      name: "\(persona.identifier)-travel-document",
      extendedLength: DocumentScenarios.extendedReader, places: places)
  }

  private static func proof(_ persona: Persona) -> AttackGround {
    let journey = Trace.Journey.documentAuthenticity(
      code: DocumentScenarios.can(of: persona), groups: DocumentScenarios.provedGroups,
      trustAnchors: [persona.documentCSCA])
    return AttackGround(
      persona: persona, journey: journey, name: "\(persona.identifier)-\(journey.name)",
      extendedLength: DocumentScenarios.extendedReader, places: [])
  }

  /// During PACE over DH: 22:1 selects, 86:1 gives the nonce, 86:2 maps, 86:3 agrees, 86:4 exchanges the tokens. In the
  /// secure channel: A4:1 selects the application, B0:3 begins DG1, 22:2 is chip authentication, B0:5 begins EF.SOD.
  private static let places: [AttackGround.Place] = [
    .init("22:1", "the choice of PACE", AttackWay.bare),
    .init("86:1", "the nonce", AttackWay.clear, omitted: ["duplicate"]),
    .init("86:2", "the mapping key", AttackWay.clear),
    .init("86:3", "the agreement key", AttackWay.clear),
    .init("86:4", "the token", AttackWay.clear),
    .init("a4:1", "the first protected answer", AttackWay.protected),
    .init("b0:3", "the machine readable zone", AttackWay.protectedData, omitted: ["status=6985"]),
    .init(
      "22:2", "the answer to chip authentication", AttackWay.protected, omitted: ["status=6985"]),
    .init("b0:5", "a file under the new keys", AttackWay.protectedData, omitted: ["status=6985"]),
  ]

  /// Basic access control.
  private static let basicPlaces: [AttackGround.Place] = [
    .init("84:1", "the card's challenge", AttackWay.clear, omitted: ["duplicate"]),
    .init("82:1", "the card's cryptogram", AttackWay.clear),
  ]

  private static let openingFaults: [Attack] = [
    ("truncated-answer=1@86:2", "Half a status word comes back from the mapping"),
    ("status=6700@86:2", "The card refuses the long command"),
    ("endless-61xx=16@86:2", "The mapping key never ends"),
    ("cut-data=200@86:3", "Most of the agreement key is missing"),
    ("wrong-token", "A card that does not know the password"),
    ("status=6300@86:4", "The password called wrong"),
    ("status=63C1@86:4", "The password called wrong, one try left"),
    ("status=6983@86:4", "The password called blocked"),
    ("bare-status=6A82@b0:3", "A file called missing by somebody without the keys"),
    ("card-removed@86:3", "The card goes during the agreement"),
    ("card-removed@b0:6", "The card goes in the middle of a file"),
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

  /// The chip proves itself with another key.
  private static let proofFaults: [(text: String, title: String, personas: [Persona])] = [
    (
      "wrong-chip-authentication-key", "A chip without the key of DG14 or EF.CardSecurity",
      [.gemalto, .itj4, .unknown]
    ),
    ("wrong-active-authentication", "A chip without the key of DG15", [.gemalto2, .st]),
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
