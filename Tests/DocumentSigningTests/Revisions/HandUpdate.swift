import Primitives
import Testing

@testable import DocumentSigning

/// An update of a PDF by hand (ISO 32000-2 §7.5.6), in any form that a program or a forger may give it.
struct HandUpdate {
  /// An object that stands in the file by itself.
  struct Object {
    var number: Int
    var generation = 0
    var body: [UInt8]
    var isListed = true
  }

  /// An entry with the three fields of a cross-reference stream (ISO 32000-2 table 18).
  struct Row {
    var number: Int
    var type = 1
    var second = 0
    var third = 0
  }

  enum Form {
    case table, stream, streamNotInItself
    /// A table beside a stream with the same entries (ISO 32000-2 §7.5.8.4).
    case hybrid, hybridNotInItself
  }

  var form = Form.table
  var objects: [Object] = []
  /// Values in an object stream, by number.
  var compressed: [(number: Int, value: String)] = []
  /// Numbers that are listed as free.
  var free: [Int] = []
  /// Numbers that the stream of a hybrid form lists, and the table does not.
  var hidden: Set<Int> = []
  /// Changes the entries before they are written.
  var rows: (inout [Row]) -> Void = { _ in }
  /// A cross-reference stream of the entries, in front of the table.
  var hybrid: (([Row]) -> [UInt8])?
  /// Texts in front of the first object, in front of startxref, and behind the end-of-file marker.
  var (lead, comment, behind) = ("", "", "\n")
  var entryEnd = " \n"
  /// Further members of the trailer.
  var trailer = ""
  /// Members of the trailer that differ from the file's; nil to leave one out.
  var members: [String: String?] = [:]
  /// Room of a signature, in hexadecimal digits.
  private static let room = 6000

  init(_ form: Form = .table) { self.form = form }

  /// An update with some objects under their numbers.
  init(_ form: Form = .table, _ objects: KeyValuePairs<Int, String>) {
    self.form = form
    self.objects = objects.map { Object(number: $0.key, body: [UInt8]($0.value.utf8)) }
  }

  mutating func add(_ number: Int, _ body: String, generation: Int = 0, isListed: Bool = true) {
    add(number, [UInt8](body.utf8), generation: generation, isListed: isListed)
  }

  mutating func add(
    _ number: Int, _ body: [UInt8], generation: Int = 0, isListed: Bool = true
  ) {
    objects.append(
      Object(number: number, generation: generation, body: body, isListed: isListed))
  }

  /// The file with this update behind it.
  func appended(to file: [UInt8]) throws -> [UInt8] {
    var bytes = file + [UInt8](lead.utf8)
    var rows = free.map { Row(number: $0, type: 0) }
    let (size, inherited) = try Self.trailer(of: file)
    var objects = objects
    let highest = (objects.map(\.number) + compressed.map(\.number) + [size - 1]).max() ?? 0
    var next = highest + 1
    if !compressed.isEmpty {
      objects.append(Object(number: next, body: [UInt8](Self.objectStream(compressed).utf8)))
      rows += compressed.enumerated().map {
        Row(number: $1.number, type: 2, second: next, third: $0)
      }
      next += 1
    }
    for object in objects {
      if object.isListed {
        rows.append(Row(number: object.number, second: bytes.count, third: object.generation))
      }
      bytes += [UInt8]("\(object.number) \(object.generation) obj\n".utf8) + object.body
      bytes += [UInt8]("\nendobj\n".utf8)
    }
    let listed = form == .table ? next - 1 : next
    var own = inherited
    own["Size"] = "\(listed + 1)"
    own.merge(members) { $1 }
    let text = own.sorted { $0.key < $1.key }.compactMap { key, value in
      value.map { "/\(key) \($0)" }
    }.joined(separator: " ")
    var start = bytes.count
    switch form {
    case .table, .streamNotInItself, .hybridNotInItself: break
    case .stream, .hybrid: rows.append(Row(number: next, second: start))
    }
    rows.sort { $0.number < $1.number }
    self.rows(&rows)
    let members = "\(text) \(trailer)"
    switch form {
    case .table: bytes += table(rows, members)
    case .stream, .streamNotInItself:
      bytes += Self.crossReferenceStream(next, rows, members)
    case .hybrid, .hybridNotInItself:
      bytes += Self.crossReferenceStream(next, rows, members)
      let place = start
      start = bytes.count
      bytes += table(rows.filter { !hidden.contains($0.number) }, "\(members) /XRefStm \(place)")
    }
    return bytes + [UInt8]("\(comment)startxref\n\(start)\n%%EOF\(behind)".utf8)
  }

  /// The size and the members that an update takes over, Prev included.
  private static func trailer(of file: [UInt8]) throws -> (Int, [String: String?]) {
    let old = try PDFFile.open(file, isStrict: false).trailer
    var members: [String: String?] = ["Prev": "\(try start(of: file))"]
    for key in ["Root", "Info", "Encrypt", "ID"] where !old[key].isNull {
      members[key] = String(decoding: old[key].syntax, as: UTF8.self)
    }
    return (try old["Size"].integer.unwrapped(), members)
  }

  /// The place that the last startxref names.
  static func start(of file: [UInt8]) throws -> Int {
    let word = [UInt8]("startxref".utf8)
    let found = file.indices.last { file[$0...].starts(with: word) }
    let digits = file[(try found.unwrapped() + word.count)...].drop { $0 <= 0x20 }
      .prefix { (0x30...0x39).contains($0) }
    return try Int(String(decoding: digits, as: UTF8.self)).unwrapped()
  }

  private func table(_ rows: [Row], _ members: String) -> [UInt8] {
    let entries = rows.map { row in
      let fields = "\(PDFSyntax.padded(row.second, 10)) \(PDFSyntax.padded(row.third, 5))"
      return "\(row.number) 1\n\(fields) \(row.type == 0 ? "f" : "n")\(entryEnd)"
    }.joined()
    return [UInt8]("xref\n\(entries)trailer\n<<\(members)>>\n".utf8)
  }

  /// ISO 32000-2 §7.5.8, with fields of one, four and two bytes.
  static func crossReferenceStream(_ number: Int, _ rows: [Row], _ members: String) -> [UInt8] {
    let data = rows.flatMap { row in
      [UInt8(row.type)] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: row.second >> $0) }
        + [8, 0].map { UInt8(truncatingIfNeeded: row.third >> $0) }
    }
    let index = rows.map { "\($0.number) 1" }.joined(separator: " ")
    let head = "<</Type /XRef /W [1 4 2] /Index [\(index)] /Length \(data.count) \(members)>>"
    return [UInt8]("\(number) 0 obj\n\(head)\nstream\n".utf8) + data
      + [UInt8]("\nendstream\nendobj\n".utf8)
  }

  private static func objectStream(_ values: [(number: Int, value: String)]) -> String {
    var (head, body) = ("", "")
    for (number, value) in values {
      head += "\(number) \(body.utf8.count) "
      body += "\(value) "
    }
    let members = "/Type /ObjStm /N \(values.count) /First \(head.utf8.count)"
    return stream(head + body, members)
  }

  static func stream(_ data: String, _ members: String = "") -> String {
    "<<\(members) /Length \(data.utf8.count)>>\nstream\n\(data)\nendstream"
  }

  static func stream(_ data: [UInt8], _ members: String = "") -> [UInt8] {
    [UInt8]("<<\(members) /Length \(data.count)>>\nstream\n".utf8) + data
      + [UInt8]("\nendstream".utf8)
  }

  /// A signature dictionary with room for the signature.
  static func signature(_ members: String = "") -> String {
    let zeros = String(repeating: "0", count: room)
    return "<</Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached "
      + "/ByteRange [0 0000000000 0000000000 0000000000] /Contents <\(zeros)> \(members)>>"
  }

  /// The file with this update, and with the signature of its last signature dictionary.
  func signed(_ file: [UInt8], by name: TestSigner.Name = .anna) throws -> [UInt8] {
    var bytes = try appended(to: file)
    let range = [UInt8]("/ByteRange [0 0000000000".utf8)
    let place = try bytes.indices.last { bytes[$0...].starts(with: range) }.unwrapped()
    let open = try bytes[place...].firstIndex(of: UInt8(ascii: "<")).unwrapped()
    let close = open + Self.room + 2
    let numbers = [open, close, bytes.count - close].map { PDFSyntax.padded($0, 10) }
    bytes.replaceSubrange(
      place + 14..<place + 46, with: numbers.joined(separator: " ").utf8)
    let content = [UInt8](bytes[..<open] + bytes[close...])
    let digits = [UInt8](try Signed.cms(content, isAttached: false, by: name).hexadecimal.utf8)
    try #require(digits.count <= Self.room)
    bytes.replaceSubrange(open + 1..<open + 1 + digits.count, with: digits)
    return bytes
  }
}
