internal import CIECard
internal import Primitives

/// A SignedData (RFC 5652 §5.1), taken apart: its contents stay where they are.
struct SignedData {
  let version: Int
  /// The encodings of the digest algorithms, in order.
  let digestAlgorithms: [[UInt8]]
  /// eContentType, content octets.
  let contentType: [UInt8]
  /// The places of eContent in the source; nil if the signature is detached.
  let content: [Range<Int>]?
  /// The encodings of the members of the CertificateSet, in order.
  let certificateSet: [[UInt8]]
  /// Those of them that can be read, in order.
  let certificates: [Certificate]
  /// The encodings of the members of RevocationInfoChoices, in order.
  let revocation: [[UInt8]]
  /// The signers, in order.
  let signers: [SignerInfo]

  /// Reads the ContentInfo at the start of a source: BER or DER.
  ///
  /// - Parameter mayBePadded: true if zeros may follow, as in the room of a PDF.
  /// - Throws: `CMSError`.
  init(_ source: ByteSource, mayBePadded: Bool = false) throws(CMSError) {
    var file = BERWalker(source)
    var info = try file.enter(DER.sequence, .contentInfo)
    let type = try Self.value(of: info.next(), DER.objectIdentifier, .contentInfo)
    guard type == CMSObject.signedData else { throw .otherType(CMSObject.dotted(type)) }
    var explicit = try info.enter(0xA0, .contentInfo)
    var data = try explicit.enter(DER.sequence, .contentInfo)
    version = try Self.number(data.next())
    digestAlgorithms = try Self.members(of: data.next(), DER.set, .digestAlgorithms)

    var contents = try data.enter(DER.sequence, .contents)
    contentType = try Self.value(of: contents.next(), DER.objectIdentifier, .contents)
    if try contents.isAtEnd() {
      content = nil
    } else {
      var explicit = try contents.enter(0xA0, .contents)
      content = try explicit.octets()
      try contents.leave(explicit)
    }
    try data.leave(contents)

    certificateSet =
      try data.peek().tag == 0xA0 ? Self.members(of: data.next(), 0xA0, .certificates) : []
    certificates = certificateSet.compactMap { der in
      do throws(Certificate.Malformation) { return try Certificate(der: der) } catch { return nil }
    }
    revocation =
      try data.peek().tag == 0xA1 ? Self.members(of: data.next(), 0xA1, .revocation) : []
    signers = try Self.members(of: data.next(), DER.set, .signer).map {
      (encoded) throws(CMSError) in try SignerInfo(encoded)
    }
    try explicit.leave(data)
    try info.leave(explicit)
    try file.leave(info)
    try Self.checkEnd(of: source, at: file.position, mayBePadded)
    guard version == Self.version(contentType, certificateSet, revocation, signers) else {
      throw .malformed(.version)
    }
  }

  /// The version that these parts must have (RFC 5652 §5.1).
  static func version(
    _ contentType: [UInt8], _ certificateSet: [[UInt8]], _ revocation: [[UInt8]],
    _ signers: [SignerInfo]
  ) -> Int {
    let tags = certificateSet.map { $0.first }
    if tags.contains(0xA3) || revocation.contains(where: { $0.first == 0xA1 }) { return 5 }
    if tags.contains(0xA2) { return 4 }
    let isPlain = contentType == CMSObject.data && !tags.contains(0xA1)
    return isPlain && signers.allSatisfy { $0.version == 1 } ? 1 : 3
  }

  private static func checkEnd(
    of source: ByteSource, at end: Int, _ mayBePadded: Bool
  ) throws(CMSError) {
    let rest = source.count - end
    guard rest > 0 else { return }
    var isPadding = mayBePadded
    if isPadding {
      try source.forEachBlock(of: [end..<source.count]) { (block) throws(CMSError) in
        isPadding = isPadding && block.allSatisfy { $0 == 0 }
      }
    }
    guard isPadding else { throw .trailingBytes(count: rest) }
  }

  private static func value(
    of encoded: [UInt8], _ tag: UInt32, _ part: CMSError.Part
  ) throws(CMSError) -> [UInt8] {
    try CMSError.parsing(part) { () throws(TLVError) in
      var cursor = TLVCursor(encoded)
      return try cursor.next(tag).bytes
    }
  }

  private static func number(_ encoded: [UInt8]) throws(CMSError) -> Int {
    try CMSError.parsing(.version) { () throws(TLVError) in
      var cursor = TLVCursor(encoded)
      return try cursor.nextNumber()
    }
  }

  private static func members(
    of encoded: [UInt8], _ tag: UInt32, _ part: CMSError.Part
  ) throws(CMSError) -> [[UInt8]] {
    try CMSError.parsing(part) { () throws(TLVError) in
      var cursor = TLVCursor(encoded)
      return try cursor.next(tag).contents.all().map { [UInt8]($0.encoded) }
    }
  }
}
