extension CardApplication {
  /// READ BINARY, even instruction (ISO/IEC 7816-4 §11.3.3): the current file, or one by SFI in P1.
  mutating func readBinary(_ command: CardCommand) throws(Refusal) -> Answer {
    guard command.data.isEmpty else { throw Refusal(.wrongLength) }
    var offset = Int(command.parameters)
    if command.p1 & 0x80 != 0 {
      guard command.p1 & 0x60 == 0 else { throw Refusal(.wrongParameters) }
      try makeCurrent(shortIdentifier: command.p1 & 0x1F)
      offset = Int(command.p2)
    }
    let rest = try readable(from: offset)
    let room = min(try granted(command.expected ?? 256), blockLimit(command))
    if options.has(.exactLength), !command.isExtended, room > rest.count {
      throw Refusal(.correctLength(rest.count))
    }
    return Answer(
      data: [UInt8](rest.prefix(room)), status: rest.count < room ? shortRest : .success)
  }

  /// READ BINARY, odd instruction: offset in DO54, data in DO53; Le counts the header of DO53 too.
  mutating func readBinaryByObject(_ command: CardCommand) throws(Refusal) -> Answer {
    guard command.p1 == 0, command.p2 < 0x1F else { throw Refusal(.wrongParameters) }
    guard let object = BERObject.single(0x54, command.data), (1...4).contains(object.value.count)
    else { throw Refusal(.wrongData) }
    if command.p2 != 0 { try makeCurrent(shortIdentifier: command.p2) }
    let rest = try readable(from: object.value.reduce(0) { $0 << 8 | Int($1) })
    let room = min(try granted(command.expected ?? 256), blockLimit(command))
    let header = room <= 0x81 ? 2 : room <= 0x102 ? 3 : 4
    guard room >= header else { throw Refusal(.wrongLength) }
    return Answer(
      data: BERObject.encode(0x53, [UInt8](rest.prefix(room - header))),
      status: rest.count < room - header ? shortRest : .success)
  }

  /// The status word if fewer bytes are returned than requested.
  private var shortRest: Status { options.endOfFile == nil ? .endOfFile : .success }

  /// The requested length, subject to the card's limit.
  private func granted(_ wanted: Int) throws(Refusal) -> Int {
    guard let limit = options.readLimit, wanted > limit.count else { return wanted }
    switch limit.style {
    case .shorter: return limit.count
    case .corrected: throw Refusal(.correctLength(min(limit.count, 256)))
    case .refused: throw Refusal(.wrongLength)
    }
  }

  /// Files that no known public program reads by short identifier.
  private static let withoutShortIdentifier: Set<UInt16> = [0x1002, 0x1003, 0xD004]

  private mutating func makeCurrent(shortIdentifier: UInt8) throws(Refusal) {
    guard let application = state.application else {
      throw Refusal(.securityStatusNotSatisfied)
    }
    try checkApplication(application)
    let file = visibleFiles(of: application).first { $0.shortIdentifier == shortIdentifier }
    guard let file,
      !(options.has(.noShortIdentifiers) && Self.withoutShortIdentifier.contains(file.identifier))
    else { throw Refusal(.fileNotFound) }
    if let refusal = misbehaviour.hiddenFiles[file.identifier] { throw refusal }
    state.file = file
  }

  /// The current file from an offset on, if its access rule is satisfied.
  private func readable(from offset: Int) throws(Refusal) -> ArraySlice<UInt8> {
    guard let file = state.file else { throw Refusal(.noCurrentFile) }
    switch file.access {
    case .free: break
    case .holder: try requireVerifiedPIN()
    case .document:
      guard isSecured, state.document != nil else { throw Refusal(.securityStatusNotSatisfied) }
    case .pace:
      guard isSecured, state.document?.access == .pace else {
        throw Refusal(.securityStatusNotSatisfied)
      }
    case .never: throw Refusal(.securityStatusNotSatisfied)
    }
    let content = content(of: file)
    guard offset < content.count else {
      throw Refusal(
        offset == content.count
          ? options.endOfFile.map(Status.init) ?? .offsetOutsideFile
          : .offsetOutsideFile)
    }
    return content.dropFirst(offset)
  }

  /// Most data bytes of READ BINARY in short form, in clear and under secure messaging (IAS ECC §8.6.3.3).
  private static let shortLimit = 0xE7

  /// Most data bytes that one response can carry.
  private func blockLimit(_ command: CardCommand) -> Int {
    let extended = command.isExtended ? extendedLength(of: command) : nil
    let capacity = (extended?.response ?? 258) - 2
    if isSecured { return (state.document?.suite ?? .tripleDES).room(in: capacity) }
    return extended != nil || options.has(.longReads) ? capacity : Self.shortLimit
  }
}

extension CardApplication {
  /// The elementary files of an application that are visible now.
  func visibleFiles(of application: Application) -> [CardFile] {
    application == .root && untilPowerOff.contains(.hiddenRoot) ? [] : files.files(of: application)
  }

  /// The content of a file, or the content that a fault puts in its place.
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

  private var otherPersona: Persona? { Persona.all.first { $0.identifier != owner } }
}
