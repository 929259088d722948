/// A file of the card: its selection, the extent of its content, and the step that reads it.
///
/// The one catalogue of both sides: the IAS side ("CIE 3.0 – Specifiche Chip", annex A) and the
/// travel document (Doc 9303-10 §4.6, §4.7; Doc 9303-11 §9.2). The same identifiers occur on both;
/// the selected application decides which file is meant.
struct ElementaryFile: Sendable, Equatable {
  /// The file identifier (ISO/IEC 7816-4 §7.3.1).
  let identifier: UInt16
  /// The short identifier, five bits, if reading by it is tried first. A file that no known public
  /// program reads by its short identifier is selected by the two-byte one, even if the
  /// specification assigns a short one.
  let shortIdentifier: UInt8?
  /// False to read it by its short identifier alone.
  var isSelectable = true
  let extent: Extent
  let maximumLength: Int
  /// P2 of SELECT: 04 returns file control parameters, 0C nothing.
  let selectionControl: UInt8
  let step: CardError.Step

  /// Rule for the end of a file's content.
  enum Extent: Sendable, Equatable {
    /// A fixed number of bytes.
    case fixed(Int)
    /// The data object that begins the file; anything after it is padding.
    case object
  }

  /// Offsets of the IAS side have 15 bits; P2 = 04 as in all IAS hosts, whose response is ignored.
  private static func ias(
    _ identifier: UInt16, short: UInt8? = nil, _ extent: Extent, _ step: CardError.Step
  ) -> ElementaryFile {
    ElementaryFile(
      identifier: identifier, shortIdentifier: short, extent: extent, maximumLength: 0x7FFF,
      selectionControl: 0x04, step: step)
  }

  /// P2 = 0C as in Doc 9303-10 §3.11; portraits in documents are far below the limit.
  private static func travelDocument(
    _ identifier: UInt16, short: UInt8? = nil, _ step: CardError.Step
  ) -> ElementaryFile {
    ElementaryFile(
      identifier: identifier, shortIdentifier: short, extent: .object, maximumLength: 256 << 10,
      selectionControl: 0x0C, step: step)
  }

  // MARK: Below the root of the IAS side

  /// EF.SN: the serial number of the chip.
  static let chipSerialNumber = ias(0xD003, .fixed(12), .readChipSerialNumber)
  /// EF.DH: the signed copy of the Diffie–Hellman parameters.
  static let parameters = ias(0xD004, .object, .readParameterFile)

  /// True if the file lies below the root and not in the CIE application.
  var isBelowRoot: Bool { self == .chipSerialNumber || self == .parameters }

  // MARK: In the CIE application

  /// EF.ID_Servizi: the services number (NIS).
  static let servicesNumber = ias(0x1001, short: 0x01, .fixed(12), .readServicesNumber)
  /// EF.Seriale: the number of the document; after the PIN.
  static let documentNumber = ias(0x1002, .fixed(9), .readDocumentNumber)
  /// EF.Cert_CIE: the holder's certificate; after the PIN.
  static let certificate = ias(0x1003, .object, .readCertificate)
  /// EF.Int.Kpub: the public key 82 of device authentication.
  static let deviceKey = ias(0x1004, short: 0x04, .object, .readDeviceKey)
  /// EF.Servizi_Int.Kpub: the public key 83, which verifies challenge responses.
  static let servicesKey = ias(0x1005, short: 0x05, .object, .readServicesKey)
  /// EF.SOD: the signed hashes of the others.
  static let securityObject = ias(0x1006, short: 0x06, .object, .readSecurityObject)

  // MARK: In the master file

  /// EF.ATR/INFO: limits of command lengths (ISO/IEC 7816-4 §12.2.2). Its short identifier is that of the
  /// specification ("CIE 3.0 – Specifiche Chip", annex A), seen on a real card; the standard has 01.
  static let cardLimits = travelDocument(0x2F01, .readCardLimits)
  static let cardLimitsIdentifier: UInt8 = 0x1D
  /// EF.CardAccess: parameters for PACE. Free.
  static let cardAccess = travelDocument(0x011C, .readCardAccess)
  /// The same by its short identifier (Doc 9303-10 §3.11.3), which another application may have given to another file.
  static let currentCardAccess = {
    var file = travelDocument(0x011C, short: 0x1C, .readCardAccess)
    file.isSelectable = false
    return file
  }()
  /// EF.CardSecurity: the same, signed. After PACE. Selected, because its short identifier, 1D, is that of EF.ATR here.
  static let cardSecurity = travelDocument(0x011D, .readCardSecurity)

  // MARK: In the travel document application

  /// EF.COM: the list of data groups.
  static let commonData = travelDocument(0x011E, short: 0x1E, .readCommonData)
  /// EF.SOD of the travel document: the signed hashes of the data groups.
  static let documentSecurityObject = travelDocument(
    0x011D, short: 0x1D, .readDocumentSecurityObject)
  static func dataGroup(_ group: DataGroup) -> ElementaryFile {
    travelDocument(
      group.fileIdentifier, short: group.shortIdentifier, CardError.Step(reading: group))
  }
}

extension CommandAPDU {
  static func select(_ file: ElementaryFile) -> CommandAPDU {
    .select(file: file.identifier, control: file.selectionControl)
  }
}

extension CardError.Step {
  init(reading group: DataGroup) {
    switch group {
    case .dg1: self = .readMachineReadableZone
    case .dg2: self = .readPortrait
    case .dg11: self = .readPersonalDetails
    case .dg12: self = .readDocumentDetails
    case .dg14: self = .readSecurityOptions
    case .dg15: self = .readActiveAuthenticationKey
    case .dg3, .dg4, .dg5, .dg6, .dg7, .dg8, .dg9, .dg10, .dg13, .dg16: self = .readDataGroup
    }
  }
}
