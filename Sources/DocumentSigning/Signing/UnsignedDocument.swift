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
    case pdf(PreparedPDF.Particulars = .init())
  }

  private enum Content: Sendable {
    case cms(HashedContent)
    case pdf(ByteSource, PreparedPDF.Particulars)
  }

  /// Reads a file once.
  ///
  /// - Throws: `SigningError`.
  public init(_ source: ByteSource, as form: Form) throws(SigningError) {
    length = source.count
    switch form {
    case .attached, .detached:
      let isAttached = if case .attached = form { true } else { false }
      let hashed = try SigningError.reading { () throws(CMSError) in
        try HashedContent(source, isAttached: isAttached)
      }
      (digest, pages, signatures) = (hashed.digest, nil, 0)
      content = .cms(hashed)
    case .further(let contents):
      let signed = try Self.decoded(source)
      let hashed = try SigningError.reading { () throws(CMSError) in
        try HashedContent(of: signed, detached: contents)
      }
      (digest, pages) = (hashed.digest, nil)
      signatures = hashed.existing?.signers.count ?? 0
      content = .cms(hashed)
    case .pdf(let particulars):
      digest = try SigningError.reading { () throws(CMSError) in try source.digest() }
      let found: (pages: Int, signatures: Int)
      do throws(PDFError) { found = try PreparedPDF.inspect(source, particulars) } catch {
        throw .pdf(error)
      }
      (pages, signatures) = found
      content = .pdf(source, particulars)
    }
  }

  /// The binary form of a CMS signature.
  private static func decoded(_ source: ByteSource) throws(SigningError) -> ByteSource {
    do throws(JudgementError) {
      guard case .cms(let signed) = try InputForm(source) else {
        throw JudgementError.cms(.malformed(.contentInfo))
      }
      return signed
    } catch { throw .input(error) }
  }

  /// Prepares the signature of a signer.
  ///
  /// - Parameters:
  ///   - certificate: the signer's.
  ///   - others: certificates of its issuers, to go into the file as well.
  ///   - time: the signer's word.
  /// - Throws: `SigningError`.
  public func prepared(
    for certificate: Certificate, others: [Certificate] = [], at time: UTCTime = .now
  ) throws(SigningError) -> PreparedDocument {
    switch content {
    case .cms(let hashed):
      return .cms(
        try SigningError.reading { () throws(CMSError) in
          try PreparedCMS(hashed, certificate, others, at: time)
        })
    case .pdf(let source, let particulars):
      // One reading for the comparison and the signature.
      let bytes = try SigningError.reading { () throws(CMSError) in
        let bytes = ByteSource(try source.bytes(0..<source.count))
        guard try bytes.digest() == digest else { throw CMSError.contentsChanged }
        return bytes
      }
      do throws(PDFError) {
        return .pdf(
          try PreparedPDF(
            bytes, certificate: certificate, others: others, particulars: particulars, at: time))
      } catch { throw .pdf(error) }
    }
  }
}
