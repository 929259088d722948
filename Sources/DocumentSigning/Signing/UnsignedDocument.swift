public import CIECard
internal import Primitives

/// A document that a person is shown before it is signed.
///
/// Whatever refuses the signature without the signer's certificate has been checked; the signature is made over the
/// bytes of which `digest` is the hash, or not at all.
public struct UnsignedDocument: Sendable {
  /// SHA-256 of the contents to be signed: of the file, or of what is inside an existing signature.
  public let digest: Digest
  /// Length of the file in bytes.
  public let length: Int
  /// Number of pages; nil for files other than PDF.
  public let pages: Int?
  /// Number of signatures that the file already has.
  public let signatures: Int
  private let content: Content

  /// Forms of signatures.
  public enum Form: Sendable {
    /// CAdES with the contents inside (`.p7m`).
    case attached
    /// CAdES beside the file (`.p7s`).
    case detached
    /// One more signer of a CAdES signature; with the contents if they are not inside.
    case further(contents: ByteSource? = nil)
    /// PAdES, inside the PDF.
    case pdf(PDFParticulars = .init())
  }

  private enum Content: Sendable {
    case cms(HashedContent)
    case pdf(ByteSource, PDFParticulars)
  }

  /// Reads a file once.
  public init(_ source: ByteSource, as form: Form) throws(DocumentError) {
    length = source.count
    let hashed: HashedContent
    switch form {
    case .attached: hashed = try HashedContent(source, isAttached: true)
    case .detached: hashed = try HashedContent(source, isAttached: false)
    case .further(let contents):
      guard case .cms(let signed) = try InputForm(source) else { throw .malformed(.contentInfo) }
      hashed = try HashedContent(of: signed, detached: contents)
    case .pdf(let particulars):
      digest = try source.digest()
      let file = try PDFFile.open(PDFFile.read(source), password: particulars.password)
      let fields = SignatureField.all(of: file)
      _ = try SignaturePlace(particulars, fields, in: file)
      try particulars.checkText()
      pages = file.root["Pages"]["Count"].integer ?? 0
      signatures = fields.count { $0.signature != nil }
      content = .pdf(source, particulars)
      return
    }
    (digest, pages) = (hashed.digest, nil)
    signatures = hashed.existing.signers.count
    content = .cms(hashed)
  }

  /// Prepares the signature of a signer.
  ///
  /// - Parameters:
  ///   - certificate: of the signer's key.
  ///   - others: certificates of issuers, to go into the file as well.
  ///   - time: the signer's word.
  public func prepared(
    for certificate: Certificate, others: [Certificate] = [], at time: UTCTime = .now
  ) throws(DocumentError) -> PreparedDocument {
    switch content {
    case .cms(let hashed):
      return try PreparedDocument(hashed, certificate, others, at: time)
    case .pdf(let source, let particulars):
      // One reading for the comparison and the signature.
      let bytes = try source.bytes(0..<source.count)
      guard try ByteSource(bytes).digest() == digest else { throw .contentsChanged }
      return try PreparedDocument(bytes, particulars, certificate, others, at: time)
    }
  }
}
