/// All files of a persona ("CIE 3.0 – Specifiche Chip", annex A).
struct FileSystem {
  private let root: [CardFile]
  private let identity: [CardFile]
  private let travelDocument: [CardFile]

  /// Zero-padded size of EF 1003, the certificate.
  private static let certificateFileLength = 1984
  /// EF.SOD of the travel document; EF.CardSecurity has the same number in the MF.
  static let securityObject: UInt16 = 0x011D
  /// EF.SOD of the IAS side.
  static let identitySecurityObject: UInt16 = 0x1006
  /// SecurityInfos with one PACEInfo: id-PACE-DH-GM-3DES-CBC-CBC, version 2, parameters 2
  /// (ICAO Doc 9303-11 §9.2.1).
  private static let cardAccess = HexText.decode("31143012060A04007F0007020204010102010202 0102")

  /// - Parameter document: the other side of the card; without it, only EF.CardAccess is there.
  init(
    _ persona: Persona, _ document: TravelDocumentData?, profile: CardProfile,
    options: CardOptions
  ) {
    let cardAccess =
      document.map { StoredDocument.cardAccess($0, options) }
      ?? (options.omitsCardAccess ? [] : Self.cardAccess)
    root = [
      CardFile(
        identifier: 0x2F00, shortIdentifier: 0x1E,
        content: profile.hasDirectory ? Application.directory : []),
      CardFile(identifier: 0x2F01, shortIdentifier: 0x1D, content: profile.answerToResetFile),
      CardFile(identifier: 0x011C, shortIdentifier: 0x1C, content: cardAccess),
      // Its short identifier on other cards, 1D, is that of EF.ATR here.
      CardFile(
        identifier: Self.securityObject, shortIdentifier: nil,
        content: options.has(.noCardSecurity) ? [] : document?.cardSecurity ?? [], access: .pace),
      CardFile(
        identifier: 0xD003, shortIdentifier: nil, content: SerialNumber(nis: persona.nis).content),
      CardFile(
        identifier: 0xD004, shortIdentifier: 0x1B,
        content: DomainParameters.standard.fileContent(persona.groupForm)),
    ].filter { !$0.content.isEmpty }
    identity = [
      CardFile(identifier: 0x1001, shortIdentifier: 1, content: [UInt8](persona.nis.utf8)),
      CardFile(
        identifier: 0x1002, shortIdentifier: 2, content: [UInt8](persona.documentNumber.utf8),
        access: .holder),
      CardFile(
        identifier: 0x1003, shortIdentifier: 3,
        content: Self.padded(
          options.sized(0x1003, persona.certificate), to: Self.certificateFileLength),
        access: .holder),
      CardFile(
        identifier: 0x1004, shortIdentifier: 4,
        content: Self.padded(persona.deviceKey.publicKeyDER, to: profile.publicKeyFileLength)),
      CardFile(
        identifier: 0x1005, shortIdentifier: 5,
        content: Self.padded(persona.servicesKey.publicKeyDER, to: profile.publicKeyFileLength)),
      CardFile(
        identifier: Self.identitySecurityObject, shortIdentifier: 6,
        content: Self.padded(
          options.sized(Self.identitySecurityObject, persona.securityObject),
          to: profile.securityObjectFileLength)),
      CardFile(
        identifier: 0x1007, shortIdentifier: 7,
        content: profile.madeHolderKey ? persona.holderKey.publicKeyDER : [], access: .holder),
    ].filter { !$0.content.isEmpty }
    travelDocument = document.map { Self.files($0, options) } ?? []
  }

  /// The files of the LDS1 application (Doc 9303-10 §4.6): EF.COM, EF.SOD and the data groups.
  private static func files(_ document: TravelDocumentData, _ options: CardOptions) -> [CardFile] {
    let groups = (UInt8(1)...16).compactMap { number -> CardFile? in
      // Fingerprints and irises: present, but never readable.
      let isBiometric = number == 3 || document.dataGroups[number] != nil && number == 4
      guard let content = document.dataGroups[number] ?? (isBiometric ? [] : nil) else {
        return nil
      }
      let identifier = 0x0100 | UInt16(number)
      return CardFile(
        identifier: identifier, shortIdentifier: number,
        content: options.sized(identifier, content),
        access: isBiometric ? .never : .document)
    }
    let others = [
      CardFile(
        identifier: 0x011E, shortIdentifier: 0x1E, content: document.common, access: .document),
      CardFile(
        identifier: securityObject, shortIdentifier: 0x1D,
        content: options.sized(securityObject, document.securityObject), access: .document),
    ]
    return (groups + others).filter { !$0.content.isEmpty || $0.access == .never }
  }

  func files(of application: Application) -> [CardFile] {
    switch application {
    case .root: root
    case .identity: identity
    case .travelDocument: travelDocument
    }
  }

  private static func padded(_ content: [UInt8], to length: Int) -> [UInt8] {
    content + [UInt8](repeating: 0, count: max(0, length - content.count))
  }
}
