import Primitives
import TestSupport
import Testing

/// JSON as JSONTestSuite judges readers of RFC 8259.
@Suite struct JSONSuiteTests {
  private struct Row: Decodable {
    let name: String
    let text: String?
    let bytes: String?
  }

  private func reads(_ text: [UInt8]) -> Bool { (try? JSONValue(text)) != nil }

  @Test func `right JSON is read, wrong JSON refused`() throws {
    let rows = try Vectors.cases("json-suite", of: Row.self)
    #expect(rows.count == 316)
    for row in rows {
      let bytes =
        try row.bytes.map { try #require([UInt8](hexadecimal: $0)) } ?? Array((row.text ?? "").utf8)
      // Of what a reader may take or refuse, this one takes big numbers, because it keeps them as written.
      let isGood = row.name.hasPrefix("y_") || row.name.hasPrefix("i_number_")
      #expect(reads(bytes) == isGood, "\(row.name)")
    }
  }

  /// The two big ones of the suite.
  @Test func `nesting without end is refused`() {
    #expect(!reads(Array(String(repeating: "[", count: 100_000).utf8)))
    #expect(!reads(Array(String(repeating: "[{\"\":", count: 50_000).utf8)))
  }
}
