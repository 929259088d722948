import DocumentSigning
import Primitives
import Testing

/// The published attacks by a later update of a signed PDF (incremental saving, evil annotation, sneaky signature, shadow),
/// generated over what the module signed. They are not taken for further signatures; the signed revision comes out.
@Suite struct LaterAttackTests {
  /// A document with a form, a note, an unused page for shadows and an empty field for the second signer.
  private static let document = SamplePDF(
    catalog: "/AcroForm <</Fields [6 0 R 7 0 R] /SigFlags 3>>", page: "/Annots [5 0 R 6 0 R 7 0 R]",
    others: [
      "<</Type /Annot /Subtype /Text /Rect [9 9 20 20] /Contents (Nota)>>",
      "<</Type /Annot /Subtype /Widget /FT /Tx /T (Prezzo) /V (100) /Rect [0 0 50 9] /F 4>>",
      SamplePDF.field("Secondo"),
      "<</Length 7>>\nstream\n0 0 m f\nendstream",
    ]
  ).bytes

  /// The new field has the number 11.
  private let signed: [UInt8]

  init() throws {
    var particulars = PDFParticulars()
    particulars.field = "Primo"
    signed = try Signed.pdf(Self.document, particulars)
  }

  /// An attack: objects that are written anew, and members of the trailer.
  struct Attack: CustomTestStringConvertible {
    let name: String
    let objects: [(number: Int, text: String)]
    var root = 1

    var testDescription: String { name }
  }

  static let attacks = [
    Attack(name: "ISA: contents of the page", objects: [(4, stream("1 1 m f"))]),
    Attack(
      name: "ISA: another page tree",
      objects: [
        (2, "<</Type /Pages /Kids [30 0 R] /Count 1>>"),
        (30, "<</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9]>>"),
      ]),
    Attack(
      name: "ISA: another catalogue", objects: [(31, "<</Type /Catalog /Pages 2 0 R>>")], root: 31),
    Attack(name: "ISA: nothing but bytes", objects: []),
    Attack(
      name: "EAA: a note changed",
      objects: [
        (5, "<</Type /Annot /Subtype /Text /Rect [9 9 20 20] /Contents (Altro)>>")
      ]),
    Attack(
      name: "EAA: an annotation over the page",
      objects: [
        (3, page(annotations: "5 0 R 6 0 R 7 0 R 11 0 R 32 0 R")),
        (32, "<</Type /Annot /Subtype /FreeText /Rect [0 0 200 200] /AP <</N 8 0 R>>>>"),
      ]),
    Attack(
      name: "EAA: a stamp in a widget's form",
      objects: [
        (3, page(annotations: "5 0 R 6 0 R 7 0 R 11 0 R 33 0 R")),
        (
          33,
          "<</Type /Annot /Subtype /Widget /FT /Btn /T (X) /Rect [0 0 200 200] /AP <</N 8 0 R>>>>"
        ),
      ]),
    Attack(
      name: "SSA: a visible field of no signature",
      objects: [
        (1, catalog("6 0 R 7 0 R 11 0 R 34 0 R")),
        (3, page(annotations: "5 0 R 6 0 R 7 0 R 11 0 R 34 0 R")),
        (
          34,
          "<</Type /Annot /Subtype /Widget /FT /Sig /T (S) /Rect [0 0 200 200] /AP <</N 8 0 R>>>>"
        ),
      ]),
    Attack(
      name: "SSA: an empty value",
      objects: [
        (
          7,
          "<</Type /Annot /Subtype /Widget /FT /Sig /T (Secondo) /Rect [0 0 200 200] /AP <</N 8 0 R>> /V <<>>>>"
        )
      ]),
    Attack(name: "shadow, hide: an object taken away", objects: [(5, "null")]),
    Attack(
      name: "shadow, replace: a value of the form",
      objects: [
        (6, "<</Type /Annot /Subtype /Widget /FT /Tx /T (Prezzo) /V (900) /Rect [0 0 50 9] /F 4>>")
      ]),
    Attack(
      name: "shadow, hide and replace: the page has other contents",
      objects: [
        (3, page(annotations: "5 0 R 6 0 R 7 0 R 11 0 R", contents: 8))
      ]),
    Attack(
      name: "form: default appearance and scripts",
      objects: [
        (
          1,
          "<</Type /Catalog /Pages 2 0 R /OpenAction <</S /JavaScript /JS (x)>> /AcroForm <</Fields [6 0 R 7 0 R 11 0 R] /SigFlags 3>>>>"
        )
      ]),
  ]

  private static func stream(_ content: String) -> String {
    "<</Length \(content.utf8.count)>>\nstream\n\(content)\nendstream"
  }

  private static func page(annotations: String, contents: Int = 4) -> String {
    "<</Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents \(contents) 0 R /Annots [\(annotations)]>>"
  }

  private static func catalog(_ fields: String) -> String {
    "<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [\(fields)] /SigFlags 3>>>>"
  }

  /// The file with an update of this attack.
  private func update(_ file: [UInt8], _ attack: Attack) throws -> [UInt8] {
    let text = String(decoding: file, as: UTF8.self)
    let previous = try #require(
      text.split(separator: "startxref\n").last?.prefix { $0.isNumber })
    var bytes = file
    var table = attack.objects.isEmpty ? "xref\n0 0\n" : "xref\n"
    for object in attack.objects {
      let offset = String(bytes.count)
      table += "\(object.number) 1\n" + String(repeating: "0", count: 10 - offset.count) + offset
      table += " 00000 n\r\n"
      bytes += [UInt8]("\(object.number) 0 obj\n\(object.text)\nendobj\n".utf8)
    }
    let start = bytes.count
    let trailer = "trailer\n<</Size 40 /Root \(attack.root) 0 R /Prev \(previous)>>"
    return bytes + [UInt8]("\(table)\(trailer)\nstartxref\n\(start)\n%%EOF\n".utf8)
  }

  @Test(arguments: attacks) func later(attack: Attack) throws {
    let forged = try update(signed, attack)
    let report = try Signed.judge(forged)
    #expect(report.outcome != .proved)
    // Another catalogue leaves no signature; a false one has no revision.
    #expect(attack.root != 1 || report.signatures.contains { $0.laterContent == .other })
    for signature in report.signatures where signature.laterBytes > 0 {
      #expect(signature.laterContent == .other)
      #expect(try DocumentJudge.signedRevision(of: ByteSource(forged), signature) == signed)
    }
    // With the signature of a second person behind it, who did not see it.
    var second = PDFParticulars()
    second.field = "Secondo"
    guard attack.root == 1, let hidden = try? Signed.pdf(forged, by: .anna, second) else { return }
    let both = try Signed.judge(hidden)
    let first = try #require(both.signatures.first { $0.laterBytes > 0 })
    #expect(first.laterContent == .other || attack.objects.isEmpty)
    #expect(both.outcome != .proved || attack.objects.isEmpty)
  }

  /// The check can fail: an honest second signature is none of these.
  @Test func honest() throws {
    var second = PDFParticulars()
    second.field = "Secondo"
    let both = try Signed.judge(try Signed.pdf(signed, by: .anna, second))
    #expect(both.outcome == .proved)
    #expect(both.signatures.contains { $0.laterContent == .signatures })
  }
}
