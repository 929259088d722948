// Deliberately written apart from CIECard: what the files hold, or seem to hold.

extension CardApplication {
  /// The elementary files of an application that can be found now.
  func visibleFiles(of application: Application) -> [CardFile] {
    application == .root && rootIsHidden ? [] : files.files(of: application)
  }

  /// What a file holds, or seems to hold.
  func content(of file: CardFile) -> [UInt8] {
    if misbehaviour.foreignSecurityObject, state.application == .identity,
      file.identifier == FileSystem.identitySecurityObject
    {
      return otherPersona?.securityObject ?? []
    }
    guard state.application == .travelDocument else { return file.content }
    if misbehaviour.tamperedGroup.map(UInt16.init) == file.identifier & 0xFF,
      (0x0101...0x0110).contains(file.identifier)
    {
      return file.content.dropLast() + file.content.suffix(1).map { $0 ^ 1 }
    }
    if misbehaviour.foreignSecurityObject, file.identifier == FileSystem.securityObject {
      return otherPersona?.travelDocument.securityObject ?? []
    }
    return file.content
  }

  /// Somebody else.
  private var otherPersona: Persona? { Persona.all.first { $0.identifier != owner } }
}
