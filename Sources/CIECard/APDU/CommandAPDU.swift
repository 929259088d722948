/// One command to the card, before it is put on the wire (ISO/IEC 7816-4 §5.1).
struct CommandAPDU: Equatable, Sendable {
  /// CLA: secure messaging and chaining bits are set by the channels, not here.
  let classByte: UInt8
  let instruction: UInt8
  let parameter1: UInt8
  let parameter2: UInt8
  /// The data field, 0 to 65 535 bytes.
  let data: [UInt8]
  let expected: ExpectedLength

  /// Ne, the response length that a command asks for.
  enum ExpectedLength: Equatable, Sendable {
    /// No response data, no Le field.
    case none
    /// At most this many bytes, 1 to 65 536.
    case upTo(Int)
    /// All data, however long. In the short form the command then has *no* Le field, as in the
    /// public IAS hosts, and the card answers 256 bytes and 61xx; in the extended form it has the
    /// largest Le.
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

  var header: [UInt8] { [classByte, instruction, parameter1, parameter2] }

  /// The same command with another expected length (after 6Cxx).
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

extension CommandAPDU {
  /// The wire form of a command (ISO/IEC 7816-3 §12.1.3).
  enum Form: Equatable, Sendable {
    /// Lc and Le of one byte: at most 255 data bytes and 256 expected.
    case short
    /// Lc and Le of two bytes behind a zero byte, Le no larger than the limit (256 < n ≤ 65 536).
    case extended(maximumResponse: Int)
  }

  static let maximumShortData = 255
  static let maximumShortResponse = 256
  static let maximumExtendedResponse = 65_536

  /// Encodes all four cases: neither data nor response, response, data, both.
  ///
  /// An extended command whose lengths all fit the short form, and which does not ask for the whole answer,
  /// is written short.
  ///
  /// - Returns: `nil` if the command does not fit the form.
  func encoded(_ form: Form) -> [UInt8]? {
    switch form {
    case .short:
      return encodedShort()
    case .extended(let maximumResponse):
      if expected != .whole, let short = encodedShort() { return short }
      return encodedExtended(maximumResponse: maximumResponse)
    }
  }

  private func encodedShort() -> [UInt8]? {
    guard data.count <= Self.maximumShortData else { return nil }
    var bytes = header
    if !data.isEmpty { bytes += [UInt8(data.count)] + data }
    switch expected {
    case .none, .whole: break
    case .upTo(let length):
      guard (1...Self.maximumShortResponse).contains(length) else { return nil }
      bytes.append(UInt8(length & 0xFF))
    }
    return bytes
  }

  private func encodedExtended(maximumResponse: Int) -> [UInt8]? {
    guard data.count <= 0xFFFF else { return nil }
    var bytes = header + [0]
    if !data.isEmpty { bytes += Self.twoBytes(data.count) + data }
    switch expected {
    case .none:
      if data.isEmpty { return nil }
    case .upTo(let length):
      guard (1...Self.maximumExtendedResponse).contains(length) else { return nil }
      bytes += Self.twoBytes(min(length, maximumResponse))
    case .whole:
      bytes += Self.twoBytes(maximumResponse)
    }
    return bytes
  }

  /// Encodes a number in two bytes; 65 536 becomes 00 00.
  private static func twoBytes(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
  }
}
