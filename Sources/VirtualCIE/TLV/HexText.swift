internal import Primitives

/// Hexadecimal text: constants from specifications, short values of the personas.
enum HexText {
  /// Decodes pairs of digits, with blanks between some; empty for a malformed text.
  static func decode(_ text: String) -> [UInt8] { [UInt8](hexadecimal: text) ?? [] }
}
