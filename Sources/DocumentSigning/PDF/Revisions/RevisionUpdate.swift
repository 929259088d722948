internal import Primitives

/// An incremental update (ISO 32000-2 §7.5.6) of which every byte is accounted for: objects, one cross-reference section, its
/// trailer, and nothing that a reader which repairs files could take for more.
struct RevisionUpdate {
  /// The objects that stand in the update, by number.
  private(set) var objects: [Int: IndirectObject] = [:]
  /// The values of compressed objects, by number.
  private(set) var compressed: [Int: PDFValue] = [:]
  let section: CrossReferenceSection
  /// The place of the section.
  let start: Int
  /// The end of the update, one line end behind its end-of-file marker included.
  let end: Int

  /// Beyond these numbers pdfium, MuPDF and Ghostscript repair a file, and show what no section lists; honest ones stay
  /// below 2 000.
  private static let greatestNumber = 2_000_000
  /// Size may promise more numbers than there are by so many; by millions, MuPDF and poppler repair.
  private static let spareNumbers = 5_000
  /// Bytes that are searched for lengths of streams behind them.
  private static let mostSearched = 1 << 30
  /// White space in a row, and the length of a comment: honest updates have 4 and 60.
  private static let (longestSpace, longestComment) = (64, 120)

  /// Reads the update at the end of a revision.
  ///
  /// - Parameter rest: the number of values that may still be read.
  init(behind chain: RevisionChain, _ rest: inout Int) throws(DocumentError) {
    var reader = PDFValueReader(chain.bytes, at: chain.end, rest: rest)
    try Self.skipSpace(&reader)
    try Self.skipComment(&reader)
    var places: [Int: IndirectObject] = [:]
    var lengths: [(place: PDFReference, count: Int)] = []
    while let byte = reader.next, (0x30...0x39).contains(byte) {
      let place = reader.position
      let object = try IndirectObject(&reader) { (length) throws(DocumentError) in
        try Self.integer(length, in: chain.bytes[chain.end...])
      }
      if let length = object.value["Length"].reference, let stream = object.stream {
        lengths.append((length, stream.count))
        guard lengths.count * (chain.bytes.count - chain.end) < Self.mostSearched else {
          throw .outsideGrammar
        }
      }
      places[place] = object
      guard objects.updateValue(object, forKey: object.number) == nil else { throw .outsideGrammar }
      try Self.skipSpace(&reader)
    }
    let isTable = reader.isAt("xref")
    let table = reader.position
    rest = reader.rest
    var own: CrossReferenceSection?
    if isTable {
      let section = try CrossReferenceSection(chain.bytes, at: table, isStrict: true)
      reader = PDFValueReader(chain.bytes, at: section.end)
      own = section
      try Self.skipSpace(&reader)
    }
    try Self.skipComment(&reader)
    let place = try Self.ending(&reader)
    // The place of the line end before the table will do.
    let isThere = place == table || place + 1 == table && Self.isLineEnd(chain.bytes[place])
    guard isTable ? isThere : places[place] != nil else { throw .outsideGrammar }
    // A length is one that the update lists, as every reader finds it.
    for (place, count) in lengths {
      guard let object = objects[place.number], object.generation == place.generation,
        object.value.integer == count
      else { throw .outsideGrammar }
    }
    if let own {
      section = own
    } else {
      section = try CrossReferenceSection(chain.bytes, at: place, isStrict: true)
    }

    (start, end) = (place, reader.position)
    // Ghostscript repairs every file in which a table follows a stream.
    guard section.isStream || !chain.last.isStream else { throw .outsideGrammar }
    try checkWords(chain.bytes[chain.end..<end])
    try checkTrailer(chain)
    try checkEntries(chain, places, &rest)
  }

  private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  /// The integer of an object in an update, looked for by its head: it may stand behind the stream whose length it is. That
  /// the object is listed is checked later, and that no other place has the words of one.
  private static func integer(
    _ reference: PDFReference, in bytes: ArraySlice<UInt8>
  ) throws(DocumentError) -> Int? {
    let head = [UInt8]("\(reference.number) \(reference.generation) obj".utf8)
    var rest = bytes
    while let place = rest.place(of: head) {
      if place > bytes.startIndex, PDFValueReader.isSpace(bytes[place - 1]) {
        var reader = PDFValueReader([UInt8](bytes[place...].prefix(128)))
        return try IndirectObject(&reader) { (_) in nil }.value.integer
      }
      rest = rest[(place + 1)...]
    }
    return nil
  }

  private static func skipSpace(_ reader: inout PDFValueReader) throws(DocumentError) {
    guard reader.skipSpace() <= longestSpace else { throw .outsideGrammar }
  }

  /// Skips one line of comment, as iText writes it before startxref and PyMuPDF before the first object.
  private static func skipComment(_ reader: inout PDFValueReader) throws(DocumentError) {
    guard reader.next == UInt8(ascii: "%") else { return }
    let start = reader.position
    while let byte = reader.next, (0x20...0x7E).contains(byte) { _ = try reader.take(count: 1) }
    guard reader.position - start <= longestComment, reader.takeLineEnd() else {
      throw .outsideGrammar
    }
    try skipSpace(&reader)
  }

  /// Reads startxref, the place, and the end-of-file marker: a line end apart, and not more than one behind.
  private static func ending(_ reader: inout PDFValueReader) throws(DocumentError) -> Int {
    try reader.take("startxref")
    guard reader.takeLineEnd() else { throw .outsideGrammar }
    let place = try reader.number()
    guard reader.takeLineEnd() else { throw .outsideGrammar }
    try reader.take("%%EOF")
    _ = reader.takeLineEnd()
    return place
  }

  /// Checks that the words by which a reader repairs a file occur where the grammar has them, and nowhere else: not in a
  /// stream, a string or a comment.
  private func checkWords(_ bytes: ArraySlice<UInt8>) throws(DocumentError) {
    let streams = objects.values.count { $0.stream != nil }
    let words = [
      ("endobj", objects.count), ("startxref", 1), ("%%EOF", 1), ("endstream", streams),
      ("trailer", section.isStream ? 0 : 1),
    ]
    var counts = [Int](repeating: 0, count: words.count)
    var (tables, heads) = (0, 0)
    for place in bytes.indices {
      switch bytes[place] {
      case UInt8(ascii: "e"), UInt8(ascii: "s"), UInt8(ascii: "%"), UInt8(ascii: "t"):
        for (index, word) in words.enumerated() where bytes[place...].starts(with: word.0.utf8) {
          counts[index] += 1
        }
      case UInt8(ascii: "x")
      where place > bytes.startIndex && [0x0A, 0x0D].contains(bytes[place - 1]):
        if bytes[place...].starts(with: "xref".utf8) { tables += 1 }
      case UInt8(ascii: "o") where bytes[place...].starts(with: "obj".utf8):
        if Self.isHead(bytes[..<place]) { heads += 1 }
      default: break
      }
    }
    // The first line end before a table may be the last one of the revision before it.
    guard zip(words, counts).allSatisfy({ $0.1 == $1 }), heads == objects.count,
      tables <= (section.isStream ? 0 : 1)
    else { throw .outsideGrammar }
  }

  /// True if two numbers stand before the place.
  private static func isHead(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    for _ in 0..<2 {
      let space = rest.reversed().prefix { PDFValueReader.isSpace($0) }.count
      rest = rest.dropLast(space)
      let digits = rest.reversed().prefix { (0x30...0x39).contains($0) }.count
      guard space > 0, digits > 0 else { return false }
      rest = rest.dropLast(digits)
    }
    return true
  }

  /// Members of a cross-reference stream's dictionary that describe it.
  private static let streamKeys: Set<String> = [
    "Type", "W", "Index", "Filter", "DecodeParms", "Length",
  ]

  private func checkTrailer(_ chain: RevisionChain) throws(DocumentError) {
    let (old, new) = (chain.trailer, section.trailer)
    guard new["Prev"].integer == chain.start, new["Root"] == old["Root"],
      new["Encrypt"] == old["Encrypt"],
      new["XRefStm"] == .null
    else { throw .outsideGrammar }
    // The first part of ID is in the key (ISO 32000-2 §7.6.4.3).
    guard new["Encrypt"] == .null || new["ID"].items?.first == old["ID"].items?.first else {
      throw .outsideGrammar
    }
    let known: Set<String> = ["Size", "Root", "Info", "ID", "Prev", "Encrypt"]
    for (key, value) in new.members ?? [:] where !known.contains(key) {
      guard section.isStream && Self.streamKeys.contains(key) || old[key] == value else {
        throw .outsideGrammar
      }
    }
    let greatest = max(chain.greatest, section.entries.keys.max() ?? 0)
    guard let size = new["Size"].integer, greatest <= Self.greatestNumber,
      (greatest + 1...greatest + Self.spareNumbers).contains(size)
        || size == old["Size"].integer && (greatest...Self.greatestNumber).contains(size - 1)
    else { throw .outsideGrammar }
  }

  private mutating func checkEntries(
    _ chain: RevisionChain, _ places: [Int: IndirectObject], _ rest: inout Int
  ) throws(DocumentError) {
    var containers: [Int: [(number: Int, value: PDFValue)]] = [:]
    for (number, entry) in section.entries {
      switch entry {
      case .free: guard number == 0 || !chain.isInUse(number) else { throw .outsideGrammar }
      case .place(let place, let generation):
        guard let object = places[place], object.number == number, object.generation == generation
        else {
          throw .outsideGrammar
        }
      case .member(let container, let index):
        guard let object = objects[container], chain.clear == nil else { throw .outsideGrammar }
        if containers[container] == nil { containers[container] = try object.members(&rest) }
        let members = containers[container] ?? []

        guard members.indices.contains(index), members[index].number == number else {
          throw .outsideGrammar
        }
        compressed[number] = members[index].value
      }
      guard number > 0, entry != .free else { continue }
      let generation = if case .place(_, let own) = entry { own } else { 0 }
      // A number that was free stays free; one in use keeps its generation.
      guard chain.entries[number] == nil || chain.generation(of: number) == generation else {
        throw .outsideGrammar
      }
    }
    for number in objects.keys where section.entries[number] == nil {
      guard number == section.number else { throw .outsideGrammar }
    }
  }

  /// The numbers of the objects that the update lists, but for its own cross-reference and object streams.
  var numbers: [Int] {
    section.entries.keys.filter { number in
      guard section.entries[number] != .free, number != section.number else { return false }
      return objects[number]?.value["Type"].name != "ObjStm"
    }
  }
}
