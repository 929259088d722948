/// The ends of texts that are no markup.
extension HTMLTokenizer {
  /// Checks whether the end tag of the text's element is here ("appropriate end tag token"): an end tag with another
  /// name, or with more letters, is text.
  private func isEndTag(at index: Int) -> Bool {
    let name = lastStart.utf8
    let end = index + 2 + name.count
    guard !name.isEmpty, end < bytes.count, bytes[index] == UInt8(ascii: "<"),
      bytes[index + 1] == UInt8(ascii: "/")
    else { return false }
    return ASCII.lowercased(bytes[(index + 2)..<end]).utf8.elementsEqual(name)
      && Self.isEndOfName(bytes[end])
  }

  func endOfText(from start: Int) -> Int {
    var index = start
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "<"), isEndTag(at: index) { return index }
      index += 1
    }
    return index
  }

  private enum Escape {
    case none
    /// After `<!--`: a script in it is a part of the comment.
    case single
    /// After `<!-- <script>`: its end tag ends it alone.
    case double
  }

  /// The end of a script, which may hold the tags of a script within a comment (§13.2.5.15 to 31).
  func endOfScript() -> Int {
    var escape = Escape.none
    var dashes = 0
    var index = position
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: ">"), dashes >= 2 { escape = .none }
      dashes = byte == UInt8(ascii: "-") ? dashes + 1 : 0
      guard byte == UInt8(ascii: "<") else {
        index += 1
        continue
      }
      if escape != .double, isEndTag(at: index) { return index }
      switch escape {
      case .none:
        if bytes[index...].starts(with: "<!--".utf8) {
          (escape, dashes) = (.single, 2)
          index += 3
        }
      case .single:
        if let end = endOfScriptName(at: index + 1) {
          escape = .double
          index = end
        }
      case .double:
        if index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "/"),
          let end = endOfScriptName(at: index + 2)
        {
          escape = .single
          index = end
        }
      }
      index += 1
    }
    return index
  }

  /// The place of the byte after the word "script", if that ends a tag's name.
  private func endOfScriptName(at index: Int) -> Int? {
    let end = index + 6
    guard end < bytes.count, ASCII.lowercased(bytes[index..<end]) == "script",
      Self.isEndOfName(bytes[end])
    else { return nil }
    return end
  }

  static func isEndOfName(_ byte: UInt8) -> Bool {
    isSpace(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">")
  }
}
