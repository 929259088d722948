import Primitives
import Testing

@testable import DocumentSigning

/// Certifications (DocMDP) and locks (FieldMDP) of a signature against the signatures behind it (ISO 32000-2 §12.8.2.2,
/// §12.8.2.4), and honest updates that the grammar gives up.
@Suite struct CertifiedLaterTests {
  /// A document that its author certified.
  ///
  /// - Parameter permission: P; nil for none, which is 2.
  static func certified(
    _ permission: Int?, _ document: [UInt8] = SamplePDF().bytes
  ) throws -> [UInt8] {
    let p = permission.map { "/P \($0)" } ?? ""
    return try referring(
      "DocMDP", "\(p) /V /1.2", document, catalog: ("Perms", "<</DocMDP SIGNATURE>>"))
  }

  private static func referring(
    _ method: String, _ parameters: String, _ document: [UInt8],
    catalog: (key: String, value: String)? = nil
  ) throws -> [UInt8] {
    let parts = try PDFParts(document)
    let reference =
      "/Reference [<</Type /SigRef /TransformMethod /\(method) /TransformParams <</Type /TransformParams \(parameters)>>>>]"
    return try parts.signature(name: "Prima", signature: reference, catalog: catalog)
      .signed(parts.bytes, by: .mario)
  }

  private static func locked(_ parameters: String) throws -> [UInt8] {
    try referring("FieldMDP", "\(parameters) /V /1.2", SamplePDF().bytes)
  }

  static let allowed = [
    LaterCase("certified, P=2", of: { try certified(2) }) { try $0.signature().signed($0.bytes) },
    LaterCase("certified, P=3", of: { try certified(3) }) { try $0.signature().signed($0.bytes) },
    LaterCase("certified without P", of: { try certified(nil) }) {
      try $0.signature().signed($0.bytes)
    },
    LaterCase("a lock on another field", of: { try locked("/Action /Include /Fields [(Terza)]") }) {
      try $0.signature().signed($0.bytes)
    },
    LaterCase(
      "a lock but for the field", of: { try locked("/Action /Exclude /Fields [(Seconda)]") }
    ) {
      try $0.signature().signed($0.bytes)
    },
  ]

  @Test(arguments: allowed) func signaturesThatAreAllowed(_ each: LaterCase) throws {
    let report = try Signed.judge(each.files().later)
    #expect(report.outcome == .proved)
    #expect(report.signatures.map(\.laterContent) == [.signatures, LaterContent.none])
  }

  static let refused = [
    LaterCase("certified, P=1", of: { try certified(1) }) { try $0.signature().signed($0.bytes) },
    LaterCase("all fields locked", of: { try locked("/Action /All") }) {
      try $0.signature().signed($0.bytes)
    },
    LaterCase("the field locked", of: { try locked("/Action /Include /Fields [(A) (Seconda)]") }) {
      try $0.signature().signed($0.bytes)
    },
    LaterCase("all but another field locked", of: { try locked("/Action /Exclude /Fields [(A)]") })
    {
      try $0.signature().signed($0.bytes)
    },
    LaterCase("an unknown lock", of: { try locked("/Action /None") }) {
      try $0.signature().signed($0.bytes)
    },
    LaterCase("certified, P=1, then evidence and a signature", of: { try certified(1) }) {
      let parts = try PDFParts($0.store().appended(to: $0.bytes))
      return try parts.signature().signed(parts.bytes)
    },
  ]

  @Test(arguments: refused) func signaturesThatAreForbidden(_ each: LaterCase) throws {
    try each.expectRefused()
  }

  /// Evidence is no change, whatever a certification says.
  @Test(arguments: [1, 2, 3]) func evidenceIsNoChange(permission: Int) throws {
    let parts = try PDFParts(Self.certified(permission))
    #expect(Signed.isProved(try parts.store().appended(to: parts.bytes)))
  }

  /// Forms of an update that honest programs seldom write, and in which too much can be hidden.
  static let givenUp = [
    LaterCase("given up: a comment in an object") {
      var update = try $0.store()
      update.objects[1].body.insert(contentsOf: "%the store\n".utf8, at: 2)
      return try update.appended(to: $0.bytes)
    },
    LaterCase("given up: a table with a stream of the same entries") {
      try $0.store(form: .hybrid).appended(to: $0.bytes)
    },
    LaterCase("given up: a table behind a stream", SamplePDF(isStream: true)) {
      try $0.store(form: .table).appended(to: $0.bytes)
    },
  ]

  /// An update whose first stream has its length in an object behind it.
  private static func withLength(
    _ parts: PDFParts, off difference: Int = 0, generation: Int = 0, isListed: Bool = true
  ) throws -> [UInt8] {
    var update = try parts.store()
    let text = String(update.objects[0].body.prefix(40).map { Character(Unicode.Scalar($0)) })
    let length = try (text.firstMatch(of: /\/Length (\d+)>>/)).unwrapped()
    let head = "<</Length \(parts.next + 2) \(generation) R>>"
    let end = text.distance(from: text.startIndex, to: length.range.upperBound)
    update.objects[0].body.replaceSubrange(..<end, with: head.utf8)
    let count = try Int(length.output.1).unwrapped() + difference
    update.add(parts.next + 2, String(count), isListed: isListed)
    return try update.appended(to: parts.bytes)
  }

  /// A length is a number of the same update.
  static let lengths = [
    LaterCase("an indirect Length that is too long") { try withLength($0, off: 2) },
    LaterCase("an indirect Length that is too short") { try withLength($0, off: -3) },
    LaterCase("an indirect Length of another generation") { try withLength($0, generation: 1) },
    LaterCase("an indirect Length that is not listed") { try withLength($0, isListed: false) },
    LaterCase("an indirect Length in the signed revision") {
      var update = try $0.store()
      let body = String(update.objects[0].body.map { Character(Unicode.Scalar($0)) })
      let changed = body.replacing(/\/Length \d+/, with: "/Length 4 0 R").unicodeScalars
      update.objects[0].body = changed.map { UInt8(truncatingIfNeeded: $0.value) }
      return try update.appended(to: $0.bytes)
    },
  ]

  @Test(arguments: lengths) func lengthsAreRefused(_ each: LaterCase) throws {
    try each.expectRefused()
  }

  @Test(arguments: [SamplePDF(), SamplePDF(isStream: true)])
  func indirectLength(sample: SamplePDF) throws {
    let signed = try Signed.pdf(sample.bytes)
    let report = try Signed.judge(Self.withLength(PDFParts(signed)))
    #expect(report.outcome == .proved && report.signatures[0].laterContent == .signatures)
  }

  @Test(arguments: givenUp) func formsThatAreGivenUp(_ each: LaterCase) throws {
    try each.expectRefused()
  }
}
