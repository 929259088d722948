// Deliberately written apart from CIECard: the card's READ BINARY.

extension CardApplication {
  /// Most data bytes in one short response under secure messaging (IAS ECC §8.6.3.3).
  static let shortSecuredBlock = 0xE7

  /// READ BINARY, even instruction (ISO/IEC 7816-4 §11.3.3): the current file, or one by SFI in P1.
  mutating func readBinary(_ command: CardCommand, _ isSecured: Bool) throws(Refusal) -> Answer {
    guard command.data.isEmpty else { throw Refusal(.wrongLength) }
    var offset = Int(command.parameters)
    if command.p1 & 0x80 != 0 {
      guard command.p1 & 0x60 == 0 else { throw Refusal(.wrongParameters) }
      try makeCurrent(shortIdentifier: command.p1 & 0x1F)
      offset = Int(command.p2)
    }
    let rest = try readable(from: offset, isSecured)
    let wanted = command.expected ?? 256
    if profile.correctsReadLength, !isSecured, !command.isExtended, wanted > rest.count {
      throw Refusal(.correctLength(rest.count))
    }
    let block = rest.prefix(min(wanted, blockLimit(command, isSecured)))
    return Answer(
      data: [UInt8](block),
      status: rest.count < min(wanted, blockLimit(command, isSecured)) ? .endOfFile : .success)
  }

  /// READ BINARY, odd instruction: offset in DO54, data in DO53; Le counts the header of DO53 too.
  mutating func readBinaryByObject(
    _ command: CardCommand, _ isSecured: Bool
  ) throws(Refusal) -> Answer {
    guard command.p1 == 0, command.p2 < 0x1F else { throw Refusal(.wrongParameters) }
    guard let object = BERObject.single(0x54, command.data), (1...3).contains(object.value.count)
    else { throw Refusal(.wrongData) }
    if command.p2 != 0 { try makeCurrent(shortIdentifier: command.p2) }
    let rest = try readable(from: object.value.reduce(0) { $0 << 8 | Int($1) }, isSecured)
    let room = min(command.expected ?? 256, blockLimit(command, isSecured))
    let header = room <= 0x81 ? 2 : room <= 0x102 ? 3 : 4
    guard room >= header else { throw Refusal(.wrongLength) }
    return Answer(
      data: BERObject.encode(0x53, [UInt8](rest.prefix(room - header))),
      status: rest.count < room - header ? .endOfFile : .success)
  }

  private mutating func makeCurrent(shortIdentifier: UInt8) throws(Refusal) {
    guard let application = state.application, application != .travelDocument else {
      throw Refusal(.securityStatusNotSatisfied)
    }
    let file = files.files(of: application).first { $0.shortIdentifier == shortIdentifier }
    guard let file else { throw Refusal(.fileNotFound) }
    state.file = file
  }

  /// The current file from an offset on, when its access rule is satisfied.
  private func readable(from offset: Int, _ isSecured: Bool) throws(Refusal) -> ArraySlice<UInt8> {
    guard let file = state.file else { throw Refusal(.noCurrentFile) }
    switch file.access {
    case .free: break
    case .holder:
      guard isSecured, state.verified.contains(.pin) else {
        throw Refusal(.securityStatusNotSatisfied)
      }
    }
    guard offset < file.content.count else { throw Refusal(.offsetOutsideFile) }
    return file.content.dropFirst(offset)
  }

  /// Most data bytes that one response can carry.
  private func blockLimit(_ command: CardCommand, _ isSecured: Bool) -> Int {
    guard command.isExtended, let limit = profile.extendedLength?.response else {
      return isSecured ? Self.shortSecuredBlock : 256
    }
    guard isSecured else { return limit - 2 }
    // Around the data: DO87 header and indicator 5, DO99 4, DO8E 10, status word 2; then whole blocks
    // less one byte of padding.
    return (limit - 21) / 8 * 8 - 1
  }
}
