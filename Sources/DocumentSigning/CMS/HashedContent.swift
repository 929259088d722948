internal import CIECard
internal import Primitives

/// Contents to be signed, and their hash: a whole file, or what an existing signature is about.
struct HashedContent: Sendable {
  private let source: ByteSource
  private let ranges: [Range<Int>]
  /// SHA-256 of the contents.
  let digest: Digest
  /// True if the contents go into the signed file.
  let isAttached: Bool
  /// The signature to which another one is added; an empty one without.
  let existing: SignedData

  var length: Int { ranges.length }

  /// A whole file, which is read once.
  init(_ file: ByteSource, isAttached: Bool) throws(DocumentError) {
    (source, ranges, self.isAttached) = (file, [0..<file.count], isAttached)
    existing = SignedData()
    digest = try file.digest()
  }

  /// The contents of a SignedData in BER or DER.
  ///
  /// - Parameter detached: the contents, if they are not inside.
  init(of signed: ByteSource, detached: ByteSource?) throws(DocumentError) {
    let data = try SignedData(signed)
    guard data.contentType == CMSObject.data else {
      throw .otherType(CMSObject.dotted(data.contentType))
    }
    guard let file = data.content == nil ? detached : signed else { throw .noContents }
    (source, ranges) = (file, data.content ?? [0..<file.count])
    (isAttached, existing) = (data.content != nil, data)
    digest = try file.digest(of: ranges)
  }

  /// The contents, which are hashed again, because the file may have changed since.
  func blocks() throws(DocumentError) -> ContentBlocks {
    try ContentBlocks(
      source, ranges, expecting: ContentHash(algorithm: .sha256, value: digest.bytes))
  }
}

/// The hash of contents as they were prepared or judged, by which later reading is bound to that: the file may be another one
/// by then.
struct ContentHash: Sendable, Equatable {
  let algorithm: HashAlgorithm
  let value: [UInt8]
}
