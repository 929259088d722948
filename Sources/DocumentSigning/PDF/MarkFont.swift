internal import CMarkFont
internal import Primitives

/// The font of visible marks, DejaVu Sans Condensed. The glyphs that a mark needs go into its document
/// (ISO 32000-2 §9.9), because PDF/A wants it and because no reader has the letters of all languages.
struct MarkFont {
  private struct Glyph {
    let code: Int
    let advance: Int
    /// Its place among the bytes.
    let outline: Range<Int>
  }

  private let bytes: [UInt8]
  private let glyphs: [Character: Glyph]
  /// The glyphs of the text, by their numbers in the document; the first is that of missing characters.
  private var used: [Glyph]
  private var numbers: [Character: Int] = [:]

  /// Length of the header and of a glyph's row (make-mark-font).
  private static let (headerLength, rowLength) = (22, 6)

  init() {
    var count = 0
    let start = markFont(&count)
    let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
    func number(_ place: Int) -> Int { Int(bytes[place]) << 8 | Int(bytes[place + 1]) }
    var place = Self.headerLength + number(Self.headerLength - 2) * Self.rowLength
    let rows = stride(from: Self.headerLength, to: place, by: Self.rowLength).map { row in
      let length = number(row + 4)
      defer { place += length }
      return Glyph(
        code: number(row), advance: number(row + 2), outline: place..<place + length)
    }
    self.bytes = bytes
    used = [Glyph](rows.prefix(1))
    glyphs = rows.dropFirst().reduce(into: [:]) { found, glyph in
      guard let scalar = Unicode.Scalar(UInt16(glyph.code)) else { return }
      found[Character(scalar)] = glyph
    }
  }

  /// The numbers of a line's glyphs; throws for characters that the font lacks, because a name is not to be changed.
  mutating func encoded(_ line: String) throws(DocumentError) -> [Int] {
    let line = line.map { $0.isWhitespace ? " " : $0 }
    let missing = line.filter { glyphs[$0] == nil }
    guard missing.isEmpty else { throw .refused(.textInMark(String(missing))) }
    return line.compactMap { character in
      if let number = numbers[character] { return number }
      guard let glyph = glyphs[character] else { return nil }
      used.append(glyph)
      numbers[character] = used.count - 1
      return used.count - 1
    }
  }

  /// The width of a line in thousandths of the font's size.
  func width(_ line: [Int]) -> Int { line.reduce(0) { $0 + perMille(used[$1].advance) } }

  /// Appends the font with the glyphs of the text, and returns its number.
  func append(to update: inout IncrementalUpdate) throws(DocumentError) -> Int {
    let program = program
    let file = try update.add([("Length1", "\(program.count)")], stream: program)
    let text = try update.add([], stream: [UInt8](unicode.utf8))
    // A bit for each glyph, which PDF/A-1 wants (ISO 19005-1 §6.3.5).
    let bits = used.indices.reduce(into: [UInt8](repeating: 0, count: (used.count + 7) / 8)) {
      $0[$1 / 8] |= 0x80 >> ($1 % 8)
    }
    let set = try update.add([], stream: bits)
    // Two subsets in one document have different names (ISO 32000-2 §9.9.2).
    let tag = (0..<6).reduce(into: (file, "")) { rest, _ in
      rest = (rest.0 / 26, String(UnicodeScalar(UInt8(0x41 + rest.0 % 26))) + rest.1)
    }
    let name = PDFSyntax.name("\(tag.1)+DejaVuSansCondensed")
    let box = (1...4).map { "\(perMille(header($0)))" }.joined(separator: " ")
    let descriptor = try update.add(
      .dictionary([
        ("Type", "/FontDescriptor"), ("FontName", name), ("Flags", "4"), ("FontBBox", "[\(box)]"),
        ("ItalicAngle", "0"), ("Ascent", "\(perMille(header(5)))"),
        ("Descent", "\(perMille(header(6)))"), ("CapHeight", "\(perMille(header(7)))"),
        ("StemV", "80"), ("FontFile2", "\(file) 0 R"), ("CIDSet", "\(set) 0 R"),
      ])
    ).number
    let widths = used.map { "\(perMille($0.advance))" }.joined(separator: " ")
    let glyphs = try update.add(
      .dictionary([
        ("Type", "/Font"), ("Subtype", "/CIDFontType2"), ("BaseFont", name),
        (
          "CIDSystemInfo",
          .dictionary([
            ("Registry", .string([UInt8]("Adobe".utf8))),
            ("Ordering", .string([UInt8]("Identity".utf8))), ("Supplement", "0"),
          ])
        ),
        ("FontDescriptor", "\(descriptor) 0 R"), ("W", "[0 [\(widths)]]"),
        ("CIDToGIDMap", "/Identity"),
      ])
    ).number
    return try update.add(
      .dictionary([
        ("Type", "/Font"), ("Subtype", "/Type0"), ("BaseFont", name), ("Encoding", "/Identity-H"),
        ("DescendantFonts", "[\(glyphs) 0 R]"), ("ToUnicode", "\(text) 0 R"),
      ])
    ).number
  }

  /// The characters of the glyphs, for readers that search and copy (ISO 32000-2 §9.10.3); a hundred in a block.
  private var unicode: String {
    let rows = used.indices.dropFirst().map { number in
      "<\(TrueType.words(number).hexadecimal)> <\(TrueType.words(used[number].code).hexadecimal)>\n"
    }
    let blocks = stride(from: 0, to: rows.count, by: 100).map { start in
      let block = rows[start..<min(start + 100, rows.count)]
      return "\(block.count) beginbfchar\n\(block.joined())endbfchar\n"
    }
    return """
      /CIDInit /ProcSet findresource begin 12 dict begin begincmap
      /CMapName /Adobe-Identity-UCS def /CMapType 2 def
      1 begincodespacerange <0000> <FFFF> endcodespacerange
      \(blocks.joined())endcmap CMapName currentdict /CMap defineresource pop end end
      """
  }

  /// The TrueType font (OpenType): the tables that a PDF needs, in the order of their names.
  private var program: [UInt8] {
    var (outlines, places, metrics): ([UInt8], [UInt8], [UInt8]) = ([], TrueType.words(0, 0), [])
    for glyph in used {
      let outline = bytes[glyph.outline]
      metrics +=
        TrueType.words(glyph.advance) + (outline.isEmpty ? [0, 0] : outline.dropFirst(2).prefix(2))
      outlines += outline
      places += TrueType.words(outlines.count >> 16, outlines.count)
    }
    let box = TrueType.words(header(1), header(2), header(3), header(4))
    let widest = used.map(\.advance).max() ?? 0
    let zeros = [UInt8](repeating: 0, count: 16)
    return TrueType.file([
      ("glyf", outlines),
      (
        "head",
        TrueType.words(1, 0, 1, 0, 0, 0, 0x5F0F, 0x3CF5, 3, header(0)) + zeros + box
          + TrueType.words(0, 8, 2, 1, 0)
      ),
      (
        "hhea",
        TrueType.words(
          1, 0, header(5), header(6), 0, widest, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, used.count)
      ),
      ("hmtx", metrics), ("loca", places),
      ("maxp", TrueType.words(1, 0, used.count, header(8), header(9), 0, 0, 1) + zeros),
    ])
  }

  /// A number of the header, which may be negative.
  private func header(_ index: Int) -> Int {
    Int(Int16(truncatingIfNeeded: Int(bytes[2 * index]) << 8 | Int(bytes[2 * index + 1])))
  }

  private func perMille(_ length: Int) -> Int {
    Int((Double(length) * 1000 / Double(header(0))).rounded())
  }
}
