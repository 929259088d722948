import Primitives
import Testing

@testable import DocumentSigning

/// Later revisions that change no page, in the forms that programs give them: each is taken for what it is, and the signed
/// file stays proved.
@Suite struct AllowedLaterTests {
  private static let dense = SamplePDF(isStream: true)
  /// A document with numbers that were never given out, and others that are free.
  private static func withNumbers(
    free: [Int] = [], size: Int
  ) -> @Sendable () throws -> [UInt8] {
    {
      var update = HandUpdate()
      update.free = [0] + free
      update.members["Size"] = "\(size)"
      return try Signed.pdf(update.appended(to: SamplePDF().bytes))
    }
  }

  @Sendable private static func withForeignMember() throws -> [UInt8] {
    let parts = try PDFParts(SamplePDF().bytes)
    var update = try parts.signature(name: "Prima")
    update.trailer = "/Foreign 7"
    return try update.signed(parts.bytes)
  }

  static let evidence = [
    LaterCase("evidence, a table") { try $0.store().appended(to: $0.bytes) },
    LaterCase("evidence, a stream that lists itself", dense) {
      try $0.store().appended(to: $0.bytes)
    },
    LaterCase("evidence, a stream that does not list itself, a Size above", dense) {
      var update = try $0.store(form: .streamNotInItself)
      update.members["Size"] = "\($0.next + 4)"
      return try update.appended(to: $0.bytes)
    },
    LaterCase(
      "comments in the signed revision", SamplePDF(catalog: "%x >>\n", trailer: "% invented\r\n")
    ) { try $0.store().appended(to: $0.bytes) },
    LaterCase("a comment between trailer and startxref") {
      var update = try $0.store()
      update.comment = "%iText-Core-8.0.5\n"
      return try update.appended(to: $0.bytes)
    },
    LaterCase("a comment between stream and startxref", dense) {
      var update = try $0.store()
      update.comment = "%iText-Core-8.0.5\r\n"
      return try update.appended(to: $0.bytes)
    },
    LaterCase("a comment before the first object") {
      var update = try $0.store()
      update.lead = "%A program of invention\n"
      return try update.appended(to: $0.bytes)
    },
    LaterCase("an empty line, and entries with CR LF") {
      var update = try $0.store()
      (update.lead, update.entryEnd) = ("\r\n", "\r\n")
      return try update.appended(to: $0.bytes)
    },
    LaterCase("free numbers that never were", of: withNumbers(size: 40)) {
      var update = try $0.store()
      update.free = [0, 20, 21, 39]
      return try update.appended(to: $0.bytes)
    },
    LaterCase("free numbers that were free", of: withNumbers(free: [20, 21], size: 40)) {
      var update = try $0.store()
      update.free = [0, 20, 21]
      return try update.appended(to: $0.bytes)
    },
    LaterCase("new numbers of generation 1") {
      try $0.store(generation: 1).appended(to: $0.bytes)
    },
    LaterCase("new numbers in a hole below Size", of: withNumbers(size: 40)) {
      try $0.store(at: 20).appended(to: $0.bytes)
    },
    LaterCase("both parts of ID, a foreign member as before", of: withForeignMember) {
      var update = try $0.store()
      update.members["ID"] = "[<05> <06>]"
      update.trailer = "/Foreign 7"
      return try update.appended(to: $0.bytes)
    },
    LaterCase("a hybrid file, then a table", of: { try Signed.pdf(HybridPDF.bytes) }) {
      try $0.store(form: .table).appended(to: $0.bytes)
    },
    LaterCase("a stream behind a table") { try $0.store(form: .stream).appended(to: $0.bytes) },
    LaterCase("an object stream", dense) { parts in
      var update = try parts.store()
      let moved = update.objects.removeLast()
      update.compressed = [(moved.number, String(decoding: moved.body, as: UTF8.self))]
      return try update.appended(to: parts.bytes)
    },
    LaterCase("two updates, and two line ends at the end") {
      let once = try PDFParts($0.store().appended(to: $0.bytes))
      var update = once.update()
      update.add(once.root.number, try once.text(once.root, [:]))
      update.behind = "\r\n"
      return try update.appended(to: once.bytes)
    },
  ]

  @Test(arguments: evidence) func evidenceIsAllowed(_ each: LaterCase) throws {
    let report = try Signed.judge(each.files().later)
    #expect(report.outcome == .proved)
    #expect(report.signatures.map(\.laterContent) == [.signatures])
  }

  /// A document with information, XMP, and a form of signatures alone.
  private static let described = SamplePDF(
    catalog: "/Metadata 5 0 R",
    others: [
      HandUpdate.stream("<x:xmpmeta/>", "/Type /Metadata /Subtype /XML"),
      "<</Title (Uno) /Producer (Prima) /ModDate (D:2025)>>",
    ], trailer: "/Info 6 0 R")
  private static let flatForm =
    "<</Type /XObject /Subtype /Form /BBox [0 0 0 0] /Matrix [1 0 0 1 9 9]"
    + " /Filter [/ASCIIHexDecode /FlateDecode] /Length 17>>\nstream\n789C030000000001>\nendstream"

  static let signatures = [
    LaterCase("a signature in a field without area") {
      try $0.signature().signed($0.bytes)
    },
    LaterCase("a signature with an appearance without area", dense) {
      var update = try $0.signature("/Rect [0 0 0 0] /AP <</N \($0.next + 2) 0 R>>")
      update.add($0.next + 2, flatForm)
      return try update.signed($0.bytes)
    },
    LaterCase("a hidden signature") {
      try $0.signature("/Rect [10 10 90 90] /F 2 /H /N").signed($0.bytes)
    },
    LaterCase("information with another date, the catalog written again", described) {
      var update = $0.update()
      update.add(6, "<</Title (Uno) /Producer (Altra) /ModDate (D:2026)>>")
      update.add(1, try $0.text($0.root, [:]))
      let parts = try PDFParts(update.appended(to: $0.bytes))
      return try parts.signature().signed(parts.bytes)
    },
    LaterCase("resources of a form that has signatures alone") {
      try $0.signature(form: "/DA (/Helv 0 Tf 0 g) /DR <<>>").signed($0.bytes)
    },
    LaterCase("a field and its arrays in an object stream", dense) { parts in
      var update = try parts.signature()
      let moved = update.objects.suffix(3)
      update.objects.removeLast(3)
      update.compressed = moved.map { ($0.number, String(decoding: $0.body, as: UTF8.self)) }
      return try update.signed(parts.bytes)
    },
    LaterCase("XMP and Producer anew", described) {
      var update = try $0.signature()
      update.add(
        5, HandUpdate.stream("<x:xmpmeta>2</x:xmpmeta>", "/Type /Metadata /Subtype /XML"))
      update.add(6, "<</Title (Uno) /Producer (Altra) /ModDate (D:2025)>>")
      return try update.signed($0.bytes)
    },
    LaterCase("a signature in a hybrid file", of: { try Signed.pdf(HybridPDF.bytes) }) {
      try $0.signature().signed($0.bytes)
    },
    LaterCase(
      "an empty field",
      SamplePDF(
        catalog: "/AcroForm <</Fields [5 0 R 6 0 R]>>",
        page: "/Annots [5 0 R 6 0 R]",
        others: [SamplePDF.field("Uno", "/V null"), SamplePDF.field("Due")]),
      of: "Uno"
    ) {
      var update = $0.update()
      update.add($0.next, HandUpdate.signature())
      let field = try $0.field("Due")
      update.add(field.number, try $0.text(field, ["V": "\($0.next) 0 R"]))
      return try update.signed($0.bytes)
    },
  ]

  @Test(arguments: signatures) func signaturesAreAllowed(_ each: LaterCase) throws {
    let report = try Signed.judge(each.files().later)
    #expect(report.outcome == .proved)
    #expect(report.signatures.map(\.laterContent) == [.signatures, LaterContent.none])
  }
}
