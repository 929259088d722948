/// Base64 (RFC 4648 §4).
///
/// Implemented here because OpenSSL's would expose OpenSSL's headers to every target above this
/// one, and because its decoder accepts white space and end marks that no input here may contain.
package enum Base64 {
  private static let alphabet = [UInt8](
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  /// Encodes bytes on one line, with padding.
  package static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var digits: [UInt8] = []
    digits.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for position in 0..<4 {
        digits.append(
          position <= group.count ? alphabet[bits >> (18 - 6 * position) & 63] : padding)
      }
    }
    return digits
  }

  /// - Returns: `nil` for any other character, or a `=` before the end. Missing padding is
  ///   accepted.
  package static func decode(_ text: [UInt8]) -> [UInt8]? {
    let digits = text.prefix { $0 != padding }
    let end = text.dropFirst(digits.count)
    guard end.allSatisfy({ $0 == padding }), digits.count % 4 != 1,
      end.isEmpty || end.count <= 2 && text.count % 4 == 0
    else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4 * 3 + 2)
    var (bits, count) = (0, 0)
    for digit in digits {
      guard let value = value(of: digit) else { return nil }
      (bits, count) = (bits << 6 | value, count + 6)
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      bits &= 1 << count - 1
    }
    return bytes
  }

  private static func value(of digit: UInt8) -> Int? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(digit) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(digit) - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit) + 4
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}

/// Base64 for addresses and file names, without padding (RFC 4648 §5), as tokens have it (RFC 7515 appendix C).
package enum Base64URL {
  package static func encode(_ bytes: [UInt8]) -> String {
    let digits = Base64.encode(bytes).lazy.prefix { $0 != UInt8(ascii: "=") }
    return String(
      decoding: digits.map { digit in
        switch digit {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: digit
        }
      }, as: UTF8.self)
  }

  /// - Returns: `nil` for any other character, padding included, and for a text that `encode` would
  ///   not produce: each value has exactly one encoding.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var digits: [UInt8] = []
    digits.reserveCapacity(text.utf8.count)
    for character in text.utf8 {
      switch character {
      case UInt8(ascii: "-"): digits.append(UInt8(ascii: "+"))
      case UInt8(ascii: "_"): digits.append(UInt8(ascii: "/"))
      case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
      default: digits.append(character)
      }
    }
    guard let bytes = Base64.decode(digits), encode(bytes).utf8.elementsEqual(text.utf8) else {
      return nil
    }
    return bytes
  }
}
