public import CIECard
internal import Primitives

/// A document that a person is shown before it is signed.
///
/// Whatever refuses the signature without the signer's certificate has been checked; the signature is made over the
/// bytes of which `digest` is the hash, or not at all.
public struct UnsignedDocument: Sendable {
  /// SHA-256 of the contents to be signed: of the file, or of what is inside an existing signature.
  public var digest: Digest { content.digest }
  /// Length of the file in bytes.
  public let length: Int
  /// Number of pages; nil for files other than PDF.
  public var pages: Int? { content.pages }
  /// Number of signatures that the file already has.
  public var signatures: Int { content.signatures }
  private let content: any SignableContent

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

  /// Reads a file once.
  public init(_ source: ByteSource, as form: Form) throws(DocumentError) {
    length = source.count
    switch form {
    case .attached: content = try HashedContent(source, isAttached: true)
    case .detached: content = try HashedContent(source, isAttached: false)
    case .further(let contents):
      guard case .cms(let signed) = try InputForm(source) else { throw .malformed(.contentInfo) }
      content = try HashedContent(of: signed, detached: contents)
    case .pdf(let particulars): content = try PDFToSign(source, particulars)
    }
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
    try content.prepared(for: certificate, others, at: time)
  }
}
