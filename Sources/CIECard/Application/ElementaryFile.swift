/// The files of the IAS side of a CIE ("CIE 3.0 – Specifiche Chip", annex A).
///
/// A file that no public program was seen reading by its short identifier is selected by the two-byte one, whatever
/// the specification gives it.
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

  /// The short identifier, five bits, where reading by it is tried first.
  var shortIdentifier: UInt8? {
    switch self {
    case .chipSerialNumber, .parameters, .documentNumber, .certificate: nil
    case .servicesNumber: 0x01
    case .deviceKey: 0x04
    case .servicesKey: 0x05
    case .securityObject: 0x06
    }
  }

  /// How far the content goes.
  var extent: FileReference.Extent {
    switch self {
    case .chipSerialNumber, .servicesNumber: .fixed(12)
    case .documentNumber: .fixed(9)
    case .parameters, .certificate, .deviceKey, .servicesKey, .securityObject: .object
    }
  }
}
