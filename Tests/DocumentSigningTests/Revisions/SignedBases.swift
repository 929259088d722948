import CIECard
import Primitives
import TestSupport
import Testing

@testable import DocumentSigning

/// Signed files of each kind, on which forgeries and honest additions are made, and their judge.
struct SignedBases: Sendable {
  enum Kind: String, CaseIterable {
    case table, stream, objectStreams, hybrid, twice, marked
    case certifiedForNothing, certifiedForForms, certifiedForComments
    case form, encrypted, encryptedByRC4, longTerm
  }

  private let files: [Kind: [UInt8]]
  private let issuer: TestIssuer
  private let server: StampServer
  private let trust: TrustStore

  private static let made = Result { try SignedBases() }

  /// All of them, made once.
  static func shared() throws -> SignedBases { try made.get() }

  func file(_ kind: Kind) throws -> [UInt8] { try files[kind].unwrapped() }

  private init() throws {
    let issuer = try TestIssuer()
    let server = try StampServer(issuedBy: issuer)
    (self.issuer, self.server) = (issuer, server)
    trust = try [.mario, .anna].reduce(issuer.trust) {
      $0.merged(with: try TestSigner.named($1).trust)
    }
    let once = try Signed.pdf(SamplePDF().bytes)
    var mark = PDFParticulars()
    mark.mark = VisibleMark()
    var own = PDFParticulars()
    own.field = "Prima"
    files = [
      .table: once, .stream: try Signed.pdf(SamplePDF(isStream: true).bytes),
      .objectStreams: try Signed.pdf(Self.qpdf(["--object-streams=generate"])),
      .hybrid: try Signed.pdf(HybridPDF.bytes), .twice: try Signed.pdf(once, by: .anna),
      .marked: try Signed.pdf(SamplePDF().bytes, mark),
      .certifiedForNothing: try CertifiedLaterTests.certified(1),
      .certifiedForForms: try CertifiedLaterTests.certified(2, Self.form),
      .certifiedForComments: try CertifiedLaterTests.certified(3, Self.form),
      .form: try Signed.pdf(Self.form, own),
      .encrypted: try Signed.pdf(Self.qpdf(["--encrypt", "", "o", "256", "--"])),
      .encryptedByRC4: try Signed.pdf(
        Self.qpdf(["--allow-weak-crypto", "--encrypt", "", "o", "128", "--use-aes=n", "--"])),
      .longTerm: try Self.extended(
        Signed.finish(
          Signed.prepared(SamplePDF().bytes, .pdf(.init()), issuer.certificate), issuer.sign),
        .lta, issuer, server),
    ]
  }

  /// A text to be filled in, a note, and an empty field for a second signer.
  private static let form = SamplePDF(
    catalog: "/AcroForm <</Fields [6 0 R 7 0 R]>>", page: "/Annots [5 0 R 6 0 R 7 0 R]",
    others: [
      "<</Type /Annot /Subtype /Text /Rect [9 9 20 20] /Contents (Nota)>>",
      "<</Type /Annot /Subtype /Widget /FT /Tx /T (Prezzo) /V (100) /Rect [0 0 50 9] /F 4>>",
      SamplePDF.field("Vuota").replacing("[0 0 0 0]", with: "[100 100 150 150]"),
    ]
  ).bytes

  private static func qpdf(_ options: [String]) throws -> [UInt8] {
    let folder = try TemporaryDirectory()
    let plain = try folder.write("plain.pdf", SamplePDF().bytes)
    let result = try BuiltBinary(path: "/usr/bin/qpdf")
      .run(options + [plain, folder.path("out.pdf")])
    try #require(result.exitStatus == 0, "\(result.errors)")
    return try folder.read("out.pdf")
  }

  private static func extended(
    _ file: [UInt8], _ level: SignatureExtension.Level, _ issuer: TestIssuer, _ server: StampServer
  ) throws -> [UInt8] {
    try Signed.extended(
      file, Raising(level, server, issuer))
  }

  func judge(_ file: [UInt8]) throws -> DocumentReport {
    try DocumentJudge(trust: trust, authorities: server.trust, at: TestIssuer.time)
      .judge(ByteSource(file))
  }

  func keep(_ file: [UInt8], _ name: String) throws {
    try LaterCase.keep(file, name, trusting: trust, authorities: server.trust)
  }

  /// A file with a time stamp of the document, by itself, or behind the evidence that is missing.
  func stamped(_ file: [UInt8], _ kind: Kind) throws -> [UInt8] {
    try Self.extended(file, kind == .longTerm ? .lta : .t, issuer, server)
  }

  /// A file with one more certificate in its store, as the module writes it.
  func stored(_ file: [UInt8]) throws -> [UInt8] {
    let read = try PDFFile.open(file)
    let store = SecurityStore(try TestSigner.named(.mario).trust.certificates)
    return try SecurityStore(read).updated(with: store, in: read)
  }
}
