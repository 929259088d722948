internal import Primitives

/// The commands that a terminal may send in extended form, each of which a card may refuse
/// individually.
public enum ExtendedCommand: String, Sendable, CaseIterable {
  /// GENERAL AUTHENTICATE of PACE.
  case pace
  /// MSE SET or GENERAL AUTHENTICATE of chip authentication.
  case chipAuthentication = "chip-authentication"
  case read
  /// READ BINARY under secure messaging, while the one in clear is taken.
  case securedRead = "secured-read"
  case getData = "get-data"
  /// MSE SET with the terminal's public value.
  case keyAgreement = "key-agreement"
  /// PSO VERIFY CERTIFICATE.
  case certificate
  case externalAuthenticate = "external-authenticate"
  case internalAuthenticate = "internal-authenticate"
}

/// Forms of the extended lengths in EF.ATR/INFO, tag 7F66, which the card takes in any case (BSI TR-03105-5.1, LDS_K).
public enum AnnouncedLengths: String, Sendable, CaseIterable {
  /// Command and response, two bytes each.
  case twoBytes = "two-bytes"
  /// Command and response, three bytes each.
  case threeBytes = "three-bytes"
  /// That of commands alone.
  case oneLength = "one-length"
  /// With tag 7F65.
  case otherTag = "other-tag"

  /// The object in the survey of a card, which has of unknown tags the length only.
  package var surveyWord: String {
    self == .otherTag ? "7f65:8-bytes" : object.hexadecimal
  }

  /// The data object for 1238 and 2019 bytes.
  var object: [UInt8] {
    switch self {
    case .twoBytes: HexText.decode("7F6608 020204D6 020207E3")
    case .threeBytes: HexText.decode("7F660A 02030004D6 02030007E3")
    case .oneLength: HexText.decode("7F6604 020204D6")
    case .otherTag: HexText.decode("7F6508 020204D6 020207E3")
    }
  }
}

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
