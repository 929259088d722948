/// The files of the IAS side of a CIE ("CIE 3.0 – Specifiche Chip", annex A).
///
/// Short identifiers that no public source states for a file are left out: such a file is selected by its
/// two-byte identifier.
enum ElementaryFile: Sendable, CaseIterable {
  /// EF.SN: the serial number of the chip.
  case chipSerialNumber
  /// EF.DH: the signed copy of the Diffie–Hellman parameters.
  case parameters
  /// EF.ID_Servizi: the services number (NIS).
  case servicesNumber
  /// EF.Seriale: the number of the document; after the PIN.
  case documentNumber
  /// EF.Cert_CIE: the holder's certificate; after the PIN.
  case certificate
  /// EF.Int.Kpub: the public key 82 of device authentication.
  case deviceKey
  /// EF.Servizi_Int.Kpub: the public key 83 that answers challenges.
  case servicesKey
  /// EF.SOD: the signed hashes of the others.
  case securityObject

  /// The file identifier (ISO/IEC 7816-4 §7.3.1).
  var identifier: UInt16 {
    switch self {
    case .chipSerialNumber: 0xD003
    case .parameters: 0xD004
    case .servicesNumber: 0x1001
    case .documentNumber: 0x1002
    case .certificate: 0x1003
    case .deviceKey: 0x1004
    case .servicesKey: 0x1005
    case .securityObject: 0x1006
    }
  }

  /// The short identifier, five bits, where it is known or follows from its neighbours.
  var shortIdentifier: UInt8? {
    switch self {
    case .chipSerialNumber: nil
    case .parameters: 0x1B
    case .servicesNumber: 0x01
    case .documentNumber: 0x02
    case .certificate: 0x03
    case .deviceKey: 0x04
    case .servicesKey: 0x05
    case .securityObject: 0x06
    }
  }

  /// How far the content goes.
  var extent: Extent {
    switch self {
    case .chipSerialNumber, .servicesNumber: .fixed(12)
    case .documentNumber: .fixed(9)
    case .parameters, .certificate, .deviceKey, .servicesKey, .securityObject: .object
    }
  }

  /// Where the content of a file ends.
  enum Extent: Sendable {
    /// After so many bytes.
    case fixed(Int)
    /// Where the data object that begins the file ends; whatever follows is padding.
    case object
  }
}

extension CommandAPDU {
  /// SELECT an EF below the current application (ISO/IEC 7816-4 §11.2.2, P1 = 02). P2 = 04 as in all IAS hosts; the
  /// file control parameters that may come back are not looked at.
  static func select(_ file: ElementaryFile) -> CommandAPDU {
    let identifier = file.identifier
    return CommandAPDU(
      0xA4, 0x02, 0x04,
      data: [UInt8(identifier >> 8), UInt8(truncatingIfNeeded: identifier)])
  }

  /// READ BINARY from the current EF (ISO/IEC 7816-4 §11.3.3).
  ///
  /// - Parameter offset: 0 to 32 767.
  static func readBinary(offset: Int, length: Int) -> CommandAPDU {
    CommandAPDU(
      0xB0, UInt8(truncatingIfNeeded: offset >> 8) & 0x7F, UInt8(truncatingIfNeeded: offset),
      expected: .upTo(length))
  }

  /// READ BINARY from the beginning of an EF named by its short identifier, which becomes the current one.
  static func readBinary(shortIdentifier: UInt8, length: Int) -> CommandAPDU {
    CommandAPDU(0xB0, 0x80 | shortIdentifier, 0x00, expected: .upTo(length))
  }
}
