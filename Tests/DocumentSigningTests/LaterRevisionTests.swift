import CIECard
import CZLib
import Foundation
import Primitives
import TestSupport
import Testing

@testable import DocumentSigning

/// Later revisions of signed PDFs: forgeries that readers show and honest additions of other programs, and each rule of the
/// grammar by a small file.
@Suite struct LaterRevisionTests {
  private struct Files: Decodable {
    let sets: [Set]

    struct Set: Decodable {
      let authority: String
      let cases: [Case]
    }

    struct Case: Decodable {
      let name: String
      let later: String
      let size: Int
      let file: Data

      func inflated() throws -> [UInt8] {
        try #require(PDFObject.inflated([UInt8](file), atMost: size))
      }
    }
  }

  @Test func filesOfOthers() throws {
    let sets = try Vectors.decode("later-revisions", as: Files.self).sets
    #expect(sets.map(\.cases.count) == [10, 6])
    for set in sets {
      let der = try OpenSSL.run(["x509", "-outform", "DER"], input: [UInt8](set.authority.utf8))
      let judge = DocumentJudge(trust: try TrustStore([Certificate(der: der)]))
      for each in set.cases {
        let report = try judge.judge(ByteSource(each.inflated()))
        let later = report.signatures.filter { $0.laterBytes > 0 }.map(\.laterContent)
        #expect(!later.isEmpty, "\(each.name)")
        #expect(later.contains { $0.rawValue == each.later }, "\(each.name): \(later)")
        #expect(each.later == "other" || !later.contains(.other), "\(each.name): \(later)")
        #expect(each.later != "other" || report.outcome != .proved, "\(each.name)")
      }
    }
  }

  /// Values that are equal whatever their spelling, and texts that are no value.
  @Test func values() throws {
    func value(_ text: String) -> PDFValue? {
      var reader = PDFValueReader([UInt8](text.utf8))
      guard let value = try? reader.value(), reader.position == text.utf8.count else { return nil }
      return value
    }
    #expect(value("(a\\(b\\)\\101\\\n)") == value("<6128 6229 41>"))
    #expect(value("<</A 1/B null>>") == value("<< /#41 1 >>"))
    #expect(
      value("[1 0 R 2]")?.items == [
        .reference(PDFReference(number: 1, generation: 0)), .integer(2),
      ])
    #expect(value("<0>") == .string([0]))
    #expect(value("-1.5")?.number == -1.5)
    // Comments are white space of a signed revision alone.
    for text in ["<<%x\n/A%\r1%>>\n>>", "[%[\n%\n 1]", "<</A (%)/B/C%D\n>>"] {
      var reader = PDFValueReader([UInt8](text.utf8), mayComment: true)
      #expect((try? reader.value()) != nil && reader.position == text.utf8.count, "\(text)")
      #expect(value(text) == nil, "\(text)")
    }
    for text in ["<</A 1/A 1>>", "[1 %x\n2]", "(a", "<1G>", "<<A 1>>", "1e5", "/A#1", "", "nul"] {
      #expect(value(text) == nil, "\(text)")
    }
    #expect(
      value(String(repeating: "[", count: 63) + "1" + String(repeating: "]", count: 63)) != nil)
    #expect(value(String(repeating: "[", count: 100_000)) == nil)
    // As many values as a reader may read, the array itself among them.
    #expect(value("[" + String(repeating: "0 ", count: PDFValueReader.mostValues - 1) + "]") != nil)
    #expect(value("[" + String(repeating: "0 ", count: PDFValueReader.mostValues) + "]") == nil)
  }
}
