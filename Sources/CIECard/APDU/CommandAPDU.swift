/// One command to the card, before it is put on the wire (ISO/IEC 7816-4 §5.1).
struct CommandAPDU: Equatable, Sendable {
  /// CLA: secure messaging and chaining bits are set by the channels, not here.
  let classByte: UInt8
  /// INS.
  let instruction: UInt8
  /// P1.
  let parameter1: UInt8
  /// P2.
  let parameter2: UInt8
  /// The data field, 0 to 65 535 bytes.
  let data: [UInt8]
  /// What the command expects back.
  let expected: ExpectedLength

  /// Ne, the response length that a command asks for.
  enum ExpectedLength: Equatable, Sendable {
    /// No response data, no Le field.
    case none
    /// At most this many bytes, 1 to 65 536.
    case upTo(Int)
    /// All there is, however long. In the short form the command then has *no* Le field, as in the public IAS
    /// hosts, and the card answers 256 bytes and 61xx; in the extended form it has the largest Le.
    case whole
  }

  init(
    _ instruction: UInt8, _ parameter1: UInt8, _ parameter2: UInt8, data: [UInt8] = [],
    expected: ExpectedLength = .none, classByte: UInt8 = 0
  ) {
    self.classByte = classByte
    self.instruction = instruction
    self.parameter1 = parameter1
    self.parameter2 = parameter2
    self.data = data
    self.expected = expected
  }

  /// The four header bytes.
  var header: [UInt8] { [classByte, instruction, parameter1, parameter2] }

  /// The same command with another expectation (after 6Cxx).
  func expecting(_ expected: ExpectedLength) -> CommandAPDU {
    CommandAPDU(
      instruction, parameter1, parameter2, data: data, expected: expected, classByte: classByte)
  }

  /// One link of a command chain: the same header with CLA bit 5 set on all but the last (ISO/IEC 7816-4 §5.1.1.1).
  func chainLink(data: [UInt8], isLast: Bool) -> CommandAPDU {
    CommandAPDU(
      instruction, parameter1, parameter2, data: data, expected: isLast ? expected : .none,
      classByte: isLast ? classByte : classByte | Self.chainingBit)
  }

  /// CLA bit 5: not the last command of a chain.
  static let chainingBit: UInt8 = 0x10
}
