public import CIECard
internal import Primitives

/// A CAdES-B signature of a file that waits for the card (EN 319 122-1): detached (`.p7s`),
/// attached (`.p7m`), or one more on an existing file.
public struct PreparedCMS: Sendable {
  /// The signer; its digest is for the card.
  public let signer: PreparedSigner
  private let certificates: [Certificate]
  let content: HashedContent

  /// Prepares a signature of contents, which are read once.
  ///
  /// - Parameters:
  ///   - content: the file to be signed.
  ///   - isAttached: true to have the contents inside the signature.
  ///   - certificate: the signer's.
  ///   - others: certificates of its issuers, to go into the file as well.
  ///   - time: signingTime, the signer's word.
  /// - Throws: `CMSError`.
  public init(
    _ content: ByteSource, isAttached: Bool, certificate: Certificate,
    others: [Certificate] = [], at time: UTCTime = .now
  ) throws(CMSError) {
    try self.init(
      HashedContent(content, isAttached: isAttached), certificate, others, at: time)
  }

  /// Prepares one more signature on a signed file. The existing signers stay as they are.
  ///
  /// - Parameters:
  ///   - signed: a SignedData in BER or DER, whose contents are of type data.
  ///   - detached: the contents, if they are not inside.
  ///   - certificate: the new signer's.
  ///   - time: signingTime, the signer's word.
  /// - Throws: `CMSError`; `noContents` if they are neither inside nor given.
  public init(
    adding certificate: Certificate, to signed: ByteSource, detached: ByteSource? = nil,
    at time: UTCTime = .now
  ) throws(CMSError) {
    try self.init(HashedContent(of: signed, detached: detached), certificate, at: time)
  }

  init(
    _ content: HashedContent, _ certificate: Certificate, _ others: [Certificate] = [],
    at time: UTCTime
  ) throws(CMSError) {
    self.content = content
    certificates = [certificate] + others
    signer = try PreparedSigner(certificate, signing: content.digest, at: time)
  }

  /// Writes the signed file with the card's signature.
  ///
  /// - Parameters:
  ///   - assertion: the card's, of `signer.digest`.
  ///   - write: takes the next bytes of the file.
  /// - Throws: `CMSError`: `contentsChanged` after everything is written if the contents are no longer those that were
  ///   prepared; what was written is to be thrown away.
  public func finish(
    _ assertion: SignedAssertion, write: ([UInt8]) throws(CMSError) -> Void
  ) throws(CMSError) {
    try finish(signature: assertion.signature, write: write)
  }

  /// The same with the signature value alone.
  package func finish(
    signature: [UInt8], write: ([UInt8]) throws(CMSError) -> Void
  ) throws(CMSError) {
    try self.write(parts(signature), to: write)
  }

  /// The parts of the signed file, but for the contents.
  func parts(_ signature: [UInt8]) throws(CMSError) -> SignedDataParts {
    SignedDataParts(
      adding: try signer.finish(signature), certificates: certificates, to: content.existing)
  }

  /// Writes the parts, and the contents if they are attached.
  func write(
    _ parts: SignedDataParts, to write: ([UInt8]) throws(CMSError) -> Void
  ) throws(CMSError) {
    let frame = CMSFrame(parts, contentLength: content.isAttached ? content.length : nil)
    try write(frame.head)
    // Of a detached signature the file stays where it is, and must still be the one that was hashed.
    if content.isAttached { try content.copy(to: write) } else { try content.requireUnchanged() }
    try write(frame.tail)
  }
}
