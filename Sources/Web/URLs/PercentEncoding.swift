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
  static func encode(_ bytes: some Sequence<UInt8>, keeping isKept: (UInt8) -> Bool)
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
  static func decodeLeniently(_ text: some Sequence<UInt8>) -> [UInt8] { decoded(text).bytes }

  /// The bytes that a text stands for; a literal `+` stays a `+`.
  static func decode(_ text: some Sequence<UInt8>) throws(RedirectURL.Problem) -> [UInt8] {
    let (bytes, isValid) = decoded(text)
    guard isValid else { throw .malformedEscape }
    return bytes
  }

  private static func decoded(_ text: some Sequence<UInt8>) -> (bytes: [UInt8], isValid: Bool) {
    var (bytes, isValid): ([UInt8], Bool) = ([], true)
    var rest = Array(text)[...]
    while let byte = rest.popFirst() {
      let digits =
        byte == UInt8(ascii: "%")
        ? rest.prefix(2).compactMap(UInt8.init(hexadecimalDigit:)) : []
      if digits.count == 2 {
        bytes.append(digits.reduce(0) { $0 << 4 | $1 })
        rest = rest.dropFirst(2)
      } else {
        isValid = isValid && byte != UInt8(ascii: "%")
        bytes.append(byte)
      }
    }
    return (bytes, isValid)
  }

  static func decodeText(_ text: some Sequence<UInt8>) throws(RedirectURL.Problem) -> String {
    guard let value = String(validating: try decode(text), as: UTF8.self) else {
      throw .notUTF8
    }
    return value
  }
}
