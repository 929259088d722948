/// Text in Helvetica with WinAnsiEncoding (ISO 32000-2 annex D), which every reader has.
struct MarkText {
  private let codes: [Character: UInt8]

  init() {
    var codes: [Character: UInt8] = [:]
    for code in Array(0x20...0x7E) + Array(0xA1...0xFF) as [UInt8] where code != 0xAD {
      codes[Character(Unicode.Scalar(code))] = code
    }
    for (index, character) in Self.upper.enumerated() where character != " " {
      codes[character] = 0x80 + UInt8(index)
    }
    self.codes = codes
  }

  /// Codes 0x80 to 0x9F; a space where there is none.
  private static let upper = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ"

  /// A line; throws for characters that the encoding lacks, because a name is not to be changed.
  func encoded(_ line: String) throws(DocumentError) -> [UInt8] {
    let missing = line.filter { !$0.isWhitespace && codes[$0] == nil }
    guard missing.isEmpty else { throw .refused(.textInMark(missing)) }
    return line.map { codes[$0] ?? 0x20 }
  }

  /// The width in thousandths of the font's size: for letters outside of ASCII that of the widest one.
  static func width(_ line: [UInt8]) -> Int {
    line.reduce(0) { sum, code in
      sum + ((0x20...0x7E).contains(code) ? widths[Int(code) - 0x20] : 1000)
    }
  }

  /// Widths of the characters 0x20 to 0x7E (Adobe Core 14 AFM files, Helvetica).
  private static let widths = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
  ]
}
