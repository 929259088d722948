internal import Primitives

/// Reads the tokens of a PDF strictly: no comment inside of an object, no key twice, nothing guessed.
struct PDFValueReader {
  let bytes: [UInt8]
  private(set) var position: Int
  /// Nothing is read from here on.
  let end: Int
  /// The number of values that may still be read: one of two bytes takes forty in memory.
  private(set) var rest: Int
  /// True to take comments for white space, as in the signed revision, which cannot be changed.
  private let mayComment: Bool

  /// The most values of all updates of a file; honest ones have some thousands.
  static let mostValues = 1_000_000

  /// Nesting that no honest object reaches.
  private static let deepest = 64

  init(
    _ bytes: [UInt8], at position: Int = 0, end: Int? = nil, rest: Int = Self.mostValues,
    mayComment: Bool = false
  ) {
    self.mayComment = mayComment
    self.bytes = bytes
    self.rest = rest
    self.position = max(0, position)
    self.end = min(end ?? bytes.count, bytes.count)
  }

  var next: UInt8? { position < end ? bytes[position] : nil }

  static func isSpace(_ byte: UInt8) -> Bool {
    [0x00, 0x09, 0x0A, 0x0C, 0x0D, 0x20].contains(byte)
  }

  static func isDelimiter(_ byte: UInt8) -> Bool { "()<>[]{}/%".utf8.contains(byte) }

  private static func isRegular(_ byte: UInt8) -> Bool { !isSpace(byte) && !isDelimiter(byte) }

  /// Skips white space.
  ///
  /// - Returns: its length.
  @discardableResult mutating func skipSpace() -> Int {
    let start = position
    while let byte = next, Self.isSpace(byte) { position += 1 }
    return position - start
  }

  /// Skips white space, and comments where they are allowed.
  mutating func skipBlank() {
    skipSpace()
    while mayComment, next == UInt8(ascii: "%") {
      while let byte = next, byte != 0x0A, byte != 0x0D { position += 1 }
      skipSpace()
    }
  }

  func isAt(_ word: String) -> Bool {
    end - position >= word.utf8.count && zip(bytes[position...], word.utf8).allSatisfy(==)
  }

  /// Skips a keyword, behind which no regular character may stand.
  mutating func take(_ word: String) throws(DocumentError) {
    guard isAt(word) else { throw .outsideGrammar }
    position += word.utf8.count
    if let byte = next, Self.isRegular(byte), word.utf8.last.map(Self.isRegular) == true {
      throw .outsideGrammar
    }
  }

  mutating func take(count: Int) throws(DocumentError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= end - position else { throw .outsideGrammar }
    defer { position += count }
    return bytes[position..<position + count]
  }

  /// Skips one line end: CR LF, LF or CR.
  mutating func takeLineEnd() -> Bool {
    if isAt("\r\n") {
      position += 2
    } else if next == 0x0A || next == 0x0D {
      position += 1
    } else {
      return false
    }
    return true
  }

  /// A whole number without a sign, of at most ten digits.
  mutating func number() throws(DocumentError) -> Int {
    var value = 0
    let start = position
    while let byte = next, (0x30...0x39).contains(byte) {
      guard position - start < 10 else { throw .outsideGrammar }
      value = value * 10 + Int(byte - 0x30)
      position += 1
    }
    guard position > start else { throw .outsideGrammar }
    return value
  }

  mutating func value(depth: Int = 0) throws(DocumentError) -> PDFValue {
    rest -= 1
    guard rest >= 0, depth < Self.deepest, let first = next else { throw .outsideGrammar }
    switch first {
    case UInt8(ascii: "/"): return .name(try name())
    case UInt8(ascii: "("): return .string(try literal())
    case UInt8(ascii: "["):
      position += 1
      var items: [PDFValue] = []
      while true {
        skipBlank()
        if next == UInt8(ascii: "]") { break }
        items.append(try value(depth: depth + 1))
      }
      position += 1
      return .array(items)
    case UInt8(ascii: "<"):
      return isAt("<<") ? try dictionary(depth) : .string(try hexadecimal())
    default: return try word()
    }
  }

  private mutating func dictionary(_ depth: Int) throws(DocumentError) -> PDFValue {
    position += 2
    var members: [String: PDFValue] = [:]
    while true {
      skipBlank()
      if isAt(">>") { break }
      let key = try name()
      skipBlank()
      let value = try value(depth: depth + 1)
      guard members.updateValue(value, forKey: key) == nil else { throw .outsideGrammar }
    }
    position += 2
    // A member that is null is an absent one (ISO 32000-2 §7.3.7).
    return .dictionary(members.filter { $0.value != .null })
  }

  private mutating func name() throws(DocumentError) -> String {
    guard next == UInt8(ascii: "/") else { throw .outsideGrammar }
    position += 1
    var text: [UInt8] = []
    while let byte = next, Self.isRegular(byte) {
      position += 1
      guard byte == UInt8(ascii: "#") else {
        text.append(byte)
        continue
      }
      let digits = try take(count: 2).compactMap { UInt8(hexadecimalDigit: $0) }
      guard digits.count == 2 else { throw .outsideGrammar }
      text.append(digits[0] << 4 | digits[1])
    }
    // A scalar a byte, because a name need not be UTF-8.
    return String(String.UnicodeScalarView(text.map { Unicode.Scalar($0) }))
  }

  /// A string in parentheses (ISO 32000-2 §7.3.4.2).
  private mutating func literal() throws(DocumentError) -> [UInt8] {
    var text: [UInt8] = []
    var depth = 0
    repeat {
      guard let byte = next else { throw .outsideGrammar }
      position += 1
      switch byte {
      case UInt8(ascii: "("):
        if depth > 0 { text.append(byte) }
        depth += 1
      case UInt8(ascii: ")"):
        depth -= 1
        if depth > 0 { text.append(byte) }
      case UInt8(ascii: "\\"): try escaped(into: &text)
      case 0x0D:
        // Each line end is a line feed.
        if next == 0x0A { position += 1 }
        text.append(0x0A)
      default: text.append(byte)
      }
    } while depth > 0
    return text
  }

  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    UInt8(ascii: "b"): 0x08,
    UInt8(ascii: "f"): 0x0C,
  ]

  /// The character behind a backslash (ISO 32000-2 table 3).
  private mutating func escaped(into text: inout [UInt8]) throws(DocumentError) {
    if takeLineEnd() { return }
    guard let byte = next else { throw .outsideGrammar }
    guard (0x30...0x37).contains(byte) else {
      position += 1
      text.append(Self.escapes[byte] ?? byte)
      return
    }
    var code = 0
    for _ in 0..<3 {
      guard let digit = next, (0x30...0x37).contains(digit) else { break }
      code = code * 8 + Int(digit - 0x30)
      position += 1
    }
    text.append(UInt8(truncatingIfNeeded: code))
  }

  /// A string of hexadecimal digits; a missing last one is zero (ISO 32000-2 §7.3.4.3).
  private mutating func hexadecimal() throws(DocumentError) -> [UInt8] {
    position += 1
    var digits: [UInt8] = []
    while let byte = next, byte != UInt8(ascii: ">") {
      position += 1
      if Self.isSpace(byte) { continue }
      guard let digit = UInt8(hexadecimalDigit: byte) else { throw .outsideGrammar }
      digits.append(digit)
    }
    _ = try take(count: 1)
    if !digits.count.isMultiple(of: 2) { digits.append(0) }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  /// A number, a reference or a keyword.
  private mutating func word() throws(DocumentError) -> PDFValue {
    let start = position
    while let byte = next, Self.isRegular(byte) { position += 1 }
    let word = bytes[start..<position]
    switch String(decoding: word, as: UTF8.self) {
    case "null": return .null
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    default: break
    }
    guard !word.isEmpty, word.count <= 32,
      word.allSatisfy({ (0x30...0x39).contains($0) || "+-.".utf8.contains($0) })
    else { throw .outsideGrammar }
    guard let integer = Int(String(decoding: word, as: UTF8.self)) else {
      return .real([UInt8](word))
    }
    // A reference, if a generation and R follow.
    var ahead = self
    guard integer >= 0, word.first.map({ (0x30...0x39).contains($0) }) == true,
      ahead.skipSpace() > 0,
      let generation = try? ahead.number(), ahead.skipSpace() > 0, (try? ahead.take("R")) != nil
    else { return .integer(integer) }
    self = ahead
    return .reference(PDFReference(number: integer, generation: generation))
  }
}
