internal import CIECard
internal import Primitives

/// A request for a time stamp (RFC 3161 §2.4.1).
struct TimeStampRequest {
  /// SHA-256 of the bytes to be stamped.
  let imprint: [UInt8]
  /// The content octets of the nonce.
  private(set) var nonce: [UInt8]

  init(of imprint: [UInt8]) throws(DocumentError) {
    self.imprint = imprint
    var random = SystemRandom()
    nonce = try mapError(try random.bytes(8), DocumentError.crypto)
    // A positive INTEGER of eight bytes, whatever the first bits.
    nonce[0] = 0x40 | nonce[0] & 0x3F
  }

  /// TimeStampReq with the hash, a nonce, and the wish for the certificates.
  var encoded: [UInt8] {
    let message = TLV.encode(
      DER.sequence, [CMSObject.sha256, TLV.encode(DER.octetString, imprint)])
    return TLV.encode(
      DER.sequence,
      [
        TLV.encode(DER.integer, [1]), message, TLV.encode(DER.integer, nonce),
        TLV.encode(DER.boolean, [0xFF]),
      ])
  }
}

/// An answer of an authority: TimeStampResp (RFC 3161 §2.4.2).
enum TimeStampResponse {
  /// granted or grantedWithMods, with the token.
  case granted([UInt8])
  /// rejection and the other statuses without a token.
  case refused(status: Int)

  init(_ encoded: [UInt8]) throws(TLVError) {
    var outer = TLVCursor(encoded)
    var response = try outer.next(DER.sequence).contents
    try outer.finish()
    var information = try response.next(DER.sequence).contents
    let status = try information.nextNumber()
    guard status <= 1 else {
      self = .refused(status: status)
      return
    }
    self = .granted([UInt8](try response.next(DER.sequence).encoded))
    try response.finish()
  }
}
