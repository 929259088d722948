extension CardProtocol {
  /// The form in which a command goes to the reader.
  ///
  /// T=1 and contactless cards take a C-APDU as it is. Under T=0 a command cannot carry data both ways: Le of
  /// case 4 is dropped, and the card says `61xx` (ISO/IEC 7816-3 §12.2.5). Extended length would need ENVELOPE
  /// (§12.2.7), which a CIE has no use for.
  ///
  /// - Throws: `lengthNotCarried` for an extended command under T=0.
  func wireForm(of command: [UInt8]) throws(ChannelError) -> [UInt8] {
    guard self == .t0, command.count > 5 else { return command }
    guard !command.isExtended else { throw .lengthNotCarried(length: command.count) }
    let withoutLe = 5 + Int(command[4])
    return command.count == withoutLe + 1 ? Array(command.prefix(withoutLe)) : command
  }
}

extension [UInt8] {
  /// Whether this C-APDU is in the extended form: a fifth byte 00 with more behind it (ISO/IEC 7816-4 §5.1).
  var isExtended: Bool { count >= 7 && self[4] == 0 }
}
