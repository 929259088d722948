import CIECard
import Primitives
import TestSupport
import Testing

@testable import DocumentSigning

/// Signatures of PDFs that qpdf has encrypted, in each way that it knows.
@Suite struct EncryptedPDFTests {
  enum Kind: String, CaseIterable {
    case rc4of40 = "40"
    case rc4of128 = "128 --use-aes=n"
    case rc4InVersion4 = "128 --use-aes=n --force-V4"
    case aes128 = "128 --use-aes=y"
    case aes128WithClearMetadata = "128 --use-aes=y --cleartext-metadata"
    case aes256 = "256"
    case aes256InRevision5 = "256 --force-R5"
  }

  /// A document whose changed objects contain strings, with a field to be filled.
  private static let document = SamplePDF(
    catalog: "/Lang (it\\(\\051\\)) /AcroForm <</Fields [5 0 R] /DA (/Helv 0 Tf)>>",
    page: "/Annots [5 0 R] /Own (Pagina uno\\030\\351)",
    others: [SamplePDF.field("Mia", "/TU (Chi firma)")])

  private func encrypted(
    _ kind: String, user: String = "u", owner: String = "o", streams: String = "preserve"
  ) throws -> [UInt8] {
    let folder = try TemporaryDirectory()
    let options = kind.split(separator: " ").map(String.init)
    let result = try BuiltBinary(path: "/usr/bin/qpdf").run(
      ["--allow-weak-crypto", "--object-streams=\(streams)", "--encrypt", user, owner] + options
        + ["--", try folder.write("plain.pdf", Self.document.bytes), folder.path("encrypted.pdf")])
    #expect(result.exitStatus == 0, "\(result.errors)")
    return try folder.read("encrypted.pdf")
  }

  /// The objects of a file as qpdf decrypts them.
  private func decrypted(_ file: [UInt8], password: String) throws -> String {
    let folder = try TemporaryDirectory()
    let result = try BuiltBinary(path: "/usr/bin/qpdf").run([
      "--password=\(password)", "--decrypt", "--qdf", try folder.write("in.pdf", file), "-",
    ])
    #expect(result.exitStatus == 0, "\(result.errors)")
    return String(decoding: result.standardOutput, as: UTF8.self)
  }

  private func particulars(_ password: String, field: String? = nil) -> PDFParticulars {
    var particulars = PDFParticulars()
    particulars.password = [UInt8](password.utf8)
    particulars.field = field
    particulars.reason = "Perch\u{e9} s\u{ec}"
    return particulars
  }

  @Test(arguments: Kind.allCases, ["preserve", "generate"])
  func signed(kind: Kind, streams: String) throws {
    let file = try encrypted(kind.rawValue, streams: streams)
    // With the user's password into the document's field, with the owner's into a new one.
    let first = try Signed.pdf(file, particulars("u"))
    let both = try Signed.pdf(first, by: .anna, particulars("o", field: "Nuova"))
    #expect(both.starts(with: file))
    for password in ["u", "o"] {
      try PDFJudges.expectSound(both, password: password)
      try PDFJudges.expectValid(both, count: 2, password: password)
      let report = try Signed.judge(both, password: [UInt8](password.utf8))
      #expect(report.outcome == .proved)
      #expect(report.signatures.map { $0.laterBytes } == [both.count - first.count, 0])
      #expect(report.signatures.allSatisfy { $0.claimedTime == TestSigner.time })
    }
    let text = try decrypted(both, password: "u")
    for string in [
      #"(it\(\)\))"#, "(/Helv 0 Tf)", "(Mia)", "(Chi firma)", "(Pagina uno\\030\u{FFFD})",
      "<feff004e0075006f00760061>", "<feff0050006500720063006800e90020007300ec>",
    ] {
      #expect(text.contains(string), "\(string)")
    }
  }

  @Test(arguments: Kind.allCases) func openWithoutPassword(kind: Kind) throws {
    let file = try Signed.pdf(try encrypted(kind.rawValue, user: ""))
    try PDFJudges.expectSound(file)
    try PDFJudges.expectValid(file)
    #expect(Signed.isProved(file))
  }

  /// A time stamp of the document is of another Type than signatures, and as clear as they are (ISO 32000-2 §7.6.2).
  @Test(arguments: Kind.allCases) func timeStampOfTheDocument(kind: Kind) throws {
    let issuer = try TestIssuer()
    let server = try StampServer(issuedBy: issuer)
    let both = try Signed.pdf(
      Signed.pdf(encrypted(kind.rawValue, user: "")), by: .anna, particulars("", field: "Nuova"))
    let file = try Signed.extended(
      both, Raising(.t, server, issuer))
    let trust = try TestSigner.named(.mario).trust.merged(with: TestSigner.named(.anna).trust)
    let judge = DocumentJudge(trust: trust, authorities: server.trust, at: TestIssuer.time)
    let report = try judge.judge(ByteSource(file))
    #expect(report.outcome == .proved)
    #expect(report.signatures.map(\.isTimeStamp) == [false, false, true])
    // Bytes that follow are other changes, and make nothing false.
    let later = try judge.judge(ByteSource(file + [0x20]))
    #expect(later.signatures.map(\.laterContent) == [.other, .other, .other])
    #expect(!later.isDisproved)
    var changed = file
    let place = try #require(file.lastIndex(ofText: "/ETSI.RFC3161"))
    changed[place + 100] ^= 1
    #expect(try judge.judge(ByteSource(changed)).outcome != .proved)
  }

  /// Letters outside ASCII are one byte each before revision 5 and UTF-8 since.
  @Test(arguments: ["128 --use-aes=y", "256"]) func letters(kind: String) throws {
    let file = try encrypted(kind, user: "perch\u{e9}")
    let signed = try Signed.pdf(file, particulars("perch\u{e9}"))
    let report = try Signed.judge(signed, password: [UInt8]("perch\u{e9}".utf8))
    #expect(report.outcome == .proved)
  }

  @Test(arguments: Kind.allCases) func wrongPasswords(kind: Kind) throws {
    let file = try encrypted(kind.rawValue)
    #expect(throws: DocumentError.needsPassword) { try Signed.pdf(file) }
    #expect(throws: DocumentError.needsPassword) { try Signed.judge(file) }
    for password in ["x", "u\0", "\u{e9}"] {
      #expect(throws: DocumentError.wrongPassword) { try Signed.pdf(file, particulars(password)) }
      #expect(throws: DocumentError.wrongPassword) {
        try Signed.judge(file, password: [UInt8](password.utf8))
      }
    }
  }

  @Test(arguments: ["40 --annotate=n", "128 --annotate=n --form=n", "256 --annotate=n --form=n"])
  func permissions(kind: String) throws {
    let file = try encrypted(kind)
    #expect(throws: DocumentError.refused(.permissions)) { try Signed.pdf(file, particulars("u")) }
    let signed = try Signed.pdf(file, particulars("o"))
    try PDFJudges.expectValid(signed, password: "u")
  }

  @Test(arguments: ["128 --annotate=n", "256 --annotate=n"])
  func formFillingIsEnough(kind: String) throws {
    let signed = try Signed.pdf(encrypted(kind), particulars("u"))
    try PDFJudges.expectValid(signed, password: "u")
  }

  /// Strings whose cipher is not there would be written in clear.
  @Test func missingFilter() throws {
    var file = try encrypted("256", user: "")
    let place = try #require(file.firstIndex(ofText: "/StrF /StdCF"))
    file[place + 11] = UInt8(ascii: "G")
    #expect(throws: DocumentError.refused(.structure("Encrypt"))) { try Signed.pdf(file) }
  }

  /// A file encrypted for certificates is not damaged.
  @Test func otherHandler() throws {
    var file = try encrypted("256", user: "")
    let place = try #require(file.firstIndex(ofText: "/Filter /Standard"))
    file[place + 16] = UInt8(ascii: "s")
    #expect(throws: DocumentError.unsupported(.encryptedPDF)) { try Signed.pdf(file) }
    #expect(throws: DocumentError.unsupported(.encryptedPDF)) { try Signed.judge(file) }
  }

  /// Entries of another length or kind are an error, whatever qpdf makes of them.
  @Test func entriesOfAnotherForm() throws {
    let file = try encrypted("256", user: "")
    let text = String(decoding: file, as: Unicode.ASCII.self)
    for key in ["/R 6", "/V 5", "/StmF", "/StrF", "/CFM /AESV3", "/Filter /Standard", "/P -"] {
      let place = try #require(file.firstIndex(ofText: key), "\(key) \(text.count)")
      var changed = file
      changed[place + key.utf8.count - 1] = UInt8(ascii: "9")
      do { _ = try Signed.pdf(changed) } catch { #expect(error is DocumentError) }
    }
  }
}

extension [UInt8] {
  fileprivate func firstIndex(ofText text: String) -> Int? {
    indices.first { self[$0...].starts(with: text.utf8) }
  }

  fileprivate func lastIndex(ofText text: String) -> Int? {
    indices.last { self[$0...].starts(with: text.utf8) }
  }
}
