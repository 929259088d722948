/// The character classes of RFC 3986 §2 and RFC 5234 appendix B.1, on bytes.
package enum ASCII {
  package static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  package static func isAlphanumeric(_ byte: UInt8) -> Bool { isDigit(byte) || isLetter(byte) }

  /// Tab, line feed, carriage return or space.
  static func isSpace(_ byte: UInt8) -> Bool { [0x09, 0x0A, 0x0D, 0x20].contains(byte) }

  static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

  /// `unreserved` of RFC 3986 §2.3.
  package static func isUnreserved(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || "-._~".utf8.contains(byte)
  }

  /// `pchar` of RFC 3986 §3.3 without percent-encoding: unreserved, sub-delims, `:` and `@`.
  static func isPathCharacter(_ byte: UInt8) -> Bool {
    isUnreserved(byte) || "!$&'()*+,;=:@".utf8.contains(byte)
  }

  /// `scheme` of RFC 3986 §3.1.
  package static func isScheme(_ bytes: some Collection<UInt8>) -> Bool {
    guard let first = bytes.first, isLetter(first) else { return false }
    return bytes.allSatisfy { isAlphanumeric($0) || "+-.".utf8.contains($0) }
  }

  /// Upper-case ASCII letters as lower-case ones; all other characters unchanged.
  package static func lowercased(_ bytes: some Sequence<UInt8>) -> String {
    let lower = bytes.map { byte in
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
    return String(decoding: lower, as: UTF8.self)
  }
}
