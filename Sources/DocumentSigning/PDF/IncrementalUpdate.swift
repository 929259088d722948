internal import Primitives

/// An incremental update (ISO 32000-2 §7.5.6): new objects and a cross-reference section behind the
/// original bytes, which stay as they are.
struct IncrementalUpdate {
  /// The original and what was appended so far.
  private(set) var bytes: [UInt8]
  private let file: PDFFile
  private let security: SecurityHandler?
  /// The place of the last cross-reference section, and whether it is a stream.
  private let last: (offset: Int, isStream: Bool)
  private var nextNumber: Int
  private var offsets: [Int: (offset: Int, generation: Int)] = [:]

  init(_ file: PDFFile) throws(DocumentError) {
    (self.file, bytes) = (file, file.bytes)
    guard let last = Self.lastSection(of: file.bytes) else {
      throw .refused(.structure("startxref"))
    }
    guard let size = file.trailer["Size"].integer, (1...Self.highest).contains(size) else {
      throw .refused(.structure("Size"))
    }
    // A cross-reference stream need not list itself, so that Size may be its very number.
    let next = max(size, ObjectNumbers.highest(in: file.bytes, below: Self.highest) + 1)
    (self.last, nextNumber) = (last, next)
    security = try file.securityHandler()
    if bytes.last != 0x0A { bytes.append(0x0A) }
  }

  /// The highest number of an object. Readers have limits: pdfium, mutool and Ghostscript repair a file that has higher ones
  /// (about 4 or 8 million), and show then what they find.
  private static let highest = 2_000_000

  /// Appends a new object that is no stream; its strings are encrypted if the file is.
  ///
  /// - Returns: its number, and the place of its first byte behind `obj`.
  mutating func add(_ value: PDFSyntax) throws(DocumentError) -> (number: Int, start: Int) {
    let number = newNumber()
    return (number, append(number, 0, try value.bytes(cipher(number, 0))))
  }

  /// Appends a new stream, and returns its number; data and strings are encrypted if the file is.
  mutating func add(_ members: PDFSyntax.Members, stream: [UInt8]) throws(DocumentError) -> Int {
    let number = newNumber()
    let cipher = cipher(number, 0)
    let data = try cipher?.stream(stream) ?? stream
    append(number, 0, try Self.stream(members, data).bytes(cipher))
    return number
  }

  mutating func replace(_ object: PDFObject, with value: PDFSyntax) throws(DocumentError) {
    let (number, generation) = (object.number, object.generation)
    append(number, generation, try value.bytes(cipher(number, generation)))
  }

  /// Appends an indirect dictionary anew, with some members replaced or added.
  mutating func replace(_ object: PDFObject, members: PDFSyntax.Members) throws(DocumentError) {
    try replace(object, with: .dictionary(members, replacing: object))
  }

  private mutating func newNumber() -> Int {
    defer { nextNumber += 1 }
    return nextNumber
  }

  @discardableResult
  private mutating func append(_ number: Int, _ generation: Int, _ value: [UInt8]) -> Int {
    offsets[number] = (bytes.count, generation)
    bytes += [UInt8]("\(number) \(generation) obj\n".utf8)
    let start = bytes.count
    bytes += value + [UInt8]("\nendobj\n".utf8)
    return start
  }

  private static func stream(_ members: PDFSyntax.Members, _ data: [UInt8]) -> PDFSyntax {
    PDFSyntax.dictionary(members + [("Length", "\(data.count)")]) + "\nstream\n"
      + PDFSyntax(data) + "\nendstream"
  }

  private func cipher(_ number: Int, _ generation: Int) -> ObjectCipher? {
    security.map { ObjectCipher($0, number: number, generation: generation) }
  }

  /// The file with the cross-reference section, of the same kind as the last one, and the trailer.
  consuming func finished() throws(DocumentError) -> [UInt8] {
    try file.check()
    guard nextNumber <= Self.highest else { throw .refused(.structure("Size")) }
    let start = bytes.count
    let number = last.isStream ? newNumber() : 0
    if last.isStream { offsets[number] = (start, 0) }
    var members: PDFSyntax.Members = ["Root", "Info", "Encrypt"].compactMap { key in
      let value = file.trailer[key]
      return value.isNull ? nil : (key, PDFSyntax(value))
    }
    members += [("Size", "\(nextNumber)"), ("Prev", "\(last.offset)")]
    if let first = file.trailer["ID"].items?.first?.string {
      // The second half is the beginning of the hash of the file before.
      let second = [UInt8](try ByteSource(file.bytes).hash(.sha256).prefix(16))
      members.append(
        ("ID", "[" + PDFSyntax.string(first) + PDFSyntax.string(second) + "]"))
    }
    // Runs of consecutive object numbers, in order.
    var sections: [Range<Int>] = []
    for number in offsets.keys.sorted() {
      let isNext = sections.last?.upperBound == number
      let first = isNext ? sections.removeLast().lowerBound : number
      sections.append(first..<number + 1)
    }
    if last.isStream {
      append(number, 0, try crossReferenceStream(members, sections).bytes())
    } else {
      let trailer = table(sections) + "trailer\n" + PDFSyntax.dictionary(members) + "\n"
      bytes += try trailer.bytes()
    }
    return bytes + [UInt8]("startxref\n\(start)\n%%EOF\n".utf8)
  }

  /// ISO 32000-2 §7.5.4: entries of twenty bytes.
  private func table(_ sections: [Range<Int>]) -> PDFSyntax {
    var text = "xref\n"
    for section in sections {
      text += "\(section.lowerBound) \(section.count)\n"
      for (offset, generation) in section.compactMap({ offsets[$0] }) {
        text += "\(PDFSyntax.padded(offset, 10)) \(PDFSyntax.padded(generation, 5)) n\r\n"
      }
    }
    return "\(text)"
  }

  /// ISO 32000-2 §7.5.8: fields of one, five and two bytes, without a filter.
  private func crossReferenceStream(
    _ members: PDFSyntax.Members, _ sections: [Range<Int>]
  ) -> PDFSyntax {
    var rows: [UInt8] = []
    for (offset, generation) in sections.joined().compactMap({ offsets[$0] }) {
      let number = 1 << 56 | offset << 16 | generation & 0xFFFF
      rows += stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }
    let index = sections.map { "\($0.lowerBound) \($0.count)" }.joined(separator: " ")
    return Self.stream(
      [("Type", "/XRef"), ("W", "[1 5 2]"), ("Index", "[\(index)]")] + members, rows)
  }

  /// The last cross-reference section, by startxref.
  private static func lastSection(of bytes: [UInt8]) -> (offset: Int, isStream: Bool)? {
    let mark = [UInt8]("startxref".utf8)
    let tail = bytes.suffix(2048)
    guard let place = tail.indices.last(where: { tail[$0...].starts(with: mark) }) else {
      return nil
    }
    let digits = tail[(place + mark.count)...].drop { $0 <= 0x20 }
      .prefix { (0x30...0x39).contains($0) }
    guard !digits.isEmpty, digits.count <= 10 else { return nil }
    let offset = digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    guard offset < bytes.count else { return nil }
    let section = bytes[offset...].drop { $0 <= 0x20 }
    return (offset, !section.starts(with: "xref".utf8))
  }
}
