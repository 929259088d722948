// Deliberately written apart from CIECard: the card's files.

/// All files of a persona ("CIE 3.0 – Specifiche Chip", annex A).
struct FileSystem {
  private let root: [CardFile]
  private let identity: [CardFile]

  /// Zero-padded size of EF 1003, the certificate.
  private static let certificateFileLength = 1984
  /// SecurityInfos with one PACEInfo: id-PACE-DH-GM-3DES-CBC-CBC, version 2, parameters 2
  /// (ICAO Doc 9303-11 §9.2.1).
  private static let cardAccess = HexText.decode("31143012060A04007F0007020204010102010202 0102")

  init(_ persona: Persona, profile: CardProfile) {
    root = [
      CardFile(identifier: 0x2F01, shortIdentifier: 0x1D, content: profile.answerToResetFile),
      CardFile(identifier: 0x011C, shortIdentifier: 0x1C, content: Self.cardAccess),
      CardFile(
        identifier: 0xD003, shortIdentifier: nil, content: SerialNumber(nis: persona.nis).content),
      CardFile(
        identifier: 0xD004, shortIdentifier: 0x1B, content: DomainParameters.standard.fileContent),
    ]
    identity = [
      CardFile(identifier: 0x1001, shortIdentifier: 1, content: [UInt8](persona.nis.utf8)),
      CardFile(
        identifier: 0x1002, shortIdentifier: 2, content: [UInt8](persona.documentNumber.utf8),
        access: .holder),
      CardFile(
        identifier: 0x1003, shortIdentifier: 3,
        content: Self.padded(persona.certificate, to: Self.certificateFileLength), access: .holder),
      CardFile(
        identifier: 0x1004, shortIdentifier: 4,
        content: Self.padded(persona.deviceKey.publicKeyDER, to: profile.publicKeyFileLength)),
      CardFile(
        identifier: 0x1005, shortIdentifier: 5,
        content: Self.padded(persona.servicesKey.publicKeyDER, to: profile.publicKeyFileLength)),
      CardFile(identifier: 0x1006, shortIdentifier: 6, content: persona.securityObject),
    ]
  }

  /// The elementary files under an application.
  func files(of application: Application) -> [CardFile] {
    switch application {
    case .root: root
    case .identity: identity
    case .travelDocument: []
    }
  }

  private static func padded(_ content: [UInt8], to length: Int) -> [UInt8] {
    content + [UInt8](repeating: 0, count: max(0, length - content.count))
  }
}
