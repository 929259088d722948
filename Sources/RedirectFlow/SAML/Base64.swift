internal import COpenSSL

/// Base64 (RFC 4648 §4).
enum Base64 {
  /// The bytes that a text stands for; `nil` for another character, or `=` elsewhere than at the end. Padding that is
  /// left out is not missed.
  static func decode(_ text: [UInt8]) -> [UInt8]? {
    let equals = UInt8(ascii: "=")
    let digits = text.prefix { $0 != equals }
    let padding = text.dropFirst(digits.count)
    guard padding.allSatisfy({ $0 == equals }), digits.count % 4 != 1,
      padding.isEmpty || padding.count <= 2 && text.count % 4 == 0
    else { return nil }
    let missing = (4 - digits.count % 4) % 4
    let block = digits + [UInt8](repeating: equals, count: missing)
    var bytes = [UInt8](repeating: 0, count: block.count / 4 * 3)
    // OpenSSL skips white space and an end mark around the digits; fewer bytes come out then.
    guard EVP_DecodeBlock(&bytes, Array(block), CInt(block.count)) == bytes.count else {
      return nil
    }
    return bytes.dropLast(missing)
  }
}
