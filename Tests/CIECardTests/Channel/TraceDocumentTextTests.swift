import CIECard
import Testing
import Traces

/// The header of a visit to the travel document: exact in both directions, and strict.
@Suite struct TraceDocumentTextTests {
  private static let hash = String(repeating: "0F", count: 32)
  private static let visit = [
    "journey: travel-document", "can: 123456", "task: read sod", "task: read dg1",
    "task: chip-authentication", "task: active-authentication", "afterwards: nis", "expect: ok",
    "nis: 123456789012", "access: id-PACE-DH-GM-3DES-CBC-CBC", "chip-mapping: proved",
    "file-sha256: sod \(hash)", "file-sha256: dg1 \(hash)", "chip-authentication: refused-6982",
    "active-authentication: false",
  ]

  private func text(_ lines: [String]) -> String {
    """
    title: A document
    source: virtual
    persona: gemalto
    provenance: written by hand for the tests
    atr: 3B00
    extended: unknown
    \(lines.joined(separator: "\n"))

    > 00A4000C
    < 9000

    """
  }

  private func parse(_ lines: [String]) throws -> Trace {
    try Trace(parsing: [UInt8](text(lines).utf8))
  }

  @Test func visitRoundTrip() throws {
    let trace = try parse(Self.visit)
    #expect(trace.text == text(Self.visit))
    let visit = Trace.DocumentVisit(
      code: .can("123456"),
      tasks: [.read(.securityObject), .read(.group(.dg1)), .authenticateChip, .answerChallenge],
      readsServicesNumberAfterwards: true)
    #expect(trace.header.journey == .travelDocument(visit))
    #expect(trace.header.expectation.values.count == 7)
  }

  @Test func readingInParts() throws {
    let lines = ["journey: travel-document", "can: 123456", "task: read com in 4 18", "expect: ok"]
    let trace = try parse(lines)
    #expect(trace.text == text(lines))
    let visit = Trace.DocumentVisit(
      code: .can("123456"), tasks: [.readCommonData(inParts: [4, 18])])
    #expect(trace.header.journey == .travelDocument(visit))
  }

  @Test func proofRoundTrip() throws {
    let lines = [
      "journey: document-authenticity", "trust-anchor: 3000", "mrz: CA00000AA 850230 350101",
      "task: read dg2", "expect: ok", "access: BAC",
    ]
    let trace = try parse(lines)
    #expect(trace.text == text(lines))
    #expect(
      trace.header.journey
        == .documentAuthenticity(
          code: .mrz(number: "CA00000AA", birth: "850230", expiry: "350101"), groups: [.dg2],
          trustAnchors: [[0x30, 0x00]]))
  }

  @Test(
    arguments: [
      ("can: 123456", "can: 12345", .badValue(key: "can")),
      ("can: 123456", "mrz: CA00000AA 850230", .badValue(key: "mrz")),
      ("can: 123456", "mrz: CA00000AA 850230 1985-01-01", .badValue(key: "mrz")),
      ("can: 123456", "mrz: CA00000AA 851301 350101", .badValue(key: "mrz")),
      ("can: 123456", "mrz: ca00000aa 850101 350101", .badValue(key: "mrz")),
      ("can: 123456\n", "", .missingKey("mrz")),
      ("can: 123456", "can: 123456\nmrz: CA00000AA 850101 350101", .misplacedKey("mrz")),
      ("task: read sod", "task: read dg17", .badValue(key: "task")),
      ("task: read sod", "task: read DG1", .badValue(key: "task")),
      ("task: read sod", "task: eat", .badValue(key: "task")),
      ("task: read sod", "task: read com in 4  18", .badValue(key: "task")),
      ("task: read sod", "task: read com in 0", .badValue(key: "task")),
      ("afterwards: nis", "afterwards: sign", .badValue(key: "afterwards")),
      ("access: id-PACE", "access: 1-PACE", .badValue(key: "access")),
      ("file-sha256: sod 0F", "file-sha256: sod ", .badValue(key: "file-sha256")),
      ("file-sha256: sod", "file-sha256: sop", .badValue(key: "file-sha256")),
      ("journey: travel-document", "journey: document-authenticity", .badValue(key: "task")),
    ] as [(String, String, TraceError.Kind)])
  func refusal(piece: String, other: String, kind: TraceError.Kind) throws {
    let whole = text(Self.visit)
    try #require(whole.contains(piece))
    let error = #expect(throws: TraceError.self) {
      try Trace(parsing: [UInt8](whole.replacing(piece, with: other, maxReplacements: 1).utf8))
    }
    #expect(error?.kind == kind)
  }
}
