import Testing
import Primitives

@testable import DocumentSigning

/// A way to change a signed file behind its signatures, applied to any of them.
struct ForgeryTrick: CustomTestStringConvertible, Sendable {
  let name: String
  /// - Throws: `Forgery.DoesNotApply` if a file has nothing of the kind.
  let change: @Sendable (inout Forgery) throws -> Void
  /// True if the bytes are white space between two updates, once a further update follows.
  let isHarmlessBefore: Bool

  var testDescription: String { name }

  init(
    _ name: String, isHarmlessBefore: Bool = false,
    _ change: @escaping @Sendable (inout Forgery) throws -> Void
  ) {
    (self.name, self.change, self.isHarmlessBefore) = (name, change, isHarmlessBefore)
  }
}

/// A forged file that is being made.
struct Forgery {
  struct DoesNotApply: Error {}

  let parts: PDFParts
  var update: HandUpdate
  /// Members of dictionaries that change, by the object's number.
  private var changes: [Int: (object: PDFObject, members: [(key: String, value: String?)])] = [:]
  /// The least number that is free.
  private(set) var next: Int
  /// A second step, over the file with the update.
  var step: (([UInt8]) throws -> [UInt8])?

  /// - Parameter hasEvidence: true for an update that would be allowed but for the trick.
  init(_ file: [UInt8], hasEvidence: Bool) throws {
    parts = try PDFParts(file)
    update = parts.update()
    next = parts.next
    guard hasEvidence else { return }
    var store = try parts.store()
    let catalog = store.objects.removeLast()
    update.objects = store.objects
    next += store.objects.count
    // The catalog is written with the changes of the trick.
    change(parts.root, "DSS", "\(next - 1) 0 R")
    assert(catalog.number == parts.root.number)
  }

  static let black = "0 0 200 200 re f"

  var page: PDFObject { parts.page }
  /// The number of the page's contents.
  var contents: Int { parts.page["Contents"].number }

  /// A stream of contents that paint the page, under this number.
  func black(_ number: Int, generation: Int = 0) throws -> [UInt8] {
    try parts.stream([UInt8](Self.black.utf8), number: number, generation: generation)
  }

  mutating func change(_ object: PDFObject, _ key: String, _ value: String?) {
    changes[object.number, default: (object, [])].members.append((key, value))
  }

  /// Adds an object under a new number, and returns its reference.
  mutating func add(_ body: String) -> String {
    defer { next += 1 }
    update.add(next, body)
    return "\(next) 0 R"
  }

  mutating func add(stream: String, _ members: String = "") throws -> String {
    defer { next += 1 }
    update.add(next, try parts.stream([UInt8](stream.utf8), number: next, members))
    return "\(next) 0 R"
  }

  /// The first signature field of the form.
  func signedField() throws -> PDFObject {
    guard let field = SignatureField.all(of: parts.file).first(where: { $0.signature != nil })
    else { throw DoesNotApply() }
    return field.object
  }

  func object(_ wanted: (PDFObject) -> Bool, in array: PDFObject) throws -> PDFObject {
    guard let found = array.items?.first(where: wanted) else { throw DoesNotApply() }
    return found
  }

  consuming func file() throws -> [UInt8] {
    for (number, change) in changes.sorted(by: { $0.key < $1.key }) {
      guard change.object.isIndirect else { throw DoesNotApply() }
      // The last word on a member counts.
      var last: [String: String?] = [:]
      for (key, value) in change.members { last[key] = .some(value) }
      update.add(number, try parts.text(change.object, last.map { ($0.key, $0.value) }))
    }
    let file = try update.appended(to: parts.bytes)
    return try step?(file) ?? file
  }
}
