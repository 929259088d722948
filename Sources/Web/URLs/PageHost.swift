internal import CIDN2
internal import Glibc
internal import Primitives

/// The authority of an address as browsers read it (URL Living Standard §3.5), in the same form as `URLHost`'s.
enum PageHost {
  static func origin(
    _ scheme: RedirectURL.Origin.Scheme, _ authority: ArraySlice<UInt8>
  ) throws(RedirectURL.Problem) -> RedirectURL.Origin {
    let (name, digits) = try URLHost.split(authority)
    var port = scheme.defaultPort
    if let digits, !digits.isEmpty {
      guard digits.allSatisfy(ASCII.isDigit) else { throw .invalidPort }
      guard let number = UInt16(String(decoding: digits, as: UTF8.self)) else {
        throw .invalidPort
      }
      port = number
    }
    return RedirectURL.Origin(scheme: scheme, host: try host(name), port: port)
  }

  private static func host(_ bytes: ArraySlice<UInt8>) throws(RedirectURL.Problem) -> String {
    guard let first = bytes.first else { throw .emptyHost }
    if first == UInt8(ascii: "[") { return try URLHost.parse(bytes) }
    let name = try asciiName(PercentEncoding.decodeLeniently(bytes))
    let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    // The root's empty label may end a name.
    let named = labels.last?.isEmpty == true ? labels.dropLast() : labels[...]
    if let last = named.last, isNumber(last) { return try addressOfFour(Array(named)) }
    guard name.utf8.count <= 254, !named.isEmpty, named.allSatisfy({ isLabel($0) }) else {
      throw .invalidHost
    }
    return name
  }

  /// A name as DNS knows it: lower case, letters outside of ASCII by UTS #46.
  private static func asciiName(_ bytes: [UInt8]) throws(RedirectURL.Problem) -> String {
    let isPlain = bytes.allSatisfy { $0 < 0x80 } && !ASCII.lowercased(bytes).includes("xn--")
    if isPlain { return ASCII.lowercased(bytes) }
    guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      throw .invalidHost
    }
    var name: UnsafeMutablePointer<CChar>?
    let flags = CInt(IDN2_NONTRANSITIONAL.rawValue | IDN2_NFC_INPUT.rawValue)
    guard idn2_to_ascii_8z(text, &name, flags) == IDN2_OK.rawValue, let name else {
      throw .invalidHost
    }
    defer { idn2_free(name) }
    return ASCII.lowercased(String(cString: name).utf8)
  }

  /// The characters that DNS uses: letters, digits, hyphens, underscores. Browsers would accept some marks besides.
  private static func isLabel(_ label: Substring.UTF8View.SubSequence) -> Bool {
    (1...63).contains(label.count)
      && label.allSatisfy {
        ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
      }
  }
}

/// IPv4 addresses in all their spellings (§3.5, the IPv4 parser).
extension PageHost {
  /// Returns true for a label, in lower case, that some resolvers take for an address or a part of one.
  static func isNumber(_ label: Substring.UTF8View) -> Bool {
    !label.isEmpty && label.allSatisfy(ASCII.isDigit) || number(label) != nil
  }

  /// Decimal, octal after `0`, hexadecimal after `0x`; values of more than 32 bits become 2³².
  private static func number(_ label: Substring.UTF8View) -> UInt64? {
    var digits = label[...]
    var radix: UInt64 = 10
    if digits.starts(with: "0x".utf8) {
      (digits, radix) = (digits.dropFirst(2), 16)
    } else if digits.count > 1, digits.first == UInt8(ascii: "0") {
      (digits, radix) = (digits.dropFirst(), 8)
    } else if digits.isEmpty {
      return nil
    }
    var value: UInt64 = 0
    for digit in digits {
      guard let digit = UInt8(hexadecimalDigit: digit), digit < radix else { return nil }
      value = min(value * radix + UInt64(digit), 1 << 32)
    }
    return value
  }

  private static func addressOfFour(_ labels: [Substring.UTF8View]) throws(RedirectURL.Problem)
    -> String
  {
    let numbers = labels.compactMap(number)
    guard numbers.count == labels.count, numbers.count <= 4, let last = numbers.last,
      numbers.dropLast().allSatisfy({ $0 <= 255 }), last < 1 << (8 * (5 - numbers.count))
    else { throw .ambiguousNumericHost }
    var address = last
    for (index, number) in numbers.dropLast().enumerated() { address |= number << (24 - 8 * index) }
    return [24, 16, 8, 0].map { "\(address >> $0 & 255)" }.joined(separator: ".")
  }
}
