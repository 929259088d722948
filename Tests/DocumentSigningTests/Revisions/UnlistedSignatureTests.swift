import Primitives
import Testing

@testable import DocumentSigning

/// Signatures that a later revision took away before somebody else signed: the report names them.
@Suite struct UnlistedSignatureTests {
  private static let old = SamplePDF().bytes

  static let cases = [
    LaterCase("a value taken away, then signed") { parts in
      try signed(parts) { update in
        let field = try parts.field("Signature1")
        update.add(field.number, try parts.text(field, ["V": nil]))
      }
    },
    LaterCase("the form taken away, then signed") { parts in
      try signed(parts) { $0.add(1, try parts.text(parts.root, ["AcroForm": nil])) }
    },
    LaterCase("fields taken away, a stream, then signed", SamplePDF(isStream: true)) { parts in
      try signed(parts) { $0.add(1, try parts.text(parts.root, ["AcroForm": "<</Fields []>>"])) }
    },
    LaterCase("a text as the value, then signed") { parts in
      try signed(parts) { update in
        let field = try parts.field("Signature1")
        update.add(field.number, try parts.text(field, ["V": "(x)"]))
      }
    },
    LaterCase("Prev around the signature, then signed") { parts in
      // The first section again, as if nothing had been signed.
      var update = HandUpdate()
      update.members["Prev"] = "\(try HandUpdate.start(of: old))"
      update.free = [0]
      let next = try PDFParts(update.appended(to: parts.bytes))
      return try next.signature(name: "Altra").signed(next.bytes)
    },
  ]

  private static func signed(
    _ parts: PDFParts, _ change: (inout HandUpdate) throws -> Void
  ) throws -> [UInt8] {
    var update = parts.update()
    try change(&update)
    let next = try PDFParts(update.appended(to: parts.bytes))
    return try next.signature(name: "Altra").signed(next.bytes)
  }

  @Test(arguments: cases) func signaturesThatAreGone(_ each: LaterCase) throws {
    let report = try Signed.judge(each.files().later)
    #expect(report.signatures.count == 1)
    #expect(report.outcome == .provedInPart)
    #expect(report.outside == [.signatures])
  }

  /// A file without any signature left is not proved, and the report names those that it had.
  @Test func nothingLeft() throws {
    let parts = try PDFParts(Signed.pdf(Self.old))
    var update = parts.update()
    update.add(1, try parts.text(parts.root, ["AcroForm": nil]))
    let report = try Signed.judge(update.appended(to: parts.bytes))
    #expect(report.outcome == .couldNotCheck && report.outside == [.signatures])
  }

  /// A signed file inside of a stream, room that waits for a signature, and a word in a text are no signatures of this file.
  @Test func othersThatAreNone() throws {
    let inner = try Signed.pdf(Self.old)
    let outer = try PDFParts(Self.old)
    var update = outer.update()
    update.add(5, HandUpdate.stream(inner))
    update.add(6, HandUpdate.signature())
    update.add(7, "(/ByteRange [0 1 2 3] /ByteRange /ByteRange [0 (a) 2 3])")
    let report = try Signed.judge(Signed.pdf(update.appended(to: outer.bytes)))
    #expect(report.outcome == .proved && report.outside.isEmpty)
  }
}
