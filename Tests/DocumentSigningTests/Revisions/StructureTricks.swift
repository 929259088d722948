import Primitives

@testable import DocumentSigning

/// Tricks with the bytes of an update: entries, sections and words by which a reader finds another object.
enum StructureTricks {
  static let all = [
    ForgeryTrick("contents of another generation") {
      $0.update.add($0.contents, try $0.black($0.contents, generation: 1), generation: 1)
    },
    ForgeryTrick("another generation in the object alone") { forgery in
      let number = forgery.contents
      forgery.update.add(number, try forgery.black(number, generation: 1), generation: 1)
      forgery.update.rows = row(number) { $0.third = 0 }
    },
    ForgeryTrick("another generation in the entry alone") { forgery in
      let number = forgery.contents
      forgery.update.add(number, try forgery.black(number))
      forgery.update.rows = row(number) { $0.third = 1 }
    },
    ForgeryTrick("contents twice in the section") {
      $0.update.add($0.contents, try $0.black($0.contents))
      $0.update.add($0.contents, try $0.black($0.contents))
    },
    ForgeryTrick("unlisted contents") {
      $0.update.add($0.contents, try $0.black($0.contents), isListed: false)
    },
    ForgeryTrick("an unlisted catalog") {
      $0.update.add(
        $0.parts.root.number, try $0.parts.text($0.parts.root, ["OpenAction": "[0]"]),
        isListed: false)
    },
    ForgeryTrick("contents listed at another object") { forgery in
      let (number, other) = (forgery.contents, forgery.next)
      _ = try forgery.add(stream: Forgery.black)
      forgery.update.rows = { rows in
        let place = rows.first { $0.number == other }?.second ?? 0
        rows.append(.init(number: number, second: place))
      }
    },
    ForgeryTrick("contents listed at their old place") { try listAgain($0.contents, &$0) },
    ForgeryTrick("the catalog listed at its first place") {
      try listAgain($0.parts.root.number, &$0)
    },
    ForgeryTrick("a number that is no object") { forgery in
      let number = forgery.next
      forgery.update.rows = { $0.append(.init(number: number, second: 9)) }
    },
    ForgeryTrick("contents freed") { $0.update.free = [$0.contents] },
    ForgeryTrick("the page freed") { $0.update.free = [$0.page.number] },
    ForgeryTrick("a hybrid update, with contents in the stream") {
      $0.update.form = .hybrid
      $0.update.add($0.contents, try $0.black($0.contents))
      $0.update.hidden = [$0.contents]
    },
    ForgeryTrick("a hybrid update that does not list its stream") {
      $0.update.form = .hybridNotInItself
    },
    ForgeryTrick("a table behind a stream, unlisted contents") {
      guard $0.parts.form != .table else { throw Forgery.DoesNotApply() }
      $0.update.form = .table
      $0.update.add($0.contents, try $0.black($0.contents), isListed: false)
    },
    ForgeryTrick("a table behind a stream") {
      guard $0.parts.form != .table else { throw Forgery.DoesNotApply() }
      $0.update.form = .table
    },
    ForgeryTrick("Size of MuPDF's limit") { $0.update.members["Size"] = "9000000" },
    ForgeryTrick("Size of poppler's limit") { $0.update.members["Size"] = "900000000" },
    ForgeryTrick("Size zero") { $0.update.members["Size"] = "0" },
    ForgeryTrick("a number of pdfium's limit") { $0.update.add(100_000_000, "null") },
    ForgeryTrick("a number of MuPDF's limit") { $0.update.add(8_388_609, "null") },
    ForgeryTrick("a number of Ghostscript's limit") {
      $0.update.form = .stream
      $0.update.add(4_194_305, "null")
    },
    ForgeryTrick("Prev twice") { $0.update.trailer += "/Prev 0 " },
    ForgeryTrick("Prev with a point") {
      $0.update.members["Prev"] = "\(try HandUpdate.start(of: $0.parts.bytes)).0"
    },
    ForgeryTrick("no Prev") { $0.update.members["Prev"] = .some(nil) },
    ForgeryTrick("Root twice") { $0.update.trailer += "/Root \($0.page.number) 0 R " },
    ForgeryTrick("another Root") {
      $0.update.members["Root"] = $0.add(try $0.parts.text($0.parts.root, [:]))
    },
    ForgeryTrick("an entry for encryption") {
      guard !$0.parts.file.isEncrypted else { throw Forgery.DoesNotApply() }
      $0.update.trailer += "/Encrypt <</Filter /Standard /V 1 /R 2 /O () /U () /P 0>> "
    },
    ForgeryTrick("contents in a stream with a wrong Length") {
      let number = $0.contents
      let hidden = "x\nendstream\nendobj\n\(number) 0 obj\n\(HandUpdate.stream(Forgery.black))"
      _ = $0.add("<</Length 1>>\nstream\n\(hidden)\nendobj\n\nendstream")
    },
    ForgeryTrick("contents in a stream") {
      let hidden = "\n\($0.contents) 0 obj\n\(HandUpdate.stream(Forgery.black))\nendobj\n"
      _ = $0.add(HandUpdate.stream(hidden))
    },
    ForgeryTrick("contents in a string") {
      _ = $0.add("(\n\($0.contents) 0 obj\n\(HandUpdate.stream(Forgery.black))\nendobj\n)")
    },
    ForgeryTrick("a word of an object in a comment") {
      $0.update.comment = "%\($0.contents) 0 obj\n"
    },
    ForgeryTrick("contents in front of the first object, in a comment") {
      $0.update.lead = "%\n\($0.contents) 0 obj <<>> endobj\n"
    },
    ForgeryTrick("contents behind the end") { forgery in
      let number = forgery.contents
      forgery.step = { file in
        file + [UInt8]("\(number) 0 obj\n\(HandUpdate.stream(Forgery.black))\nendobj\n".utf8)
      }
    },
    ForgeryTrick("the end of the file far away") { forgery in
      let number = forgery.contents
      forgery.update.add(number, try forgery.black(number), isListed: false)
      forgery.update.behind = String(repeating: "\n", count: 1100)
    },
    ForgeryTrick("line ends behind the end", isHarmlessBefore: true) {
      $0.update.behind = "\n\n\n"
    },
    ForgeryTrick("a second startxref") { forgery in
      forgery.step = { $0 + [UInt8]("startxref\n9\n%%EOF\n".utf8) }
    },
  ]

  /// Lists an object where its oldest version stands.
  private static func listAgain(_ number: Int, _ forgery: inout Forgery) throws {
    let (head, bytes) = ([UInt8]("\(number) 0 obj".utf8), forgery.parts.bytes)
    guard let place = bytes.indices.first(where: { bytes[$0...].starts(with: head) }) else {
      throw Forgery.DoesNotApply()
    }
    forgery.update.rows = { rows in
      rows.removeAll { $0.number == number }
      rows.append(.init(number: number, second: place))
    }
  }

  private static func row(
    _ number: Int, _ change: @escaping (inout HandUpdate.Row) -> Void
  ) -> (inout [HandUpdate.Row]) -> Void {
    { rows in
      for index in rows.indices where rows[index].number == number { change(&rows[index]) }
    }
  }
}
