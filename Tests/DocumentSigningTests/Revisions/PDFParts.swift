import CIECard
import Primitives
import Testing

@testable import DocumentSigning

/// The parts of a file on which updates by hand are built, as qpdf reads them.
struct PDFParts {
  let bytes: [UInt8]
  let file: PDFFile
  let page: PDFObject

  init(_ bytes: [UInt8], password: [UInt8] = []) throws {
    self.bytes = bytes
    file = try PDFFile.open(bytes, password: password, isStrict: false)
    page = try (file.root["Pages"]["Kids"].items?.first).unwrapped()
  }

  var root: PDFObject { file.root }
  /// The least number that no object has.
  var next: Int { file.trailer["Size"].integer ?? 0 }
  /// The kind of the last cross-reference section.
  var form: HandUpdate.Form {
    let start = (try? HandUpdate.start(of: bytes)) ?? 0
    return bytes[start...].starts(with: "xref".utf8) ? .table : .stream
  }

  /// The text of a dictionary with some members changed, or left out.
  func text(_ object: PDFObject, _ changes: KeyValuePairs<String, String?>) throws -> String {
    try text(object, changes.map { ($0.key, $0.value) })
  }

  func text(_ object: PDFObject, _ changes: [(key: String, value: String?)]) throws -> String {
    let changed = Set(changes.map(\.key))
    let cipher = try cipher(object.number)
    let kept = try object.keys.filter { !changed.contains($0) }.map { key in
      "/\(key) " + String(decoding: try PDFSyntax(object[key]).bytes(cipher), as: UTF8.self)
    }
    let new = changes.compactMap { key, value in value.map { "/\(key) \($0)" } }
    return "<<" + (kept + new).joined(separator: " ") + ">>"
  }

  private func cipher(_ number: Int, _ generation: Int = 0) throws -> ObjectCipher? {
    try file.securityHandler().map { ObjectCipher($0, number: number, generation: generation) }
  }

  /// A stream as it stands in the file, encrypted if the file is.
  func stream(_ data: [UInt8], number: Int, generation: Int = 0, _ members: String = "") throws
    -> [UInt8]
  {
    let own = try cipher(number, generation)?.stream(data) ?? data
    return HandUpdate.stream(own, members)
  }

  /// The text of an array, direct or not, with a member more.
  func text(_ array: PDFObject, adding member: String) throws -> String {
    let items = try (array.items ?? []).map {
      String(decoding: try PDFSyntax($0).bytes(), as: UTF8.self)
    }
    return "[" + (items + [member]).joined(separator: " ") + "]"
  }

  /// A field of the form by its own name.
  func field(_ name: String) throws -> PDFObject {
    try (root["AcroForm"]["Fields"].items?.first { $0["T"].text == name }).unwrapped()
  }

  /// An empty update of the kind of the last section.
  func update() -> HandUpdate { HandUpdate(form) }

  /// An update that stores the certificate of a signer's issuer (ISO 32000-2 §12.8.4.3), under this number and the next.
  func store(at number: Int? = nil, generation: Int = 0, form: HandUpdate.Form? = nil) throws
    -> HandUpdate
  {
    let first = number ?? next
    var update = HandUpdate(form ?? self.form)
    let der = try (TestSigner.named(.mario).trust.certificates.first).unwrapped().der
    update.add(
      first, try stream(der, number: first, generation: generation), generation: generation)
    let list = try text(root["DSS"]["Certs"], adding: "\(first) \(generation) R")
    update.add(
      first + 1, try text(root["DSS"], ["Type": "/DSS", "Certs": list]), generation: generation)
    update.add(root.number, try text(root, ["DSS": "\(first + 1) \(generation) R"]))
    return update
  }

  /// An update with a signature in a new field, for `HandUpdate.signed`.
  ///
  /// - Parameters:
  ///   - field: members beside those of every signature field.
  ///   - signature: members of the signature dictionary.
  ///   - form: members of the form that change.
  ///   - catalog: a further member of the catalog; `SIGNATURE` is the dictionary's reference.
  ///   - lists: the arrays that name the field.
  func signature(
    _ field: String = "/Rect [0 0 0 0] /F 132", name: String = "Seconda",
    signature: String = "", catalog: (key: String, value: String)? = nil, form more: String = "",
    in lists: Set<String> = ["Fields", "Annots"]
  ) throws -> HandUpdate {
    var update = update()
    let number = next
    update.add(number, HandUpdate.signature(signature))
    update.add(
      number + 1,
      "<</Type /Annot /Subtype /Widget /FT /Sig /T (\(name)) /V \(number) 0 R /P \(page.number) 0 R \(field)>>"
    )
    let reference = "\(number + 1) 0 R"
    if lists.contains("Fields") {
      let fields = root["AcroForm"]["Fields"]
      let all = try text(fields, adding: reference)
      if fields.isIndirect { update.add(fields.number, all) }
      let value = fields.isIndirect ? "\(fields.number) 0 R" : all
      try add(form: "/Fields \(value) /SigFlags 3 \(more)", catalog, number, to: &update)
    }
    if lists.contains("Annots") {
      let all = try text(page["Annots"], adding: reference)
      if page["Annots"].isIndirect {
        update.add(page["Annots"].number, all)
      } else {
        update.add(page.number, try text(page, ["Annots": all]))
      }
    }
    return update
  }

  private func add(
    form members: String, _ catalog: (key: String, value: String)?, _ signature: Int,
    to update: inout HandUpdate
  ) throws {
    let form = root["AcroForm"]
    let kept = form.isNull ? "<<" : try text(form, ["Fields": nil, "SigFlags": nil]).dropLast(2)
    let whole = "\(kept) \(members)>>"
    if form.isIndirect { update.add(form.number, whole) }
    guard !form.isIndirect || catalog != nil else { return }
    let value = form.isIndirect ? "\(form.number) 0 R" : whole
    let more = catalog.map { ($0.key, $0.value.replacing("SIGNATURE", with: "\(signature) 0 R")) }
    update.add(root.number, try text(root, ["AcroForm": value, more?.0 ?? "None": more?.1]))
  }
}
