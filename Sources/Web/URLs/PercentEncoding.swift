internal import Primitives

/// Percent-encoding (RFC 3986 §2.1): decoded exactly once, encoded exactly once.
package enum PercentEncoding {
  /// Everything but unreserved characters as `%` and two upper-case digits: a space is `%20`, a plus `%2B`.
  package static func encode(_ text: String) -> String {
    encode(text.utf8, keeping: ASCII.isUnreserved)
  }

  /// The encoding of HTML forms (URL Living Standard §5.2): `*-._` stay besides letters and digits, a space becomes
  /// `+`.
  static func encodeForm(_ text: String) -> String {
    let parts = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    return parts.map { part in
      encode(part) { byte in
        ASCII.isUnreserved(byte) && byte != UInt8(ascii: "~") || byte == UInt8(ascii: "*")
      }
    }.joined(separator: "+")
  }

  /// Encodes every byte but the kept ones as `%` and two upper-case digits.
  ///
  /// - Parameter isKept: never true outside of ASCII.
  package static func encode(_ bytes: some Sequence<UInt8>, keeping isKept: (UInt8) -> Bool)
    -> String
  {
    var text: [UInt8] = []
    for byte in bytes {
      if isKept(byte) { text.append(byte) } else { text += escape(byte) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The text that a browser makes of a script's query (URL Living Standard, query percent-encode set): escapes stay,
  /// characters forbidden in a URL are escaped. A browser would end the query at a `#`, and leave a `%` that begins no
  /// escape; both are escaped here.
  package static func encodeIllegal(_ text: String) -> String {
    let bytes = Array(text.utf8)
    return bytes.indices.map { index in
      let byte = bytes[index]
      let isLegal =
        byte == UInt8(ascii: "%")
        ? bytes[index...].dropFirst().prefix(2).compactMap(UInt8.init(hexadecimalDigit:)).count == 2
        : ASCII.isPathCharacter(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?")
      return isLegal ? String(UnicodeScalar(byte)) : String(decoding: escape(byte), as: UTF8.self)
    }.joined()
  }

  /// `%` and two upper-case digits.
  static func escape(_ byte: UInt8) -> [UInt8] {
    [UInt8](("%" + [byte].hexadecimal).utf8)
  }

  /// The bytes that a text stands for, as browsers decode it: a `%` that begins no escape stays.
  static func decodeLeniently(_ text: some Sequence<UInt8>) -> [UInt8] {
    let text = Array(text)
    var bytes: [UInt8] = []
    var index = 0
    while index < text.count {
      let digits = text[index...].dropFirst().prefix(2).compactMap(UInt8.init(hexadecimalDigit:))
      if text[index] == UInt8(ascii: "%"), digits.count == 2 {
        bytes.append(digits.reduce(0) { $0 << 4 | $1 })
        index += 3
      } else {
        bytes.append(text[index])
        index += 1
      }
    }
    return bytes
  }

  /// The bytes that a text stands for; a literal `+` stays a `+`.
  package static func decode(_ text: some Sequence<UInt8>) throws(RedirectURL.Problem) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let first = rest.next().flatMap(UInt8.init(hexadecimalDigit:)),
        let second = rest.next().flatMap(UInt8.init(hexadecimalDigit:))
      else { throw .malformedEscape }
      bytes.append(first << 4 | second)
    }
    return bytes
  }

  /// The text that a percent-encoded text stands for.
  static func decodeText(_ text: some Sequence<UInt8>) throws(RedirectURL.Problem) -> String {
    guard let value = String(validating: try decode(text), as: UTF8.self) else {
      throw .notUTF8
    }
    return value
  }
}
