internal import CIECard

/// Contents to be signed, and their hash: a whole file, or what an existing signature is about.
struct HashedContent: Sendable {
  private let source: ByteSource
  private let ranges: [Range<Int>]
  /// SHA-256 of the contents.
  let digest: Digest
  /// True if the contents go into the signed file.
  let isAttached: Bool
  /// The signature to which another one is added.
  let existing: SignedData?

  /// Length of the contents in bytes.
  var length: Int { ranges.reduce(0) { $0 + $1.count } }

  /// A whole file, which is read once.
  init(_ file: ByteSource, isAttached: Bool) throws(CMSError) {
    try self.init(file, [0..<file.count], isAttached, nil)
  }

  /// The contents of a SignedData in BER or DER.
  ///
  /// - Parameter detached: the contents, if they are not inside.
  /// - Throws: `CMSError`; `noContents` if they are neither inside nor given.
  init(of signed: ByteSource, detached: ByteSource?) throws(CMSError) {
    let data = try SignedData(signed)
    guard data.contentType == CMSObject.data else {
      throw .otherType(CMSObject.dotted(data.contentType))
    }
    if let ranges = data.content {
      try self.init(signed, ranges, true, data)
    } else if let detached {
      try self.init(detached, [0..<detached.count], false, data)
    } else {
      throw .noContents
    }
  }

  private init(
    _ source: ByteSource, _ ranges: [Range<Int>], _ isAttached: Bool, _ existing: SignedData?
  ) throws(CMSError) {
    (self.source, self.ranges, self.isAttached) = (source, ranges, isAttached)
    self.existing = existing
    let hash = try source.hash(of: ranges, .sha256)
    guard let digest = Digest(.sha256, bytes: hash) else { throw .unusableCertificate }
    self.digest = digest
  }

  /// Writes the contents, and hashes them again, because the file may have changed since.
  ///
  /// - Throws: `CMSError.contentsChanged` after everything is written.
  func copy(to write: ([UInt8]) throws(CMSError) -> Void) throws(CMSError) {
    var hash = try CMSError.calculating { () throws(CryptoError) in try RunningHash(.sha256) }
    try source.forEachBlock(of: ranges) { (block) throws(CMSError) in
      do throws(CryptoError) { try hash.update(block) } catch { throw .crypto(error) }
      try write(block)
    }
    let again: [UInt8]
    do throws(CryptoError) { again = try hash.finish() } catch { throw .crypto(error) }
    guard again == digest.bytes else { throw .contentsChanged }
  }

  /// Hashes the contents again.
  ///
  /// - Throws: `CMSError.contentsChanged`.
  func requireUnchanged() throws(CMSError) {
    guard try source.hash(of: ranges, .sha256) == digest.bytes else { throw .contentsChanged }
  }
}
