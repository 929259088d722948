import CIECard
import DocumentSigning
import Foundation
import Primitives
import TestSupport
import Testing

/// A signed file and an update of it, by construction.
struct LaterCase: CustomTestStringConvertible, Sendable {
  let name: String
  var signed: @Sendable () throws -> [UInt8] = { try Signed.pdf(SamplePDF().bytes) }
  var make: @Sendable (PDFParts) throws -> [UInt8] = { $0.bytes }

  /// Answers about a file that is not to be proved.
  enum Answer {
    /// Other changes; a new signature that shows itself.
    case other, shown
    /// No file that is read, and one without a signature.
    case damaged, unsigned
  }
  var answer = Answer.other

  var testDescription: String { name }

  init(_ name: String, _ make: @escaping @Sendable (PDFParts) throws -> [UInt8]) {
    (self.name, self.make) = (name, make)
  }

  init(
    _ name: String, _ document: SamplePDF,
    _ make: @escaping @Sendable (PDFParts) throws -> [UInt8]
  ) {
    self.init(name, make)
    signed = { try Signed.pdf(document.bytes) }
  }

  /// - Parameter field: the empty field that the first signer fills.
  init(
    _ name: String, _ document: SamplePDF, of field: String,
    _ make: @escaping @Sendable (PDFParts) throws -> [UInt8]
  ) {
    self.init(name, make)
    signed = {
      var particulars = PDFParticulars()
      particulars.field = field
      return try Signed.pdf(document.bytes, particulars)
    }
  }

  init(
    _ name: String, of signed: @escaping @Sendable () throws -> [UInt8],
    _ make: @escaping @Sendable (PDFParts) throws -> [UInt8]
  ) {
    (self.name, self.signed, self.make) = (name, signed, make)
  }

  /// The signed revision and the updated file.
  func files() throws -> (signed: [UInt8], later: [UInt8]) {
    let signed = try signed()
    let later = try make(PDFParts(signed))
    #expect(later.starts(with: signed) && later.count > signed.count)
    try Self.keep(later, name)
    return (signed, later)
  }

  /// Fails unless the signed file alone is proved, the later one is not, and the signed one comes out of it.
  func expectRefused(at location: SourceLocation = #_sourceLocation) throws {
    let (signed, later) = try files()
    #expect(Signed.isProved(signed), sourceLocation: location)
    let report: DocumentReport
    do { report = try Signed.judge(later) } catch DocumentError.damaged {
      #expect(answer == .damaged, sourceLocation: location)
      return
    }
    guard answer != .unsigned else {
      #expect(report.signatures.isEmpty, sourceLocation: location)
      #expect(report.outcome == .couldNotCheck, sourceLocation: location)
      return
    }
    #expect(report.outcome != .proved, sourceLocation: location)
    let first = try #require(report.signatures.first { $0.signedLength == signed.count })
    let content = answer == .shown ? LaterContent.signaturesShown : .other
    #expect(first.laterContent == content, sourceLocation: location)
    #expect(
      try DocumentJudge.signedRevision(of: ByteSource(later), first) == signed,
      sourceLocation: location)
  }

  /// Keeps a file in the folder that CIE_DOCUMENTS names, with the certificates to be trusted: `tools/test readers` looks at
  /// the pages of those that are proved.
  static func keep(
    _ file: [UInt8], _ name: String, trusting trust: TrustStore? = nil,
    authorities: TrustStore? = nil
  ) throws {
    guard let folder = ProcessInfo.processInfo.environment["CIE_DOCUMENTS"], !folder.isEmpty else {
      return
    }
    func write(_ bytes: [UInt8], _ name: String) throws {
      try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    let plain = name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "-" }.joined()
    try write(file, "\(plain).pdf")
    let own =
      try trust ?? TestSigner.named(.mario).trust.merged(with: TestSigner.named(.anna).trust)
    for certificate in own.certificates {
      try write(certificate.der, "\(certificate.serial).ca.der")
    }
    for certificate in authorities?.certificates ?? [] {
      try write(certificate.der, "\(certificate.serial).tsa.der")
    }
  }
}
