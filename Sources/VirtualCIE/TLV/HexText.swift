internal import System

/// Hexadecimal text: constants from specifications, short values of the personas.
enum HexText {
  /// The bytes of pairs of digits, with blanks between some; nothing of a text that is malformed.
  static func decode(_ text: String) -> [UInt8] { [UInt8](hexadecimal: text) ?? [] }
}
