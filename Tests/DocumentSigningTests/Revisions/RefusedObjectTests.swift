import Primitives
import Testing

@testable import DocumentSigning

/// Later revisions whose bytes are as they should be, and whose objects change more than a signature does.
@Suite struct RefusedObjectTests {
  private static let drawing = HandUpdate.stream(
    "0 0 200 200 re f", "/Type /XObject /Subtype /Form /BBox [0 0 200 200]")
  private static let flat = HandUpdate.stream(
    "0 0 200 200 re f", "/Type /XObject /Subtype /Form /BBox [0 0 0 0]")

  /// A further signature in a field with these members; `N` is an appearance that paints the page, `M` one without area.
  private static func field(_ members: String, as answer: LaterCase.Answer = .shown) -> LaterCase {
    var each = LaterCase("a field with \(members)") {
      let text = members.replacing(" N", with: " \($0.next + 2) 0 R")
      var update = try $0.signature(text.replacing(" M", with: " \($0.next + 3) 0 R"))
      update.add($0.next + 2, drawing)
      update.add($0.next + 3, flat)
      return try update.signed($0.bytes)
    }
    each.answer = answer
    return each
  }

  static let fields = [
    field("/Rect [0 0 0 0] /AP <</N N>>"),
    field("/Rect [100 100 100 100] /AP <</N N>>"),
    field("/Rect [100 100 100 100]"),
    field("/Rect [0 0 200 200]"),
    field("/Rect [0 0 200 200] /AP <</N M>>"),
    field("/Rect [0 0 0 0] /AP <</N <</On N>>>> /AS /On"),
    field("/Rect [0 0 0 0] /AP <</N M /D N>>"),
    field("/Rect [0 0 0 0] /AP <</D N>>"),
    field("/Rect [0 0 200 200] /F 32 /AP <</N N>>"),
    field("/Rect [0 0 200 200] /F 4 /AP <</N N>>"),
    field("/Rect [0 0 0 0] /MK <</BG [0] /BC [0]>> /BS <</W 300>>", as: .other),
    field("/Rect [0 0 0 0] /F 2 /F 4 /AP <</N N>>", as: .other),
    field("/Rect [0 0 0 0 200 200] /F 2", as: .other),
    field("/Rect [0 0 0 (0)] /F 2", as: .other),
    field("/Rect [0 0 0 0] /F 2.0 /AP <</N N>>", as: .other),
    field("/Rect [0 0 0 0] /A <</S /JavaScript /JS (x)>>", as: .other),
    field("/Rect [0 0 0 0] /AA <</E <</S /Named /N /Print>>>>", as: .other),
    field("/Rect [0 0 0 0] /Kids []", as: .other),
    field("/Rect [0 0 0 0] /OC <<>>", as: .other),
  ]

  private static let withText = SamplePDF(
    catalog: "/AcroForm <</Fields [5 0 R] /DR <<>>>>", page: "/Annots [5 0 R]",
    others: ["<</Type /Annot /Subtype /Widget /FT /Tx /T (Prezzo) /V (1) /Rect [0 0 9 9]>>"])

  static let forms = [
    LaterCase("resources beside a field of text", withText) {
      try $0.signature(form: "/DR <</Font <<>>>>").signed($0.bytes)
    },
    LaterCase("appearances to be made anew") {
      try $0.signature(form: "/NeedAppearances true").signed($0.bytes)
    },
    LaterCase("a field outside the form") { try $0.signature(in: ["Annots"]).signed($0.bytes) },
    LaterCase("a field that comes first") {
      var update = try $0.signature()
      let root = try (update.objects.firstIndex { $0.number == 1 }).unwrapped()
      let (own, all) = (
        "\($0.next + 1) 0 R", String(decoding: update.objects[root].body, as: UTF8.self)
      )
      update.objects[root].body = [UInt8](
        all.replacing(" \(own)]", with: "]").replacing("/Fields [", with: "/Fields [\(own) ").utf8)
      return try update.signed($0.bytes)
    },
    LaterCase("a signature in a field of text", withText) {
      var update = $0.update()
      let field = try $0.field("Prezzo")
      update.add($0.next, HandUpdate.signature())
      update.add($0.next + 1, drawing)
      update.add(
        field.number,
        try $0.text(field, ["V": "\($0.next) 0 R", "AP": "<</N \($0.next + 1) 0 R>>"]))
      return try update.signed($0.bytes)
    },
    LaterCase("XMP that is the page's contents too", of: sharingMetadata) {
      var update = try $0.signature()
      update.add(5, HandUpdate.stream("0 0 200 200 re f", "/Type /Metadata"))
      return try update.signed($0.bytes)
    },
    LaterCase("fields that are the page's contents too", of: sharingFields) {
      try $0.signature().signed($0.bytes)
    },
    LaterCase("a kid that is a field of its own", kid(of: "Sig", "/FT /Tx"), of: "Prima") {
      try signedKid($0)
    },
    LaterCase("a kid of a field of text", kid(of: "Tx", "/FT /Sig /T (Terza)"), of: "Prima") {
      try signedKid($0)
    },
  ]

  @Sendable private static func sharingMetadata() throws -> [UInt8] {
    try sharing(
      SamplePDF(
        catalog: "/Metadata 5 0 R", others: [HandUpdate.stream("0 0 m", "/Type /Metadata")]))
  }

  @Sendable private static func sharingFields() throws -> [UInt8] {
    try sharing(SamplePDF(catalog: "/AcroForm <</Fields 5 0 R>>", others: ["[]"]))
  }

  /// A document whose object 5 is the page's contents.
  private static func sharing(_ document: SamplePDF) throws -> [UInt8] {
    let text = document.bytes.map { Character(Unicode.Scalar($0)) }
    let shared = String(text).replacing("/Contents 4 0 R", with: "/Contents 5 0 R")
    return try Signed.pdf(shared.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
  }

  private static func kid(of type: String, _ members: String) -> SamplePDF {
    SamplePDF(
      catalog: "/AcroForm <</Fields [5 0 R 7 0 R]>>", page: "/Annots [6 0 R 7 0 R]",
      others: [
        "<</FT /\(type) /T (Seconda) /Kids [6 0 R]>>",
        "<</Type /Annot /Subtype /Widget /Parent 5 0 R /Rect [0 0 200 200] \(members)>>",
        SamplePDF.field("Prima"),
      ])
  }

  private static func signedKid(_ parts: PDFParts) throws -> [UInt8] {
    var update = parts.update()
    let (parent, kid) = (parts.next, parts.next + 1)
    let field = try parts.field("Seconda")
    let widget = try (field["Kids"].items?.first).unwrapped()
    update.add(parent, HandUpdate.signature())
    update.add(kid, drawing)
    let isKid = widget["FT"].name == "Sig"
    let (value, picture) = ("\(parent) 0 R", "<</N \(kid) 0 R>>")
    update.add(field.number, try parts.text(field, ["V": isKid ? nil : value]))
    update.add(widget.number, try parts.text(widget, ["AP": picture, "V": isKid ? value : nil]))
    return try update.signed(parts.bytes)
  }

  @Test(arguments: fields + forms) func objectsAreRefused(_ each: LaterCase) throws {
    try each.expectRefused()
  }

  static let steps = [
    LaterCase("another page in between", SamplePDF()) {
      var show = try $0.store()
      show.add(4, HandUpdate.stream("0 0 200 200 re f"))
      let parts = try PDFParts(show.appended(to: $0.bytes))
      var back = parts.update()
      back.add(4, HandUpdate.stream("0 0 m 10 10 l S"))
      return try back.appended(to: parts.bytes)
    },
    LaterCase(
      "a value that is no signature",
      SamplePDF(
        catalog: "/AcroForm <</Fields [5 0 R 6 0 R]>>", page: "/Annots [5 0 R 6 0 R]",
        others: [SamplePDF.field("Prima"), SamplePDF.field("Seconda")]), of: "Prima"
    ) {
      var update = $0.update()
      update.add($0.next, HandUpdate.signature())
      let field = try $0.field("Seconda")
      update.add(field.number, try $0.text(field, ["V": "\($0.next) 0 R"]))
      return try update.appended(to: $0.bytes)
    },
    LaterCase("a signature that is taken away") {
      var update = $0.update()
      let field = try $0.field("Signature1")
      update.add(field.number, try $0.text(field, ["V": nil]))
      return try update.appended(to: $0.bytes)
    },
  ]

  @Test(arguments: steps) func stepsAreRefused(_ each: LaterCase) throws {
    let (_, later) = try each.files()
    let report = try Signed.judge(later)
    #expect(report.outcome != .proved)
    #expect(report.signatures.filter { $0.laterBytes > 0 }.allSatisfy { $0.laterContent == .other })
  }
}
