internal import CIECard
internal import Primitives

/// A time stamp token (RFC 3161 §2.4.2), taken apart: a SignedData about a TSTInfo.
struct TimeStampToken {
  let data: SignedData
  /// The hash function of the stamped bytes; nil for an unknown one.
  let algorithm: HashAlgorithm?
  /// The hash of the stamped bytes.
  let imprint: [UInt8]
  /// genTime, to the second.
  let time: UTCTime
  /// The content octets of the nonce; nil without one.
  let nonce: [UInt8]?
  /// The TSTInfo, which the authority signed.
  let content: ByteSource

  init(_ encoded: [UInt8]) throws(DocumentError) {
    let source = ByteSource(encoded)
    data = try SignedData(source)
    guard data.contentType == CMSObject.timeStampInfo, data.signers.count == 1,
      let ranges = data.content
    else { throw .malformed(.contents) }
    let bytes = try source.bytes(of: ranges)
    content = ByteSource(bytes)
    do throws(TLVError) {
      var outer = TLVCursor(bytes)
      var info = try outer.next(DER.sequence).contents
      try outer.finish()
      guard try info.nextNumber() == 1 else { throw .invalidValue(tag: DER.integer) }
      _ = try info.next(DER.objectIdentifier)
      var message = try info.next(DER.sequence).contents
      algorithm = CMSObject.hash([UInt8](try message.next(DER.sequence).encoded))
      imprint = try message.next(DER.octetString).bytes
      try message.finish()
      _ = try info.next(DER.integer)
      time = try EncodedTime.parse(Self.withoutFraction(info.next(DER.generalizedTime)))
      var nonce: [UInt8]?
      // accuracy, ordering, nonce, tsa and extensions, each at most once, in this order.
      while !info.isAtEnd {
        let field = try info.next()
        if field.tag == DER.integer { nonce = field.bytes }
      }
      self.nonce = nonce
    } catch { throw .malformed(.contents) }
  }

  func adding(_ type: [UInt8], _ value: [UInt8]) throws(DocumentError) -> [UInt8] {
    var data = data
    data.signers[0] = try data.signers[0].adding(type, value)
    let frame = data.frame(contentLength: content.count)
    return frame.head + (try content.bytes(0..<content.count)) + frame.tail
  }

  /// A time may have a fraction of a second (RFC 3161 §2.4.2).
  private static func withoutFraction(_ time: TLV) throws(TLVError) -> TLV {
    guard let point = time.value.firstIndex(of: UInt8(ascii: ".")) else { return time }
    let encoded = TLV.encode(DER.generalizedTime, [UInt8](time.value[..<point]) + [0x5A])
    var cursor = TLVCursor(encoded)
    return try cursor.next()
  }
}
