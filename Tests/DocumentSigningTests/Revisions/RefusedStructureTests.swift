import Primitives
import Testing

@testable import DocumentSigning

/// Later revisions by whose bytes a reader may show other pages than those that were signed: none of them passes for
/// evidence and signatures, whatever else it adds.
@Suite struct RefusedStructureTests {
  private static let dense = SamplePDF(isStream: true)
  /// Other contents of the page.
  private static let black = HandUpdate.stream("0 0 200 200 re f")
  /// A dead object with such contents in the signed bytes.
  private static let prepared = SamplePDF(others: [black])

  /// Evidence, and something more.
  private static func more(
    _ name: String, _ document: SamplePDF = SamplePDF(), as answer: LaterCase.Answer = .other,
    _ change: @escaping @Sendable (PDFParts, inout HandUpdate) throws -> Void
  ) -> LaterCase {
    var each = LaterCase(name, document) { parts in
      var update = try parts.store()
      try change(parts, &update)
      return try update.appended(to: parts.bytes)
    }
    each.answer = answer
    return each
  }

  private static func row(
    _ number: Int, _ change: @escaping (inout HandUpdate.Row) -> Void
  ) -> (inout [HandUpdate.Row]) -> Void {
    { rows in
      for index in rows.indices where rows[index].number == number { change(&rows[index]) }
    }
  }

  private static func size(_ size: Int, _ document: SamplePDF = prepared) -> LaterCase {
    more("Size \(size)", document) {
      $1.members["Size"] = "\(size)"
    }
  }

  private static func number(_ number: Int, _ document: SamplePDF = SamplePDF()) -> LaterCase {
    LaterCase("number \(number)", document) {
      var update = try $0.store(at: number)
      update.add(4, black, isListed: false)
      return try update.appended(to: $0.bytes)
    }
  }

  static let entries = [
    more("contents of another generation") { $1.add(4, black, generation: 1) },
    more("another generation in the object alone") {
      $1.add(4, black, generation: 1)
      $1.rows = row(4) { $0.third = 0 }
    },
    more("another generation in the entry alone") {
      $1.add(4, black)
      $1.rows = row(4) { $0.third = 1 }
    },
    more("another generation, a stream", dense) { $1.add(4, black, generation: 1) },
    more("a new number whose references have another generation") {
      $1.add($0.next + 2, "null", generation: 1)
      $1.objects[1].body = [UInt8](
        "<</Type /DSS /Certs [\($0.next) 0 R] /VRI \($0.next + 2) 0 R>>".utf8)
    },
    more("a number twice in a table") {
      $1.add(4, black)
      $1.add(4, HandUpdate.stream("0 0 m 10 10 l S"))
    },
    more("a number twice in a stream", dense) {
      $1.add(4, black)
      $1.add(4, HandUpdate.stream("0 0 m 10 10 l S"))
    },
    more("a number twice, once listed") {
      $1.add(4, HandUpdate.stream("0 0 m 10 10 l S"))
      $1.add(4, black, isListed: false)
    },
    more("an entry twice, the second at the old place") { relist($0, &$1) },
    more("an entry twice in a stream, the second at the old place", dense) { relist($0, &$1) },
    more("an unlisted object") { $1.add(4, black, isListed: false) },
    more("an unlisted new object") { $1.add($0.next + 2, black, isListed: false) },
    more("an entry of another object") { parts, update in
      update.add(parts.next + 2, black)
      update.rows = { rows in
        let place = rows.first { $0.number == parts.next + 2 }?.second ?? 0
        rows.append(.init(number: 4, second: place))
      }
    },
    LaterCase("an older version listed again", of: withOldVersion) { parts in
      let old = parts.bytes.indices.first { parts.bytes[$0...].starts(with: "4 0 obj".utf8) }
      var update = try parts.store()
      update.rows = { $0.append(.init(number: 4, second: old ?? 0)) }
      return try update.appended(to: parts.bytes)
    },
    more("a used number freed") { $1.free = [0, 4] },
    LaterCase("a free number taken, which the page names", of: withFreeNumber) {
      var update = try $0.store()
      update.add(20, black)
      return try update.appended(to: $0.bytes)
    },
    more("a new number that the page names", naming) { $1.add(20, black) },
    more("a new number that a stream of dead objects names", SamplePDF(others: ["[20 0 R]"])) {
      $1.add(20, black)
    },
  ]

  /// Lists the catalog once more, where it stood before: readers take the first entry or the last.
  private static func relist(_ parts: PDFParts, _ update: inout HandUpdate) {
    let old = parts.bytes.indices.first { parts.bytes[$0...].starts(with: "1 0 obj".utf8) }
    update.rows = { $0.append(.init(number: 1, second: old ?? 0)) }
  }

  /// A page with a reference to nothing.
  private static let naming = SamplePDF(page: "/Resources <</XObject <</X 20 0 R>>>>")

  @Sendable private static func withFreeNumber() throws -> [UInt8] {
    var update = HandUpdate()
    update.free = [20]
    update.members["Size"] = "21"
    return try Signed.pdf(update.appended(to: naming.bytes))
  }

  @Sendable private static func withOldVersion() throws -> [UInt8] {
    let update = HandUpdate(.table, [4: HandUpdate.stream("0 0 m 10 10 l S")])
    return try Signed.pdf(update.appended(to: SamplePDF(content: "0 0 200 200 re f").bytes))
  }

  static let sections = [
    size(9_000_000), size(900_000_000), size(9_000_000, SamplePDF(others: [black], isStream: true)),
    more("Size below the highest number") { $1.members["Size"] = "\($0.next + 1)" },
    number(100_000_000), number(8_388_609), number(4_194_305, dense), number(2_000_001),
    more("the end of the file far away") { $1.behind = String(repeating: "\n", count: 1010) },
    more("three line ends at the end") { $1.behind = "\n\n\n" },
    more("Prev with a point", as: .damaged) {
      $1.members["Prev"] = "\(try HandUpdate.start(of: $0.bytes)).0"
    },
    more("Prev twice", as: .unsigned) {
      $1.trailer = "/Prev \(try HandUpdate.start(of: SamplePDF().bytes))"
    },
    more("Prev of an older revision", as: .unsigned) {
      $1.members["Prev"] = "\(try HandUpdate.start(of: SamplePDF().bytes))"
    },
    more("no Prev", as: .unsigned) { $1.members["Prev"] = .some(nil) },
    more("an object in a comment") { $1.comment = "%4 0 obj\n" },
    more("a comment that is long") { $1.comment = "%" + String(repeating: "a", count: 120) + "\n" },
    more("two comments") { $1.comment = "%a\n%b\n" },
    more("an object in a stream, by a wrong Length") {
      let hidden = "x\nendstream\nendobj\n4 0 obj\n\(black)\nendobj\n"
      $1.add($0.next + 2, "<</Length 1>>\nstream\n\(hidden)\nendstream")
    },
    more("an object in a stream, whole") {
      $1.add($0.next + 2, HandUpdate.stream("x\n4 0 obj\n\(black)\nendobj\n"))
    },
    more("an object in a string") { $1.add($0.next + 2, "(\n4 0 obj\n<<>>\nendobj\n)") },
    more("a trailer in a string") { $1.add($0.next + 2, "(trailer <</Root 9 0 R>>)") },
    more("a foreign member of the trailer", as: .damaged) { $1.trailer = "/XRefStm 15" },
    more("another Root") {
      $1.add($0.next + 2, try $0.text($0.root, ["Lang": "(x)"]))
      $1.members["Root"] = "\($0.next + 2) 0 R"
    },
    more("a hybrid update with another entry") { _, update in
      update.form = .hybrid
      update.add(4, black)
      update.hidden = [4]
    },
    more("a hybrid update whose table does not list the stream") { _, update in
      update.form = .hybridNotInItself
    },
    LaterCase("contents whose Length is wrong, written again", of: withWrongLength) {
      var update = try $0.store()
      update.add(4, black)
      return try update.appended(to: $0.bytes)
    },
  ]

  @Sendable private static func withWrongLength() throws -> [UInt8] {
    let text = String(SamplePDF().bytes.map { Character(Unicode.Scalar($0)) })
    let wrong = text.replacing("/Length 15", with: "/Length 14").unicodeScalars
    let parts = try PDFParts(wrong.map { UInt8(truncatingIfNeeded: $0.value) })
    return try parts.signature(name: "Prima").signed(parts.bytes)
  }

  @Test(arguments: entries + sections) func structureIsRefused(_ each: LaterCase) throws {
    try each.expectRefused()
  }
}
