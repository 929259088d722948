internal import Primitives

/// An incremental update (ISO 32000-2 §7.5.6): new objects and a cross-reference section behind the
/// original bytes, which stay as they are.
struct IncrementalUpdate {
  /// The original and what was appended so far.
  private(set) var bytes: [UInt8]
  private let previous: Int
  private let isStream: Bool
  private let trailer: [(key: String, value: [UInt8])]
  private let identifier: [UInt8]?
  private let security: SecurityHandler?
  private var nextNumber: Int
  private var offsets: [Int: (offset: Int, generation: Int)] = [:]

  init(_ file: PDFFile) throws(PDFError) {
    bytes = file.bytes
    guard let (offset, isStream) = Self.lastSection(of: file.bytes) else {
      throw .refused(.structure("startxref"))
    }
    guard let size = file.trailer["Size"].integer, (1..<8_388_607).contains(size) else {
      throw .refused(.structure("Size"))
    }
    (previous, self.isStream, nextNumber) = (offset, isStream, size)
    trailer = ["Root", "Info", "Encrypt"].compactMap { key in
      let value = file.trailer[key]
      return value.isNull ? nil : (key, value.syntax)
    }
    security = try file.securityHandler()
    identifier = file.trailer["ID"].items?.first?.string
    if bytes.last != 0x0A { bytes.append(0x0A) }
  }

  /// The number of a new object.
  mutating func newNumber() -> Int {
    defer { nextNumber += 1 }
    return nextNumber
  }

  /// Appends an object that is no stream; its strings are encrypted if the file is.
  ///
  /// - Parameter head: the number of bytes at its beginning that are not encrypted.
  /// - Returns: the place of its first byte behind `obj`.
  @discardableResult
  mutating func append(
    _ number: Int, generation: Int = 0, _ value: [UInt8], sparing head: Int = 0
  ) throws(PDFError) -> Int {
    let value = try cipher(number, generation)?.syntax(value, sparing: head) ?? value
    return append(number, generation, raw: value)
  }

  /// Appends a stream; its data and strings are encrypted if the file is.
  mutating func append(
    _ number: Int, _ members: [(key: String, value: [UInt8])], stream: [UInt8]
  ) throws(PDFError) {
    let cipher = cipher(number, 0)
    let data = try cipher?.stream(stream) ?? stream
    let members = members + [("Length", [UInt8]("\(data.count)".utf8))]
    let dictionary = PDFSyntax.dictionary(nil, replacing: members)
    append(
      number, 0,
      raw: (try cipher?.syntax(dictionary, sparing: 0) ?? dictionary) + [UInt8]("\nstream\n".utf8)
        + data + [UInt8]("\nendstream".utf8))
  }

  @discardableResult
  private mutating func append(_ number: Int, _ generation: Int, raw value: [UInt8]) -> Int {
    offsets[number] = (bytes.count, generation)
    bytes += [UInt8]("\(number) \(generation) obj\n".utf8)
    let start = bytes.count
    bytes += value + [UInt8]("\nendobj\n".utf8)
    return start
  }

  private func cipher(_ number: Int, _ generation: Int) -> ObjectCipher? {
    security.map { ObjectCipher($0, number: number, generation: generation) }
  }

  /// Appends the cross-reference section, of the same kind as the last one, and the trailer.
  mutating func finish(identifier second: [UInt8]) {
    let start = bytes.count
    if isStream { offsets[newNumber()] = (start, 0) }
    var members =
      trailer + [
        ("Size", [UInt8]("\(nextNumber)".utf8)), ("Prev", [UInt8]("\(previous)".utf8)),
      ]
    if let identifier {
      members.append(
        (
          "ID",
          [UInt8(ascii: "[")] + PDFSyntax.string(identifier) + PDFSyntax.string(second)
            + [UInt8(ascii: "]")]
        ))
    }
    if isStream {
      appendStream(members)
    } else {
      appendTable()
      bytes += [UInt8]("trailer\n".utf8) + PDFSyntax.dictionary(nil, replacing: members)
    }
    bytes += [UInt8]("\nstartxref\n\(start)\n%%EOF\n".utf8)
  }

  /// Runs of consecutive object numbers, in order.
  private var sections: [(first: Int, numbers: [Int])] {
    var sections: [(first: Int, numbers: [Int])] = []
    for number in offsets.keys.sorted() {
      if let last = sections.last, last.first + last.numbers.count == number {
        sections[sections.count - 1].numbers.append(number)
      } else {
        sections.append((number, [number]))
      }
    }
    return sections
  }

  /// ISO 32000-2 §7.5.4: entries of twenty bytes.
  private mutating func appendTable() {
    var text = "xref\n"
    for section in sections {
      text += "\(section.first) \(section.numbers.count)\n"
      for number in section.numbers {
        let (offset, generation) = offsets[number] ?? (0, 0)
        text += "\(PDFSyntax.padded(offset, 10)) \(PDFSyntax.padded(generation, 5)) n\r\n"
      }
    }
    bytes += [UInt8](text.utf8)
  }

  /// ISO 32000-2 §7.5.8: fields of one, five and two bytes, without a filter.
  private mutating func appendStream(_ members: [(key: String, value: [UInt8])]) {
    var rows: [UInt8] = []
    for number in offsets.keys.sorted() {
      let (offset, generation) = offsets[number] ?? (0, 0)
      rows.append(1)
      rows += stride(from: 32, through: 0, by: -8).map { UInt8(truncatingIfNeeded: offset >> $0) }
      rows += [UInt8(truncatingIfNeeded: generation >> 8), UInt8(truncatingIfNeeded: generation)]
    }
    let index = sections.map { "\($0.first) \($0.numbers.count)" }.joined(separator: " ")
    let own: [(key: String, value: [UInt8])] = [
      ("Type", [UInt8]("/XRef".utf8)), ("W", [UInt8]("[1 5 2]".utf8)),
      ("Index", [UInt8]("[\(index)]".utf8)), ("Length", [UInt8]("\(rows.count)".utf8)),
    ]
    bytes += [UInt8]("\(nextNumber - 1) 0 obj\n".utf8)
    bytes += PDFSyntax.dictionary(nil, replacing: own + members)
    bytes += [UInt8]("\nstream\n".utf8) + rows + [UInt8]("\nendstream\nendobj".utf8)
  }

  /// The place of the last cross-reference section, and whether it is a stream.
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
