/// The cross-reference sections of a file up to the end of one revision (ISO 32000-2 §7.5.6), and the objects that they list.
struct RevisionChain {
  typealias Entry = CrossReferenceSection.Entry

  let bytes: [UInt8]
  /// The end of the revision: what lies behind it is of later ones.
  private(set) var end: Int
  /// The newest entry of each number.
  private(set) var entries: [Int: Entry]
  /// The newest section.
  private(set) var last: CrossReferenceSection
  /// The place of the newest section.
  private(set) var start: Int
  /// The places of objects and sections, in order, with their numbers; -1 for a section.
  private(set) var places: [(place: Int, number: Int)]
  /// The revision as qpdf reads it, if it is encrypted: its strings are compared as they are decrypted.
  var clear: PDFFile?

  private let streams = ObjectStreams()

  private static let mostSections = 1024

  /// - Parameter end: the end of the bytes that a signature covers.
  init(_ bytes: [UInt8], end: Int) throws(DocumentError) {
    guard bytes.starts(with: "%PDF-".utf8) else { throw .outsideGrammar }
    (self.bytes, self.end) = (bytes, end)
    start = try Self.start(bytes, end)
    var section = try CrossReferenceSection(bytes, at: start, isStrict: false)
    guard section.trailer["Root"].reference != nil else { throw .outsideGrammar }
    (last, entries, places) = (section, [:], [])
    var (seen, place): (Set<Int>, Int) = ([], start)
    while true {
      guard seen.insert(place).inserted, seen.count <= Self.mostSections else {
        throw .outsideGrammar
      }
      note(section, at: place)
      entries.merge(section.entries) { own, _ in own }
      guard section.trailer["Prev"] != .null else { break }
      guard let previous = section.trailer["Prev"].integer, previous < end else {
        throw .outsideGrammar
      }
      place = previous
      section = try CrossReferenceSection(bytes, at: place, isStrict: false)
    }
    places.sort { $0.place < $1.place }
  }

  /// The place that the last startxref names; behind its end-of-file marker there is one line end at most.
  private static func start(_ bytes: [UInt8], _ end: Int) throws(DocumentError) -> Int {
    let word = [UInt8]("startxref".utf8)
    let first = max(0, end - 1024)
    guard end <= bytes.count,
      let found = (first..<max(first, end - word.count)).last(where: {
        bytes[$0...].starts(with: word)
      })
    else { throw .outsideGrammar }
    var reader = PDFValueReader(bytes, at: found, end: end)
    try reader.take("startxref")
    reader.skipSpace()
    let start = try reader.number()
    reader.skipSpace()
    guard reader.isAt("%%EOF") else { throw .outsideGrammar }
    _ = try reader.take(count: 5)
    _ = reader.takeLineEnd()
    guard reader.position == end, start < end else { throw .outsideGrammar }
    return start
  }

  private mutating func note(_ section: CrossReferenceSection, at place: Int) {
    places.append((place, -1))
    for (number, entry) in section.entries {
      if case .place(let place, _) = entry { places.append((place, number)) }
    }
  }

  /// Goes on to the revision that an update makes.
  mutating func append(_ update: RevisionUpdate) {
    note(update.section, at: update.start)
    places.sort { $0.place < $1.place }
    entries.merge(update.section.entries) { _, new in new }
    (last, start, end) = (update.section, update.start, update.end)
  }

  var trailer: PDFValue { last.trailer }
  /// The catalog.
  func root() throws(DocumentError) -> PDFValue { try resolve(trailer["Root"]) }

  /// The greatest number that is listed.
  var greatest: Int { entries.keys.max() ?? 0 }

  func isInUse(_ number: Int) -> Bool {
    switch entries[number] {
    case .place, .member: true
    case .free, nil: false
    }
  }

  /// The generation of an object in use; nil for others. That of a compressed one is 0.
  func generation(of number: Int) -> Int? {
    switch entries[number] {
    case .place(_, let generation): generation
    case .member: 0
    case .free, nil: nil
    }
  }

  /// An object that stands in the file by itself, read strictly.
  func object(_ number: Int) throws(DocumentError) -> IndirectObject? {
    try object(number) { (length) throws(DocumentError) in
      try object(length.number) { (_) in nil }?.value.integer
    }
  }

  private func object(
    _ number: Int, length: (PDFReference) throws(DocumentError) -> Int?
  ) throws(DocumentError) -> IndirectObject? {
    guard case .place(let place, let generation) = entries[number] else { return nil }
    var reader = PDFValueReader(bytes, at: place, end: end, mayComment: true)
    let object = try IndirectObject(&reader, length: length)
    guard object.number == number, object.generation == generation else { throw .outsideGrammar }
    return object
  }

  /// The values in an object stream, which is read once.
  func members(of container: Int) throws(DocumentError) -> [(number: Int, value: PDFValue)] {
    guard case .place(let place, _) = entries[container] else { throw .outsideGrammar }
    if let known = streams.members[place] { return known }
    guard let object = try object(container) else { throw .outsideGrammar }
    let members = try object.members(&streams.rest, mayExtend: true)
    streams.members[place] = members
    return members
  }

  /// The object streams that were read, by their places: the copies of a chain share them, because bytes do not change.
  private final class ObjectStreams {
    var members: [Int: [(number: Int, value: PDFValue)]] = [:]
    var rest = PDFValueReader.mostValues
  }

  /// The value of an object, of a stream its dictionary; null for a number that is not in use.
  func value(_ number: Int) throws(DocumentError) -> PDFValue {
    guard let generation = generation(of: number) else { return .null }
    if let clear {
      var reader = PDFValueReader(
        clear.object(PDFReference(number: number, generation: generation)).ownSyntax)
      return try reader.value()
    }
    if let object = try object(number) { return object.value }
    guard case .member(let container, let index) = entries[number] else { throw .outsideGrammar }
    let members = try members(of: container)
    guard members.indices.contains(index), members[index].number == number else {
      throw .outsideGrammar
    }
    return members[index].value
  }

  /// A value itself, or that of the object to which it refers.
  func resolve(_ value: PDFValue) throws(DocumentError) -> PDFValue {
    guard let reference = value.reference else { return value }
    return generation(of: reference.number) == reference.generation
      ? try self.value(reference.number) : .null
  }
}
