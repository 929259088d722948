public import CIECard
internal import Primitives

/// A CAdES-B signature of a file that waits for the card (EN 319 122-1): detached (`.p7s`),
/// attached (`.p7m`), or one more on an existing file.
public struct PreparedCMS: Sendable {
  /// The signer; its digest is for the card.
  public let signer: PreparedSigner
  private let certificates: [Certificate]
  private let content: ByteSource
  private let ranges: [Range<Int>]
  private let contentDigest: [UInt8]
  private let isAttached: Bool
  private let existing: SignedData?

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
      content, [0..<content.count], isAttached, nil, [certificate] + others, certificate, time)
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
    let parts = try SignedData(signed)
    guard parts.contentType == CMSObject.data else {
      throw .otherType(CMSObject.dotted(parts.contentType))
    }
    if let ranges = parts.content {
      try self.init(signed, ranges, true, parts, [certificate], certificate, time)
    } else if let detached {
      try self.init(
        detached, [0..<detached.count], false, parts, [certificate], certificate, time)
    } else {
      throw .noContents
    }
  }

  private init(
    _ content: ByteSource, _ ranges: [Range<Int>], _ isAttached: Bool, _ existing: SignedData?,
    _ certificates: [Certificate], _ certificate: Certificate, _ time: UTCTime
  ) throws(CMSError) {
    (self.content, self.ranges, self.isAttached) = (content, ranges, isAttached)
    (self.existing, self.certificates) = (existing, certificates)
    contentDigest = try content.hash(of: ranges, .sha256)
    guard let digest = Digest(.sha256, bytes: contentDigest) else { throw .unusableCertificate }
    signer = try PreparedSigner(certificate, signing: digest, at: time)
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
    let frame = try CMSFrame(
      adding: try signer.finish(signature), certificates: certificates, to: existing,
      contentLength: isAttached ? ranges.reduce(0) { $0 + $1.count } : nil)
    try write(frame.head)
    if isAttached {
      // Hashed again, because the file may have changed while the card signed.
      var hash = try CMSError.calculating { () throws(CryptoError) in try RunningHash(.sha256) }
      try content.forEachBlock(of: ranges) { (block) throws(CMSError) in
        do throws(CryptoError) { try hash.update(block) } catch { throw .crypto(error) }
        try write(block)
      }
      let again: [UInt8]
      do throws(CryptoError) { again = try hash.finish() } catch { throw .crypto(error) }
      guard again == contentDigest else { throw .contentsChanged }
    }
    try write(frame.tail)
  }
}
