internal import CIECard
internal import Primitives

/// A SignedData (RFC 5652 §5.1), taken apart or put together: its contents stay where they are.
struct SignedData {
  /// eContentType, content octets.
  private(set) var contentType = CMSObject.data
  /// The encodings of the digest algorithms, in order.
  var digestAlgorithms: [[UInt8]] = []
  /// The places of eContent in the source; nil if the signature is detached.
  private(set) var content: [Range<Int>]?
  /// The encodings of the members of the CertificateSet, in order.
  var certificateSet: [[UInt8]] = [] {
    didSet { certificates = Self.certificates(certificateSet) }
  }
  /// Those of them that can be read, in order.
  private(set) var certificates: [Certificate] = []
  /// The encodings of the members of RevocationInfoChoices, in order.
  var revocation: [[UInt8]] = []
  /// The signers, in order.
  var signers: [SignerInfo] = []

  /// One without signers, about contents of type data.
  init() {}

  /// Reads the ContentInfo at the start of a source: BER or DER.
  ///
  /// - Parameter mayBePadded: true if zeros may follow, as in the room of a PDF.
  init(_ source: ByteSource, mayBePadded: Bool = false) throws(DocumentError) {
    var file = BERWalker(source)
    var info = try file.enter(DER.sequence, .contentInfo)
    let type = try Self.value(of: info.next(), DER.objectIdentifier, .contentInfo)
    guard type == CMSObject.signedData else { throw .otherType(CMSObject.dotted(type)) }
    var explicit = try info.enter(0xA0, .contentInfo)
    var data = try explicit.enter(DER.sequence, .contentInfo)
    let version = try Self.value(of: data.next(), DER.integer, .version)
    digestAlgorithms = try Self.members(of: data.next(), DER.set, .digestAlgorithms)

    var contents = try data.enter(DER.sequence, .contents)
    contentType = try Self.value(of: contents.next(), DER.objectIdentifier, .contents)
    if try !contents.isAtEnd() {
      var explicit = try contents.enter(0xA0, .contents)
      content = try explicit.octets()
      try contents.leave(explicit)
    }
    try data.leave(contents)

    if try data.peek().tag == 0xA0 {
      certificateSet = try Self.members(of: data.next(), 0xA0, .certificates)
      certificates = Self.certificates(certificateSet)
    }
    if try data.peek().tag == 0xA1 {
      revocation = try Self.members(of: data.next(), 0xA1, .revocation)
    }
    signers = try Self.members(of: data.next(), DER.set, .signer).map {
      (encoded) throws(DocumentError) in try SignerInfo(encoded)
    }
    try explicit.leave(data)
    try info.leave(explicit)
    try file.leave(info)
    try Self.checkEnd(of: source, at: file.position, mayBePadded)
    guard version.withoutLeadingZeros == [UInt8(requiredVersion)] else {
      throw .malformed(.version)
    }
  }

  /// The version that these parts must have (RFC 5652 §5.1).
  var requiredVersion: Int {
    let tags = certificateSet.map { $0.first }
    if tags.contains(0xA3) || revocation.contains(where: { $0.first == 0xA1 }) { return 5 }
    if tags.contains(0xA2) { return 4 }
    let isPlain = contentType == CMSObject.data && !tags.contains(0xA1)
    return isPlain && signers.allSatisfy { $0.version == 1 } ? 1 : 3
  }

  private static func certificates(_ set: [[UInt8]]) -> [Certificate] {
    set.compactMap { try? Certificate(der: $0) }
  }

  private static func checkEnd(
    of source: ByteSource, at end: Int, _ mayBePadded: Bool
  ) throws(DocumentError) {
    guard source.count > end else { return }
    var isPadding = mayBePadded
    if isPadding {
      try source.forEachBlock(of: [end..<source.count]) { (block) throws(DocumentError) in
        isPadding = isPadding && block.allSatisfy { $0 == 0 }
      }
    }
    guard isPadding else { throw .trailingBytes(count: source.count - end) }
  }

  private static func value(
    of encoded: [UInt8], _ tag: UInt32, _ part: DocumentError.Part
  ) throws(DocumentError) -> [UInt8] {
    var cursor = TLVCursor(encoded)
    return try mapError(try cursor.next(tag).bytes) { (_: TLVError) in DocumentError.malformed(part)
    }
  }

  private static func members(
    of encoded: [UInt8], _ tag: UInt32, _ part: DocumentError.Part
  ) throws(DocumentError) -> [[UInt8]] {
    let set = TLVCursor(try value(of: encoded, tag, part))
    return try mapError(try set.all().map { [UInt8]($0.encoded) }) { (_: TLVError) in
      DocumentError.malformed(part)
    }
  }
}
