/// The encoding of pages that are not UTF-8 (Encoding Standard §9, "windows-1252"), which labels call ISO 8859-1, too.
enum Windows1252 {
  /// The characters of the bytes 80 to 9F; the others are those of Unicode.
  private static let characters: [Unicode.Scalar] = Array(
    """
    \u{20AC}\u{81}\u{201A}\u{192}\u{201E}\u{2026}\u{2020}\u{2021}\u{2C6}\u{2030}\u{160}\u{2039}\u{152}\u{8D}\u{17D}\u{8F}\
    \u{90}\u{2018}\u{2019}\u{201C}\u{201D}\u{2022}\u{2013}\u{2014}\u{2DC}\u{2122}\u{161}\u{203A}\u{153}\u{9D}\u{17E}\u{178}
    """.unicodeScalars)

  static func character(_ byte: UInt8) -> Unicode.Scalar {
    (0x80...0x9F).contains(byte) ? characters[Int(byte) - 0x80] : Unicode.Scalar(byte)
  }

  /// Converts to UTF-8.
  static func decode(_ bytes: [UInt8]) -> [UInt8] {
    bytes.flatMap { Array(String(character($0)).utf8) }
  }
}
