extension MRZ {
  /// Reads a zone that somebody typed or scanned: its lines, or all characters in one line. Blanks and empty lines
  /// are passed over, small letters are taken as capitals.
  public init(text: String) throws(Malformation) {
    let lines = text.split(whereSeparator: \.isNewline)
      .map { $0.uppercased().utf8.filter { !Self.blanks.contains($0) } }
      .filter { !$0.isEmpty }
    let lengths = lines.map(\.count)
    let isKnown = Format.allCases.contains { format in
      lengths == Array(repeating: format.lineLength, count: format.lines)
    }
    guard isKnown || lengths.count == 1 else { throw .lines(lengths) }
    try self.init(characters: [UInt8](lines.joined()))
  }

  private static var blanks: [UInt8] { [UInt8(ascii: " "), UInt8(ascii: "\t")] }
}
