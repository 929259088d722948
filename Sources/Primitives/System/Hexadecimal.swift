extension Array where Element == UInt8 {
  /// Decodes pairs of hexadecimal digits; blanks and line ends between pairs are skipped.
  ///
  /// - Returns: `nil` when a digit is missing or another character occurs.
  package init?(hexadecimal text: some StringProtocol) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 2)
    var high: UInt8?
    for character in text.utf8 {
      if character == UInt8(ascii: " ") || character == UInt8(ascii: "\n") {
        guard high == nil else { return nil }
        continue
      }
      guard let digit = UInt8(hexadecimalDigit: character) else { return nil }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    guard high == nil else { return nil }
    self = bytes
  }

  /// Two upper-case hexadecimal digits per byte, without separators.
  package var hexadecimal: String {
    let digits = [UInt8]("0123456789ABCDEF".utf8)
    return String(
      decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

extension UInt8 {
  /// The value of an ASCII hexadecimal digit, of either case.
  package init?(hexadecimalDigit character: UInt8) {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self = character - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self = character - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self = character - UInt8(ascii: "a") + 10
    default: return nil
    }
  }
}
