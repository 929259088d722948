// The code in the articles of CIECard, as functions, so that it compiles; tools/test-examples compares the text.
import CIECard
import VirtualCIE

func readNumber() throws {
  var card = IdentityCard(over: try PCSCContext().openCard(for: .seconds(10)))
  let report = AuthenticityReport(judging: try card.gatherEvidence())
  print(try card.readServicesNumber(), report.outcome)
}

func sign(
  over channel: consuming VirtualCardChannel, checking check: GenuineCheck, digits: String,
  message: [UInt8]
) throws -> Int {
  let authenticated = try IdentityCard(over: channel).authenticate(checking: check)
  var verified = try authenticated.verify(PIN(digits: digits))
  let assertion = try verified.sign(Digest(.sha256, hashing: message))
  return assertion.signature.count
}

func openDocument(over channel: consuming VirtualCardChannel, digits: String) throws -> String {
  var document = try IdentityCard(over: channel).openTravelDocument(with: AccessCode(can: digits))
  let evidence = try document.gatherEvidence([.dg1, .dg2])
  let report = AuthenticityReport(judging: evidence)
  let zone = try MRZ(dataGroup1: evidence.files[.dg1] ?? [])
  return "\(zone.name.surname), \(report.outcome)"
}

func test() throws {
  let channel = VirtualCardChannel(persona: .gemalto)
  var card = IdentityCard(over: channel)
  let number = try card.readServicesNumber()
  print("number:", number)
}

func testPulledCard() throws {
  let faults = try FaultPlan(parsing: "card-removed@3")
  let pulled = VirtualCardChannel(persona: .gemalto, faults: faults)
  do throws(CardError) {
    var card = IdentityCard(over: pulled)
    _ = try card.readServicesNumber()
  } catch {
    assert(error.reason == .channel(.cardRemoved))
  }
}

@main struct ArticlesExample {
  static func main() throws {
    try test()
    try testPulledCard()
    let authority = try TrustStore([Certificate(der: Persona.nxp.csca)])
    print(
      "signature:",
      try sign(
        over: VirtualCardChannel(persona: .nxp), checking: .required(authority, at: .now),
        digits: Persona.nxp.pin, message: []))
    print(
      "document:",
      try openDocument(over: VirtualCardChannel(persona: .itj4), digits: Persona.itj4.can))
  }
}
