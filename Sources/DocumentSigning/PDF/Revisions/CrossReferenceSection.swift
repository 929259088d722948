internal import Primitives

/// A cross-reference section (ISO 32000-2 §7.5.4, §7.5.8): where the objects of one revision stand.
struct CrossReferenceSection {
  /// Place of an object.
  enum Entry: Equatable {
    case free
    /// An object in the file.
    case place(Int, generation: Int)
    /// An object in an object stream.
    case member(of: Int, index: Int)
  }

  /// The entries by number; the first one of a number counts, a second one is a fault of an update.
  private(set) var entries: [Int: Entry] = [:]
  let trailer: PDFValue
  /// True for a cross-reference stream.
  let isStream: Bool
  /// The number of the cross-reference stream.
  private(set) var number: Int?
  /// The place behind the section: that of the trailer's dictionary, or of the stream.
  let end: Int

  /// Entries of a section: the largest honest document has a tenth.
  private static let mostEntries = 2_000_000

  /// Reads the section at a place.
  ///
  /// - Parameter isStrict: true for an update, in which no number occurs twice and tables have no second section beside them.
  init(_ bytes: [UInt8], at place: Int, isStrict: Bool) throws(DocumentError) {
    var reader = PDFValueReader(bytes, at: place, mayComment: !isStrict)
    // Some programs name the place of the line end before it.
    if reader.next == 0x0A || reader.next == 0x0D { _ = try reader.take(count: 1) }
    if reader.isAt("xref") {
      var entries: [Int: Entry] = [:]
      try Self.readTable(&reader, isStrict, into: &entries)
      reader.skipSpace()
      try reader.take("trailer")
      reader.skipBlank()
      trailer = try reader.value()
      (isStream, number, end) = (false, nil, reader.position)
      if let hybrid = trailer["XRefStm"].integer {
        guard !isStrict else { throw .outsideGrammar }
        // Entries of the stream count for what the table leaves free (ISO 32000-2 §7.5.8.4).
        let hidden = try CrossReferenceSection(bytes, at: hybrid, isStrict: false)
        guard hidden.isStream else { throw .outsideGrammar }
        entries.merge(hidden.entries) { own, other in own == .free ? other : own }
      }
      self.entries = entries
    } else {
      let object = try IndirectObject(&reader) { (_) in nil }
      guard let data = object.stream, object.value["Type"].name == "XRef" else {
        throw .outsideGrammar
      }
      (trailer, isStream, number, end) = (object.value, true, object.number, reader.position)
      try readStream(data, isStrict)
    }
    // The main section of a linearized file has a trailer with Size alone (ISO 32000-2 annex F.3.4).
    guard trailer.members != nil, !isStrict || trailer["Root"].reference != nil else {
      throw .outsideGrammar
    }
  }

  private static func readTable(
    _ reader: inout PDFValueReader, _ isStrict: Bool, into entries: inout [Int: Entry]
  ) throws(DocumentError) {
    try reader.take("xref")
    // Blanks before the line end, as some programs write them.
    while reader.next == 0x20 { _ = try reader.take(count: 1) }
    guard reader.takeLineEnd() else { throw .outsideGrammar }
    while let byte = reader.next, (0x30...0x39).contains(byte) {
      let first = try reader.number()
      guard try reader.take(count: 1).first == 0x20 else { throw .outsideGrammar }
      let count = try reader.number()
      while reader.next == 0x20 { _ = try reader.take(count: 1) }
      guard reader.takeLineEnd(), count + entries.count <= mostEntries else {
        throw .outsideGrammar
      }
      for number in first..<first + count {
        try add(row(try reader.take(count: 20)), number, isStrict, &entries)
      }
    }
  }

  /// An entry of exactly 20 bytes.
  private static func row(_ bytes: ArraySlice<UInt8>) throws(DocumentError) -> Entry {
    var reader = PDFValueReader([UInt8](bytes))
    let place = try reader.number()
    guard reader.position == 10, try reader.take(count: 1).first == 0x20 else {
      throw .outsideGrammar
    }
    let generation = try reader.number()
    guard reader.position == 16, try reader.take(count: 1).first == 0x20 else {
      throw .outsideGrammar
    }
    let kind = try reader.take(count: 1).first
    guard [[0x20, 0x0A], [0x20, 0x0D], [0x0D, 0x0A]].contains(try reader.take(count: 2)) else {
      throw .outsideGrammar
    }
    switch kind {
    case UInt8(ascii: "n"): return .place(place, generation: generation)
    case UInt8(ascii: "f"): return .free
    default: throw .outsideGrammar
    }
  }

  private static func add(
    _ entry: Entry, _ number: Int, _ isStrict: Bool, _ entries: inout [Int: Entry]
  ) throws(DocumentError) {
    guard entries[number] == nil else {
      guard !isStrict else { throw .outsideGrammar }
      return
    }
    entries[number] = entry
  }

  private mutating func readStream(_ data: [UInt8], _ isStrict: Bool) throws(DocumentError) {
    let widths = trailer["W"].items?.compactMap(\.integer) ?? []
    guard widths.count == 3, widths.allSatisfy({ (0...8).contains($0) }),
      let size = trailer["Size"].integer
    else { throw .outsideGrammar }
    let width = widths.reduce(0, +)
    let index = trailer["Index"].items?.compactMap(\.integer) ?? [0, size]
    guard width > 0, index.count.isMultiple(of: 2), index.allSatisfy({ (0...1 << 31).contains($0) })
    else {
      throw .outsideGrammar
    }
    let count = stride(from: 1, to: index.count, by: 2).reduce(0) { $0 + index[$1] }
    guard count <= Self.mostEntries else { throw .outsideGrammar }
    let rows = try StreamData.decoded(data, of: trailer, atMost: count * (width + 1) + 4096)
    // Some programs leave bytes behind the last entry.
    guard rows.count >= count * width, rows.count == count * width || !isStrict else {
      throw .outsideGrammar
    }
    var place = 0
    func field(_ width: Int) -> Int {
      defer { place += width }
      return rows[place..<place + width].reduce(0) { $0 << 8 | Int($1) } & Int.max
    }
    for pair in stride(from: 0, to: index.count, by: 2) {
      for number in index[pair]..<index[pair] + index[pair + 1] {
        let type = widths[0] == 0 ? 1 : field(widths[0])
        let (second, third) = (field(widths[1]), field(widths[2]))
        switch type {
        case 0: try Self.add(.free, number, isStrict, &entries)
        case 1: try Self.add(.place(second, generation: third), number, isStrict, &entries)
        case 2: try Self.add(.member(of: second, index: third), number, isStrict, &entries)
        default: throw .outsideGrammar
        }
      }
    }
  }
}
