/// A piece of JavaScript, as far as it matters for reading the constants of a page (ECMA-262 §12).
enum ScriptToken: Equatable {
  case word(String)
  /// A string literal with its escapes resolved; a template only without substitutions.
  case string(String)
  case mark(Unicode.Scalar)
  case newline

  /// Cuts a script into tokens, in one pass; comments and white space are dropped.
  static func tokens(of script: String) -> [ScriptToken] {
    var scanner = ScriptScanner(rest: Array(script.utf8)[...])
    var tokens: [ScriptToken] = []
    while let token = scanner.next() { tokens.append(token) }
    return tokens
  }
}

private struct ScriptScanner {
  var rest: ArraySlice<UInt8>

  /// The next token; every call but the last takes at least one byte.
  mutating func next() -> ScriptToken? {
    while let byte = rest.first {
      switch byte {
      case 0x0A, 0x0D:
        rest = rest.dropFirst()
        return .newline
      case 0x00...0x20: rest = rest.dropFirst()
      case UInt8(ascii: "/") where rest.starts(with: "//".utf8):
        rest = rest.drop { $0 != 0x0A && $0 != 0x0D }
      // Hides scripts from the first browsers (ECMA-262 §B.1.1).
      case UInt8(ascii: "<") where rest.starts(with: "<!--".utf8):
        rest = rest.drop { $0 != 0x0A && $0 != 0x0D }
      case UInt8(ascii: "/") where rest.starts(with: "/*".utf8): skipComment()
      case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
        rest = rest.dropFirst()
        if let text = string(until: byte) { return .string(text) }
      case _ where Self.isNamePart(byte):
        let word = rest.prefix(while: Self.isNamePart)
        rest = rest.dropFirst(word.count)
        return .word(String(decoding: word, as: UTF8.self))
      default:
        rest = rest.dropFirst()
        return .mark(Unicode.Scalar(byte))
      }
    }
    return nil
  }

  private mutating func skipComment() {
    rest = rest.dropFirst(2)
    while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest = rest.dropFirst() }
    rest = rest.dropFirst(2)
  }

  /// The rest of a string literal; `nil` when the line or the script ends before it, or it has a substitution.
  private mutating func string(until quote: UInt8) -> String? {
    let isTemplate = quote == UInt8(ascii: "`")
    var units: [UInt8] = []
    var isConstant = true
    while let byte = rest.popFirst() {
      switch byte {
      case quote: return isConstant ? String(decoding: units, as: UTF8.self) : nil
      case 0x0A, 0x0D:
        guard isTemplate else { return nil }
        units.append(byte)
      case UInt8(ascii: "\\"): units += escape().utf8
      default:
        if isTemplate, byte == UInt8(ascii: "$"), rest.first == UInt8(ascii: "{") {
          isConstant = false
        }
        units.append(byte)
      }
    }
    return nil
  }

  /// The character of an escape, after its backslash.
  private mutating func escape() -> String {
    guard let byte = rest.popFirst() else { return "" }
    switch byte {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "x"): return hexadecimal(2)
    case UInt8(ascii: "u"): return hexadecimal(4)
    // A line continuation.
    case 0x0A, 0x0D: return ""
    default: return String(decoding: [byte] + takeContinuation(), as: UTF8.self)
    }
  }

  /// The other bytes of a character outside of ASCII.
  private mutating func takeContinuation() -> ArraySlice<UInt8> {
    let bytes = rest.prefix { (0x80...0xBF).contains($0) }
    rest = rest.dropFirst(bytes.count)
    return bytes
  }

  /// A character of the given number of hexadecimal digits; U+FFFD for halves of a pair.
  private mutating func hexadecimal(_ count: Int) -> String {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
      let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { return "\u{FFFD}" }
    rest = rest.dropFirst(count)
    return String(Character(UnicodeScalar(value) ?? "\u{FFFD}"))
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    ASCII.isAlphanumeric(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
      || byte >= 0x80
  }
}
