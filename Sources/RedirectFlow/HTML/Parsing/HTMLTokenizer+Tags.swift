/// The states of tags (§13.2.5.6 to 8 and 32 to 40).
extension HTMLTokenizer {
  /// Reads a tag, a comment or a declaration that begins here.
  mutating func readMarkup() throws(PageError) -> HTMLToken? {
    if byte(1) == UInt8(ascii: "!") { return readDeclaration() }
    if byte(1) == UInt8(ascii: "?") {
      position += 1
      return readBogusComment()
    }
    guard byte(1) == UInt8(ascii: "/") else {
      position += 1
      guard let tag = try readTag() else { return nil }
      lastStart = tag.name
      return .start(tag)
    }
    position += 2
    return Self.isLetter(byte()) ? try readTag().map { .end($0.name) } : readBogusComment()
  }

  /// Reads a tag from its name on; `nil` when the page ends before it.
  private mutating func readTag() throws(PageError) -> HTMLTag? {
    var tag = HTMLTag(name: ASCII.lowercased(take(until: Self.isEndOfName)))
    var count = 0
    while true {
      skipSpaces()
      switch byte() {
      case nil: return nil
      case UInt8(ascii: ">"):
        position += 1
        return tag
      case UInt8(ascii: "/"):
        position += 1
        tag.isSelfClosing = byte() == UInt8(ascii: ">")
      default:
        count += 1
        guard count <= HTMLParser.attributeLimit else {
          throw .tooManyAttributes(limit: HTMLParser.attributeLimit)
        }
        let name = readAttributeName()
        let value = readAttributeValue()
        if tag.attributes[name] == nil { tag.attributes[name] = value }
      }
    }
  }

  private mutating func readAttributeName() -> String {
    // An equals sign begins a name only.
    let start = byte() == UInt8(ascii: "=") ? "=" : ""
    position += start.utf8.count
    let name = take { Self.isEndOfName($0) || $0 == UInt8(ascii: "=") }
    return start + ASCII.lowercased(name)
  }

  /// Reads an equals sign and a value, if they follow.
  private mutating func readAttributeValue() -> String {
    skipSpaces()
    guard byte() == UInt8(ascii: "=") else { return "" }
    position += 1
    skipSpaces()
    switch byte() {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      let quote = byte()
      position += 1
      let value = readValue { $0 == quote }
      skip()
      return value
    case UInt8(ascii: ">"): return ""
    default: return readValue { Self.isSpace($0) || $0 == UInt8(ascii: ">") }
    }
  }

  private mutating func readValue(until isEnd: (UInt8) -> Bool) -> String {
    var value: [UInt8] = []
    while let byte = byte(), !isEnd(byte) {
      if byte != UInt8(ascii: "&") {
        value += take { $0 == UInt8(ascii: "&") || isEnd($0) }
      } else if let (characters, next) = CharacterReference.read(
        bytes, at: position, isInAttribute: true)
      {
        value += characters
        position = next
      } else {
        value.append(byte)
        position += 1
      }
    }
    return String(decoding: value, as: UTF8.self)
  }
}
