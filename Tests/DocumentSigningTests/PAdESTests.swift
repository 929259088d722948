import CIECard
import Primitives
import TestSupport
import Testing

@testable import DocumentSigning

/// PAdES-B signatures of small PDFs, judged by qpdf, by Poppler and by the module.
@Suite struct PAdESTests {
  /// Documents whose form and annotations stand in every place where they may.
  private static let documents: [SamplePDF] = [
    SamplePDF(), SamplePDF(isStream: true), SamplePDF(ending: ""), SamplePDF(ending: "\r\n"),
    SamplePDF(page: "/Annots []"),
    SamplePDF(page: "/Annots 5 0 R", others: ["[]"], isStream: true),
    SamplePDF(catalog: "/AcroForm <</Fields [] /DA (/Helv 0 Tf)>>"),
    SamplePDF(catalog: "/AcroForm 5 0 R", others: ["<</Fields 6 0 R>>", "[]"]),
    SamplePDF(catalog: "/AcroForm 5 0 R", others: ["<</Fields [] /SigFlags 0>>"], isStream: true),
    // Names and strings that must be written again as they were.
    SamplePDF(catalog: "/A#20#2FB (a\\)\\\\\\377\\000b) /Lang (it)"),
    SamplePDF(
      catalog: "/AcroForm <</Fields [5 0 R]>>", page: "/Annots [5 0 R]",
      others: [SamplePDF.field("Firma")]),
  ]

  @Test(arguments: documents.indices) func signed(index: Int) throws {
    let document = Self.documents[index].bytes
    try PDFJudges.expectSound(document)
    let file = try Signed.pdf(document)
    #expect(file.starts(with: document))
    try PDFJudges.expectSound(file)
    try PDFJudges.expectValid(file)
    let report = try Signed.judge(file)
    #expect(report.outcome == .proved && report.form == .pdf)
    #expect(report.signatures.first?.claimedTime == TestSigner.time)
  }

  @Test(arguments: [false, true]) func signedAgain(isStream: Bool) throws {
    var file = SamplePDF(isStream: isStream).bytes
    var revisions: [[UInt8]] = []
    for name in [.mario, .anna, .mario] as [TestSigner.Name] {
      file = try Signed.pdf(file, by: name)
      revisions.append(file)
    }
    try PDFJudges.expectSound(file)
    try PDFJudges.expectValid(file, count: 3)
    let report = try Signed.judge(file)
    let later = revisions.map { file.count - $0.count }
    // Further signatures change nothing of the document.
    #expect(report.outcome == .proved)
    #expect(report.signatures.map { $0.laterBytes } == later)
    #expect(report.signatures.map { $0.outcome } == [.proved, .proved, .proved])
    #expect(
      report.signatures.map { $0.laterContent } == [.signatures, .signatures, LaterContent.none])
    for (signature, revision) in zip(report.signatures, revisions) {
      #expect(try DocumentJudge.signedRevision(of: ByteSource(file), signature) == revision)
    }
  }

  @Test func statements() throws {
    var particulars = PDFParticulars()
    particulars.reason = "Perché sì (\\)"
    particulars.location = "Città"
    particulars.field = "Firma del signor 1"
    let file = try Signed.pdf(SamplePDF().bytes, particulars)
    try PDFJudges.expectSound(file)
    try PDFJudges.expectValid(file)
    let again = try EmbeddedSignature.all(of: PDFFile.open(Signed.pdf(file)))
    #expect(again.map(\.field) == ["Firma del signor 1", "Signature1"])
    #expect(throws: DocumentError.refused(.noSuchField("Firma del signor 1"))) {
      try Signed.pdf(file, particulars)
    }
  }

  /// Room that is too small is an error before the card signs.
  @Test func room() throws {
    let signer = try TestSigner.named(.mario)
    var particulars = PDFParticulars()
    particulars.room = 1000
    let needed = try #require(
      { () -> Int? in
        do throws(DocumentError) {
          _ = try UnsignedDocument(ByteSource(SamplePDF().bytes), as: .pdf(particulars))
            .prepared(for: signer.certificate)
          return nil
        } catch {
          guard case .refused(.room(let needed, 1000)) = error else { return nil }
          return needed
        }
      }())
    particulars.room = needed
    let signed = try Signed.pdf(SamplePDF().bytes, particulars)
    #expect(Signed.isProved(signed))
    // By itself the room is as long as the signature, to the byte.
    #expect(try Signed.pdf(SamplePDF().bytes).count == signed.count)
    let contents = try #require(EmbeddedSignature.all(of: PDFFile.open(signed)).first).contents
    #expect((try? SignedData(ByteSource(contents))) != nil)
    particulars.room = needed - 1
    #expect(throws: DocumentError.refused(.room(needed: needed, given: needed - 1))) {
      try Signed.pdf(SamplePDF().bytes, particulars)
    }
  }

  @Test func existingFields() throws {
    let fields = [SamplePDF.field("Uno"), SamplePDF.field("Due")]
    let document = SamplePDF(
      catalog: "/AcroForm <</Fields [5 0 R 6 0 R]>>", page: "/Annots [5 0 R 6 0 R]", others: fields
    ).bytes
    #expect(throws: DocumentError.refused(.severalFields(["Uno", "Due"]))) {
      try Signed.pdf(document)
    }
    var particulars = PDFParticulars()
    particulars.field = "Due"
    let first = try Signed.pdf(document, particulars)
    #expect(try EmbeddedSignature.all(of: PDFFile.open(first)).map(\.field) == ["Due"])
    let both = try Signed.pdf(first, by: .anna)
    try PDFJudges.expectSound(both)
    try PDFJudges.expectValid(both, count: 2)
    let report = try Signed.judge(both)
    #expect(report.signatures.count == 2)
    #expect(report.outcome == .proved)
    #expect(report.signatures.map { $0.laterContent } == [.none, .signatures] as [LaterContent])
  }

  @Test func signedFilesOfOtherProgramsKeepTheirSignatures() throws {
    let file = try Signed.pdf(SamplePDF().bytes)
    let folder = try TemporaryDirectory()
    let output = folder.path("streams.pdf")
    // Object streams: the objects that change are inside them.
    let result = try BuiltBinary(path: "/usr/bin/qpdf")
      .run(["--object-streams=generate", try folder.write("in.pdf", SamplePDF().bytes), output])
    #expect(result.exitStatus == 0)
    let dense = try folder.read("streams.pdf")
    let both = try Signed.pdf(Signed.pdf(dense), by: .anna)
    try PDFJudges.expectSound(both)
    try PDFJudges.expectValid(both, count: 2)
    #expect(file.count > SamplePDF().bytes.count)
  }
}
