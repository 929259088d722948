/// The dedicated files of the card, which SELECT can make current.
enum Application {
  /// The MF, which is the IAS ECC root application.
  case root
  /// The CIE application (ADF).
  case identity
  /// The eMRTD application; its files need PACE or basic access control.
  case travelDocument

  /// AID of the IAS ECC root application, 13 bytes.
  static let rootAID: [UInt8] = [
    0xA0, 0x00, 0x00, 0x00, 0x30, 0x80, 0x00, 0x00, 0x00, 0x09, 0x81, 0x60, 0x01,
  ]
  /// AID of the CIE application, 6 bytes.
  static let identityAID: [UInt8] = [0xA0, 0x00, 0x00, 0x00, 0x00, 0x39]
  /// AID of the eMRTD application (ICAO Doc 9303-10 §3.2), 7 bytes.
  static let travelDocumentAID: [UInt8] = [0xA0, 0x00, 0x00, 0x02, 0x47, 0x10, 0x01]

  /// The application with this AID; some cards do not know the root by it.
  init?(aid: [UInt8], knowsRootAID: Bool) {
    switch aid {
    case Self.rootAID where knowsRootAID: self = .root
    case Self.identityAID: self = .identity
    case Self.travelDocumentAID: self = .travelDocument
    default: return nil
    }
  }

  var aid: [UInt8] {
    switch self {
    case .root: Self.rootAID
    case .identity: Self.identityAID
    case .travelDocument: Self.travelDocumentAID
    }
  }

  /// EF.DIR: one template for each application, 61 with its AID under 4F (IAS ECC §10.4.1.3).
  static var directory: [UInt8] {
    [Application.root, .identity, .travelDocument].flatMap {
      BERObject.encode(0x61, BERObject.encode(0x4F, $0.aid))
    }
  }

  /// File control parameters of the application (IAS ECC §3.3.4): an ADF has neither 83 nor 8A.
  func controlParameters(tag: UInt32) -> [UInt8] {
    BERObject.encode(
      tag, BERObject.encode(0x82, [0x38]), BERObject.encode(0x84, aid),
      BERObject.encode(0xA1, BERObject.encode(0x9C, [0x00])))
  }
}

/// An elementary file with its access rule.
struct CardFile {
  let identifier: UInt16
  /// Short file identifier, 1 to 30; nil if it has none.
  let shortIdentifier: UInt8?
  /// The whole content, zero padding included.
  let content: [UInt8]
  var access: Access = .free

  /// Access rules of READ BINARY.
  enum Access {
    /// Always, plain or under secure messaging.
    case free
    /// After the PIN, under secure messaging.
    case holder
    /// In a channel of PACE or basic access control.
    case document
    /// In a channel of PACE.
    case pace
    /// Never: terminal authentication is required, which this card does not support.
    case never
  }

  /// File control parameters (IAS ECC §3.3.4): size, kind, identifier, short identifier, state,
  /// contactless access.
  func controlParameters(tag: UInt32) -> [UInt8] {
    let size = UInt16(clamping: content.count)
    return BERObject.encode(
      tag,
      BERObject.encode(0x80, [UInt8(size >> 8), UInt8(truncatingIfNeeded: size)]),
      BERObject.encode(0x82, [0x01]),
      BERObject.encode(0x83, [UInt8(identifier >> 8), UInt8(truncatingIfNeeded: identifier)]),
      BERObject.encode(0x88, shortIdentifier.map { [$0 << 3] } ?? []),
      BERObject.encode(0x8A, [0x05]),
      BERObject.encode(0xA1, BERObject.encode(0x9C, [0x01, access.condition])))
  }
}

extension CardFile.Access {
  /// The security condition byte of READ: no condition, or the environment that must be satisfied
  /// (IAS ECC §4.2).
  fileprivate var condition: UInt8 {
    switch self {
    case .free: 0x00
    case .holder: 0xD2
    case .document, .pace: 0xE1
    case .never: 0xFF
    }
  }
}

/// EF.SN (D003): 5A 0A ‖ 93 80 00 ‖ NIS in BCD ‖ check digit ‖ F, twelve bytes.
struct SerialNumber {
  let content: [UInt8]

  /// The card number for a NIS of twelve digits.
  init(nis: String) {
    let digits = [9, 3, 8, 0, 0, 0] + nis.utf8.map { $0 & 0x0F }
    let nibbles = digits + [Self.checkDigit(digits), 0x0F]
    content =
      [0x5A, 0x0A]
      + zip(
        nibbles.enumerated().filter { $0.offset % 2 == 0 }.map(\.element),
        nibbles.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
      ).map { $0 << 4 | $1 }
  }

  /// SN.ICC of device authentication: the eight low-order bytes (IAS ECC §7.2).
  var deviceNumber: [UInt8] { [UInt8](content.suffix(8)) }

  /// ISO/IEC 7812-1 annex B: the digit that makes the Luhn sum a multiple of ten.
  private static func checkDigit(_ digits: [UInt8]) -> UInt8 {
    let sum = digits.reversed().enumerated().reduce(0) { sum, digit in
      let value = Int(digit.element) * (digit.offset % 2 == 0 ? 2 : 1)
      return sum + (value > 9 ? value - 9 : value)
    }
    return UInt8((10 - sum % 10) % 10)
  }
}
