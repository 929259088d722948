// The code in the articles of CIECard, as functions, so that it compiles; tools/test examples compares the text.
import CIECard
import Messages
import VirtualCIE

func readNumber() async throws -> String {
  let queue = CardQueue()
  let (number, outcome) = try await queue.run {
    var card = IdentityCard(over: try PCSCContext().openCard(for: .seconds(10)))
    let report = AuthenticityReport(judging: try card.gatherEvidence())
    return (try card.readServicesNumber().description, report.outcome)
  }
  return "\(number), \(outcome)"
}

func judge(in queue: CardQueue) async throws -> AuthenticityReport.Outcome {
  let context = try PCSCContext()
  let report = try await queue.run(whenCancelled: { context.cancel() }) {
    var card = IdentityCard(over: try context.openCard(for: .seconds(60)))
    return AuthenticityReport(judging: try card.gatherEvidence())
  }
  return report.outcome
}

struct Answer: Encodable {
  let number: ServicesNumber
  let report: AuthenticityReport
}

func answer(in queue: CardQueue) async throws {
  let answer = try await queue.run {
    var card = IdentityCard(over: try PCSCContext().openCard(for: .seconds(10)))
    let report = AuthenticityReport(judging: try card.gatherEvidence())
    return Answer(number: try card.readServicesNumber(), report: report)
  }
  for point in answer.report.points { print(point.kind.word, point.verdict.word) }
}

func sign(_ message: [UInt8], with digits: String) throws -> SignedAssertion {
  let card = try PCSCContext().openCard(for: .seconds(10))
  let authenticated = try IdentityCard(over: card).authenticate()
  var verified = try authenticated.verify(PIN(digits: digits))
  return try verified.sign(Digest(.sha256, hashing: message))
}

func report(_ message: [UInt8], _ digits: String) {
  do {
    _ = try sign(message, with: digits)
  } catch let error as CardError {
    print(error)
  } catch {
    print("not the card:", error)
  }
}

func explain(_ error: CardError) {
  let diagnosis = Diagnosis(error)
  let italian = Language(locale: "it_IT")
  print(diagnosis.what(italian), diagnosis.advice(italian))
}

/// A wrong PIN, as a sentence and in Italian.
func testWrongPIN() throws {
  let authority = try TrustStore([Certificate(der: Persona.nxp.csca)])
  let card = IdentityCard(over: VirtualCardChannel(persona: .nxp))
  let authenticated = try card.authenticate(checking: .required(authority, at: .now))
  do {
    _ = try authenticated.verify(PIN(digits: "00000000"))
  } catch let error as CardError {
    print(error)
    explain(error)
  }
  do { _ = try PIN(digits: "1234") } catch { print(error) }
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
    try testWrongPIN()
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

func gather(_ challenge: [UInt8], for audience: String) throws -> [UInt8] {
  guard let request = CardEvidence.Request(challenge: challenge, audience: audience),
    var evidence = CardEvidence(for: request, program: "kiosk 1.0", at: .now)
  else { return [] }
  var card = IdentityCard(over: try PCSCContext().openCard(for: .seconds(10)))
  try card.gatherEvidence(.servicesNumber, into: &evidence)
  return evidence.bytes
}

func judge(_ bytes: [UInt8], _ challenge: [UInt8]) throws -> EvidenceReport {
  EvidenceReport(
    judging: try CardEvidence(bytes), trust: .italian,
    expecting: .init(
      challenge: challenge, audience: "office.example", mostSeconds: 120, parts: [.ias]),
    at: .now)
}
