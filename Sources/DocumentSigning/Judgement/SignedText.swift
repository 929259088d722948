internal import Primitives

/// A signed file as text: base64 as such, between the lines of PEM (RFC 7468), or in a message (MIME; RFC 8551), in
/// UTF-8 or UTF-16.
struct SignedText {
  private let text: [UInt8]
  /// The text in lower case as far as a header may reach.
  private let head: [UInt8]

  init(_ bytes: [UInt8]) {
    // The text is ASCII: UTF-16 has a zero beside each letter, and a byte order mark.
    text =
      bytes.prefix(4).contains(0) && bytes.first != 0x30
      ? bytes.filter { $0 != 0 && $0 < 0xFE }
      : [UInt8](bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...])
    head = Self.lowercased(text.prefix(64 << 10))
  }

  var isXML: Bool { head.first { !Self.isSpace($0) } == UInt8(ascii: "<") }
  var isPage: Bool {
    isXML && (head.place(of: "<html".utf8) != nil || head.place(of: "<!doctype html".utf8) != nil)
  }
  var isMultipart: Bool { head.place(of: "multipart/".utf8) != nil }

  /// A signed file, and what stands beside it in the text.
  typealias Found = (bytes: [UInt8], outside: [DocumentReport.Outside])

  /// True if there is more than one signed file between lines of PEM.
  var hasSeveralBlocks: Bool {
    head.place(of: "-----begin ".utf8) != nil && signedBlocks(of: blocks.contents).count > 1
  }

  /// The signed file; nil if there is none, or more than one.
  var signedFile: Found? {
    // DER behind a byte order mark, as a text editor leaves it.
    if Self.isDER(text) { return (text, []) }
    if head.place(of: "-----begin ".utf8) != nil { return armoured }
    if head.place(of: "content-type:".utf8) != nil { return attached }
    return Self.decoded(text).map { ($0, []) }
  }

  private var lines: [ArraySlice<UInt8>] {
    text.split(separator: 0x0A, omittingEmptySubsequences: false).flatMap { line in
      // A carriage return alone ends a line too.
      (line.last == 0x0D ? line.dropLast() : line)
        .split(separator: 0x0D, omittingEmptySubsequences: false)
    }
  }

  /// The texts between lines of PEM, and whether other text stands around them; lines of a header (RFC 1421) have a colon.
  private var blocks: (contents: [[UInt8]], hasText: Bool) {
    var blocks: [[UInt8]] = []
    var (isInside, hasText) = (false, false)
    for line in lines {
      if line.starts(with: "-----".utf8) {
        isInside = line.starts(with: "-----BEGIN ".utf8)
        if isInside { blocks.append([]) }
      } else if isInside, !line.contains(UInt8(ascii: ":")) {
        blocks[blocks.count - 1] += line
      } else {
        hasText = hasText || !line.allSatisfy(Self.isSpace)
      }
    }
    return (blocks, hasText)
  }

  private func signedBlocks(of blocks: [[UInt8]]) -> [[UInt8]] {
    blocks.compactMap { Self.decoded($0) }.filter { InputForm.isSignedData([UInt8]($0.prefix(32))) }
  }

  /// The one SignedData among the blocks of PEM, whatever their labels are.
  private var armoured: Found? {
    let (blocks, hasText) = blocks
    let signed = signedBlocks(of: blocks)
    guard signed.count < 2, let file = signed.first ?? blocks.lazy.compactMap(Self.decoded).first
    else { return nil }
    return (file, hasText || blocks.count > 1 ? [.text] : [])
  }

  /// The body of a message, or its one attachment that is a signed file. A time stamp beside it (`.m7m`) would be lost.
  private var attached: Found? {
    var (header, body): ([UInt8], [UInt8]) = ([], [])
    var (isHeader, isEpilogue, hasMore) = (true, false, false)
    var boundaries: [[UInt8]] = []
    var found: [[UInt8]] = []
    func finish() {
      let words = Self.lowercased(header[...])
      let isWanted = ["pkcs7-mime", ".p7m"].contains { words.place(of: $0.utf8) != nil }
      if isWanted, !isEpilogue, !isHeader, let file = Self.decoded(body) {
        found.append(file)
      } else {
        // A header that no line ends is a text.
        let text = isEpilogue || isHeader ? header + body : body
        hasMore = hasMore || !text.allSatisfy(Self.isSpace)
      }
    }
    for line in lines {
      if let boundary = boundaries.first(where: { line.starts(with: $0) }) {
        finish()
        (header, body, isHeader) = ([], [], true)
        isEpilogue = line.dropFirst(boundary.count).starts(with: "--".utf8)
      } else if !isHeader {
        body += line + [0x0A]
      } else if line.isEmpty, !header.isEmpty || !boundaries.isEmpty {
        isHeader = false
        boundaries += Self.boundary(header).map { [[UInt8]("--".utf8) + $0] } ?? []
      } else {
        hasMore = hasMore || !isEpilogue && !Self.isField(line, isFirst: header.isEmpty)
        header += line
      }
    }
    finish()
    let isStamped = head.place(of: "timestamp-".utf8) != nil
    return found.count == 1 && !isStamped ? (found[0], hasMore ? [.message] : []) : nil
  }

  /// True for a line of a header (RFC 5322 §2.2): a field, the rest of one, or the first line of an mbox (RFC 4155).
  private static func isField(_ line: ArraySlice<UInt8>, isFirst: Bool) -> Bool {
    line.allSatisfy(isSpace) || isFirst && line.starts(with: "From ".utf8)
      || !isFirst && line.first.map(isSpace) == true
      || line.prefix { $0 != UInt8(ascii: ":") }.allSatisfy { (0x21...0x7E).contains($0) }
        && line.contains(UInt8(ascii: ":"))
  }

  /// The delimiter of a multipart body (RFC 2046 §5.1.1).
  private static func boundary(_ header: [UInt8]) -> [UInt8]? {
    guard let place = lowercased(header[...]).place(of: "boundary=".utf8) else { return nil }
    let value = header[place...].dropFirst(9)
    let quote = UInt8(ascii: "\"")
    let boundary =
      value.first == quote
      ? value.dropFirst().prefix { $0 != quote }
      : value.prefix { !isSpace($0) && $0 != UInt8(ascii: ";") }
    return boundary.isEmpty ? nil : [UInt8](boundary)
  }

  /// The bytes that a text stands for: base64, or quoted-printable of them or of base64.
  private static func decoded(_ text: [UInt8]) -> [UInt8]? {
    binary(text) ?? binary(unquoted(text))
  }

  private static func binary(_ text: [UInt8]) -> [UInt8]? {
    if isDER(text) { return text }
    let file = Base64.decode(text.filter { !isSpace($0) })
    return file?.first == 0x30 ? file : nil
  }

  private static func isDER(_ bytes: [UInt8]) -> Bool {
    bytes.count > 1 && bytes[0] == 0x30 && bytes[1] >= 0x80
  }

  /// Quoted-printable without its signs (RFC 2045 §6.7).
  private static func unquoted(_ text: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text[..<((text.lastIndex { !isSpace($0) } ?? -1) + 1)]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "=") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2).compactMap { UInt8(hexadecimalDigit: $0) }
      if digits.count == 2 {
        bytes.append(digits[0] << 4 | digits[1])
        rest = rest.dropFirst(2)
      } else if let end = rest.firstIndex(where: { $0 == 0x0A || !isSpace($0) }), rest[end] == 0x0A
      {
        rest = rest[(end + 1)...]
      }
    }
    return bytes
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private static func lowercased(_ text: ArraySlice<UInt8>) -> [UInt8] {
    text.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }
}
