/// Cuts a page into tokens (HTML Living Standard §13.2.5): the states of the standard are the functions here. Errors are
/// repaired as the standard says, and not reported.
struct HTMLTokenizer {
  /// The kind of text that follows; the tree's constructor changes it.
  enum Content: Sendable {
    case data
    /// Text with character references, until the end tag of its element: `title`, `textarea`.
    case escapableText
    /// Text without character references, until the end tag of its element: `style`, `iframe`.
    case rawText
    case script
    /// Text until the end of the page.
    case plainText
  }

  /// UTF-8 with line feeds as the only ends of lines.
  let bytes: [UInt8]
  var position = 0
  var content = Content.data
  /// The name of the last start tag: only its end tag ends its text.
  var lastStart = ""
  /// True inside of SVG and MathML, where CDATA sections are text.
  var allowsCDATA = false
  /// Text to which the next characters belong.
  var text: [UInt8] = []

  static let replacement = Array("\u{FFFD}".utf8)

  /// - Parameter body: UTF-8.
  init(_ body: [UInt8]) {
    guard body.contains(0x0D) else {
      bytes = body
      return
    }
    var normalized: [UInt8] = []
    normalized.reserveCapacity(body.count)
    var previous: UInt8 = 0
    for byte in body {
      if byte != 0x0A || previous != 0x0D { normalized.append(byte == 0x0D ? 0x0A : byte) }
      previous = byte
    }
    bytes = normalized
  }

  /// The next token; `nil` at the end. Every call but the last moves on.
  mutating func next() throws(PageError) -> HTMLToken? {
    repeat {
      readText()
      // An end tag without a name is no token, and does not end a text.
      guard follows("</>") else { break }
      position += 3
    } while true
    if !text.isEmpty {
      defer { text = [] }
      return .text(String(decoding: text, as: UTF8.self))
    }
    guard position < bytes.count else { return nil }
    return try readMarkup()
  }

  /// The byte at a distance from the position; `nil` after the end.
  func byte(_ distance: Int = 0) -> UInt8? {
    let index = position + distance
    return index < bytes.count ? bytes[index] : nil
  }

  /// Checks whether these characters follow.
  func follows(_ characters: String) -> Bool {
    bytes[position...].starts(with: characters.utf8)
  }

  /// Checks whether a word of small letters follows, in either case.
  func follows(word: String) -> Bool {
    let end = position + word.utf8.count
    return end <= bytes.count && ASCII.lowercased(bytes[position..<end]) == word
  }

  /// Takes the bytes until the first that ends them, NUL replaced.
  mutating func take(until isEnd: (UInt8) -> Bool) -> [UInt8] {
    let start = position
    while position < bytes.count, !isEnd(bytes[position]) { position += 1 }
    return Self.withoutNUL(bytes[start..<position])
  }

  /// Moves past a byte, if there is one.
  mutating func skip() { position = min(position + 1, bytes.count) }

  mutating func skipSpaces() {
    while let byte = byte(), Self.isSpace(byte) { position += 1 }
  }

  static func withoutNUL(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    bytes.contains(0) ? bytes.flatMap { $0 == 0 ? replacement : [$0] } : Array(bytes)
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0C
  }

  static func isLetter(_ byte: UInt8?) -> Bool {
    byte.map { (0x61...0x7A).contains($0 | 0x20) } ?? false
  }
}

/// The states of text.
extension HTMLTokenizer {
  /// Collects text until markup or the end.
  private mutating func readText() {
    switch content {
    case .data: readData()
    case .plainText: text += Self.withoutNUL(rest(until: bytes.count))
    case .rawText: text += Self.withoutNUL(rest(until: endOfText(from: position)))
    case .script: text += Self.withoutNUL(rest(until: endOfScript()))
    case .escapableText:
      let end = endOfText(from: position)
      while position < end {
        if bytes[position] == UInt8(ascii: "&") {
          readReference()
        } else {
          let next = bytes[position..<end].firstIndex(of: UInt8(ascii: "&")) ?? end
          text += Self.withoutNUL(rest(until: next))
        }
      }
    }
    if content != .plainText, position < bytes.count { content = .data }
  }

  private mutating func rest(until end: Int) -> ArraySlice<UInt8> {
    defer { position = end }
    return bytes[position..<end]
  }

  private mutating func readData() {
    while let byte = byte() {
      switch byte {
      case UInt8(ascii: "&"): readReference()
      case UInt8(ascii: "<"):
        guard let next = self.byte(1) else {
          text.append(byte)
          position += 1
          return
        }
        let isTag = Self.isLetter(next) || next == UInt8(ascii: "!") || next == UInt8(ascii: "?")
        let isEnd = next == UInt8(ascii: "/") && position + 2 < bytes.count
        if isTag || isEnd {
          if !allowsCDATA || !follows("<![CDATA[") { return }
          readCDATA()
        } else {
          text.append(byte)
          position += 1
        }
      default:
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "<"),
          bytes[position] != UInt8(ascii: "&")
        {
          position += 1
        }
        text += bytes[start..<position]
      }
    }
  }

  /// Takes a character reference into the text, or its ampersand.
  private mutating func readReference() {
    if let (characters, next) = CharacterReference.read(bytes, at: position, isInAttribute: false) {
      text += characters
      position = next
    } else {
      text.append(UInt8(ascii: "&"))
      position += 1
    }
  }
}

/// A token of HTML (HTML Living Standard §13.2.5).
enum HTMLToken: Sendable, Equatable {
  case doctype(HTMLDoctype)
  case start(HTMLTag)
  case end(String)
  case comment(String)
  /// Text between two other tokens, its character references resolved.
  case text(String)
}

/// A start tag.
struct HTMLTag: Sendable, Equatable {
  /// Its name in lower case.
  var name: String
  /// Its attributes by their names in lower case; of repeated ones the first.
  var attributes: [String: String] = [:]
  var isSelfClosing = false
}

struct HTMLDoctype: Sendable, Equatable {
  var name: String?
  var publicIdentifier: String?
  var systemIdentifier: String?
  /// True if it is broken, and the page therefore one of the old kind ("force-quirks flag").
  var isBroken = false
}
