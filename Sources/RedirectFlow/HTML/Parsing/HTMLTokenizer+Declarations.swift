/// The states of comments, document types and CDATA (§13.2.5.41 to 71).
extension HTMLTokenizer {
  /// Reads what begins with `<!`.
  mutating func readDeclaration() -> HTMLToken {
    if follows("<!--") {
      position += 4
      return readComment()
    }
    position += 2
    guard follows(word: "doctype") else { return readBogusComment() }
    position += 7
    return .doctype(readDoctype())
  }

  /// Everything until `>` is a comment.
  mutating func readBogusComment() -> HTMLToken {
    let comment = take { $0 == UInt8(ascii: ">") }
    skip()
    return .comment(String(decoding: comment, as: UTF8.self))
  }

  private mutating func readComment() -> HTMLToken {
    let start = position
    // A comment without content may lack its dashes.
    for end in [">", "->"] where follows(end) {
      position += end.utf8.count
      return .comment("")
    }
    while position < bytes.count {
      for end in ["-->", "--!>"] where bytes[position] == UInt8(ascii: "-") {
        guard follows(end) else { continue }
        defer { position += end.utf8.count }
        return .comment(Self.comment(bytes[start..<position]))
      }
      position += 1
    }
    // At the end of the page the beginning of the comment's end is no part of it.
    var content = bytes[start...]
    for end in ["--!", "--", "-"] where content.reversed().starts(with: end.utf8.reversed()) {
      content = content.dropLast(end.utf8.count)
      break
    }
    return .comment(Self.comment(content))
  }

  private static func comment(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: withoutNUL(bytes), as: UTF8.self)
  }

  /// Adds a CDATA section to the text.
  mutating func readCDATA() {
    position += 9
    let start = position
    while position < bytes.count, !follows("]]>") { position += 1 }
    text += bytes[start..<position]
    position = min(position + 3, bytes.count)
  }

  /// Reads a document type from behind its first word.
  private mutating func readDoctype() -> HTMLDoctype {
    var doctype = HTMLDoctype()
    skipSpaces()
    guard byte() != UInt8(ascii: ">"), byte() != nil else { return end(doctype, isBroken: true) }
    doctype.name = ASCII.lowercased(take { Self.isSpace($0) || $0 == UInt8(ascii: ">") })
    skipSpaces()
    if byte() == UInt8(ascii: ">") { return end(doctype) }
    if follows(word: "public") {
      position += 6
      skipSpaces()
      guard let identifier = readIdentifier(&doctype) else { return end(doctype, isBroken: true) }
      doctype.publicIdentifier = identifier
      guard !doctype.isBroken else { return end(doctype) }
      skipSpaces()
      if byte() == UInt8(ascii: ">") { return end(doctype) }
    } else if follows(word: "system") {
      position += 6
      skipSpaces()
    } else {
      return end(doctype, isBroken: true)
    }
    guard let identifier = readIdentifier(&doctype) else { return end(doctype, isBroken: true) }
    doctype.systemIdentifier = identifier
    guard !doctype.isBroken else { return end(doctype) }
    skipSpaces()
    // Words after the identifiers do no harm.
    return end(doctype, isBroken: byte() == nil)
  }

  /// Reads a quoted identifier; one without its closing quote makes the type a broken one.
  private mutating func readIdentifier(_ doctype: inout HTMLDoctype) -> String? {
    guard let quote = byte(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return nil
    }
    position += 1
    let identifier = take { $0 == quote || $0 == UInt8(ascii: ">") }
    if byte() == quote { position += 1 } else { doctype.isBroken = true }
    return String(decoding: identifier, as: UTF8.self)
  }

  /// Skips the rest of a document type.
  private mutating func end(_ doctype: HTMLDoctype, isBroken: Bool = false) -> HTMLDoctype {
    var doctype = doctype
    _ = take { $0 == UInt8(ascii: ">") }
    skip()
    doctype.isBroken = doctype.isBroken || isBroken
    return doctype
  }
}
