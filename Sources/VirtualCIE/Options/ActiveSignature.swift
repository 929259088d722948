/// Signatures of active authentication by an RSA key (ISO/IEC 9796-2 §8.1.2), or by another one.
public enum ActiveSignature: String, Sendable, CaseIterable {
  /// SHA-1, with the trailer of one byte.
  case shortTrailer = "short-trailer"
  case sha1
  case sha224
  case sha384
  case sha512
  /// The trailer names no hash function; the hash is that of SHA-256.
  case unknownTrailer = "unknown-trailer"
  /// ECDSA as `SEQUENCE { r, s }` instead of r ‖ s.
  case der

  /// The trailer; `nil` for ECDSA.
  var trailer: [UInt8]? {
    switch self {
    case .shortTrailer: [0xBC]
    case .sha1: [0x33, 0xCC]
    case .sha224: [0x38, 0xCC]
    case .sha384: [0x36, 0xCC]
    case .sha512: [0x35, 0xCC]
    case .unknownTrailer: [0x3F, 0xCC]
    case .der: nil
    }
  }
}
