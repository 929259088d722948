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
  /// rejection and the other statuses without a token, with the authority's words and the names of its reasons.
  case refused(status: Int, words: [String], reasons: [String])

  init(_ encoded: [UInt8]) throws(TLVError) {
    var outer = TLVCursor(encoded)
    var response = try outer.next(DER.sequence).contents
    try outer.finish()
    var information = try response.next(DER.sequence).contents
    let status = try information.nextNumber()
    guard status <= 1 else {
      let rest = try information.all()
      let words = try rest.first { $0.tag == DER.sequence }?.contents.all() ?? []
      self = .refused(
        status: status, words: words.prefix(Self.mostWords).map { Self.text($0.value) },
        reasons: rest.first { $0.tag == DER.bitString }.map { Self.reasons($0.value) } ?? [])
      return
    }
    self = .granted([UInt8](try response.next(DER.sequence).encoded))
    try response.finish()
  }

  private static let mostWords = 8
  private static let longestWord = 500

  private static func text(_ value: some Collection<UInt8>) -> String {
    String(String(decoding: value, as: UTF8.self).prefix(longestWord))
  }

  /// The bits of PKIFailureInfo (RFC 3161 §2.4.2).
  private static let names = [
    0: "badAlg", 2: "badRequest", 5: "badDataFormat", 14: "timeNotAvailable",
    15: "unacceptedPolicy", 16: "unacceptedExtension", 17: "addInfoNotAvailable",
    25: "systemFailure",
  ]

  /// - Parameter value: BIT STRING, the number of unused bits in front.
  private static func reasons(_ value: some Collection<UInt8>) -> [String] {
    value.dropFirst().prefix(8).enumerated().flatMap { index, byte in
      (0..<8).filter { byte & (0x80 >> $0) != 0 }.map { bit in
        let number = 8 * index + bit
        return names[number] ?? "failInfo \(number)"
      }
    }
  }
}
