extension CommandAPDU {
  /// The wire form of a command (ISO/IEC 7816-3 §12.1.3).
  enum Form: Equatable, Sendable {
    /// Lc and Le of one byte: at most 255 data bytes and 256 expected.
    case short
    /// Lc and Le of two bytes behind a zero byte, Le no larger than the limit (256 < n ≤ 65 536).
    case extended(maximumResponse: Int)
  }

  /// Most data bytes of a short command.
  static let maximumShortData = 255
  /// Most response bytes of a short command.
  static let maximumShortResponse = 256
  /// Most response bytes of an extended command.
  static let maximumExtendedResponse = 65_536

  /// Encodes all four cases: no data and no answer, answer, data, both.
  ///
  /// An extended command whose lengths all fit the short form, and which does not ask for the whole answer,
  /// is written short.
  ///
  /// - Returns: `nil` when the command does not fit the form.
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

  /// 65 536 is written 00 00.
  private static func twoBytes(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
  }
}
