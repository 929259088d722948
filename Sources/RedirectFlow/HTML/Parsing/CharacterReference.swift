internal import CCharacterReferences

/// Character references, by number and by name (HTML Living Standard §13.2.5.72 to 80).
enum CharacterReference {
  /// The characters of a reference in UTF-8, and the place after it; `nil` for a mere ampersand.
  ///
  /// - Parameter isInAttribute: true in an attribute's value, where a name without semicolon before a letter, a digit or
  ///   an equals sign is a part of an address.
  static func read(
    _ bytes: [UInt8], at start: Int, isInAttribute: Bool
  ) -> (characters: [UInt8], next: Int)? {
    let first = start + 1
    guard first < bytes.count else { return nil }
    if bytes[first] == UInt8(ascii: "#") { return number(bytes, at: first + 1) }
    guard let (characters, next) = names.longest(bytes[first...]) else { return nil }
    if isInAttribute, bytes[next - 1] != UInt8(ascii: ";"), next < bytes.count,
      ASCII.isAlphanumeric(bytes[next]) || bytes[next] == UInt8(ascii: "=")
    {
      return nil
    }
    return (characters, next)
  }

  private static func number(_ bytes: [UInt8], at start: Int) -> ([UInt8], Int)? {
    var index = start
    let isHexadecimal = index < bytes.count && bytes[index] | 0x20 == UInt8(ascii: "x")
    if isHexadecimal { index += 1 }
    let digits = index
    var value: UInt32 = 0
    while index < bytes.count,
      let digit = Character(UnicodeScalar(bytes[index])).hexDigitValue,
      isHexadecimal || digit < 10
    {
      // Further digits leave too big a number too big.
      value = min(value, 0x110000) * (isHexadecimal ? 16 : 10) + UInt32(digit)
      index += 1
    }
    guard index > digits else { return nil }
    if index < bytes.count, bytes[index] == UInt8(ascii: ";") { index += 1 }
    return (Array(String(character(value)).utf8), index)
  }

  /// The character of a number: those of the C1 controls are meant as windows-1252.
  private static func character(_ value: UInt32) -> Unicode.Scalar {
    if let byte = UInt8(exactly: value), byte >= 0x80 { return Windows1252.character(byte) }
    return value == 0 ? "\u{FFFD}" : Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  private static let names = CharacterNames()
}

/// The named references, sorted by their bytes.
private struct CharacterNames {
  private let entries: [(name: ArraySlice<UInt8>, characters: [UInt8])]

  init() {
    var length = 0
    let table = [UInt8](
      UnsafeBufferPointer(start: characterReferenceNames(&length), count: length))
    entries = table.split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\n") }.map { entry in
      let words = entry.split(separator: UInt8(ascii: " "))
      let characters = words.dropFirst().compactMap {
        UInt32(String(decoding: $0, as: UTF8.self), radix: 16).flatMap(Unicode.Scalar.init)
      }
      return (words.first ?? [], characters.flatMap { Array(String($0).utf8) })
    }
  }

  /// The longest name with which a text begins: its characters, and the place after it.
  func longest(_ text: ArraySlice<UInt8>) -> (characters: [UInt8], next: Int)? {
    var found: (characters: [UInt8], next: Int)?
    var range = entries.startIndex..<entries.endIndex
    for (column, byte) in text.prefix(40).enumerated() {
      let lower = first(in: range, at: column) { $0 >= byte }
      range = lower..<first(in: lower..<range.upperBound, at: column) { $0 > byte }
      guard let entry = range.first.map({ entries[$0] }) else { break }
      if entry.name.count == column + 1 {
        found = (entry.characters, text.startIndex + column + 1)
      }
    }
    return found
  }

  /// The first entry whose byte in a column passes; a name that has ended is before all others.
  private func first(
    in range: Range<Int>, at column: Int, _ passes: (UInt8) -> Bool
  ) -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      let name = entries[middle].name
      if column < name.count, passes(name[name.startIndex + column]) {
        high = middle
      } else {
        low = middle + 1
      }
    }
    return low
  }
}

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
