internal import Primitives

/// The place of a new signature in a document, and the way to it: field, form, page (ISO 32000-2 §12.7.3).
struct SignaturePlace {
  /// The empty field to be used; nil for a new one.
  private let target: SignatureField?
  private let name: String
  /// The place of the visible mark; nil without one.
  let mark: MarkPlacement?

  /// True if the document has the field.
  var hasField: Bool { target != nil }

  /// A new field without a mark.
  init(in file: PDFFile) { (target, name, mark) = (nil, Self.newName(in: file), nil) }

  /// Checks everything that does not depend on the signer.
  init(
    _ particulars: PDFParticulars, _ fields: [SignatureField], in file: PDFFile
  ) throws(DocumentError) {
    try SigningPermission.check(file, fields)
    let target = try Self.target(particulars.field, fields)
    self.target = target
    name = target?.name ?? particulars.field ?? Self.newName(in: file)
    try SigningPermission.check(name, target, among: fields)
    mark = try particulars.mark.map { (mark) throws(DocumentError) in
      try MarkPlacement(mark, in: target, of: file)
    }
    try file.check()
  }

  /// The empty field to be used; nil for a new one.
  private static func target(
    _ name: String?, _ fields: [SignatureField]
  ) throws(DocumentError) -> SignatureField? {
    let empty = fields.filter { $0.signature == nil && $0.object["V"].isNull }
    if let name {
      if let found = empty.first(where: { $0.name == name }) { return found }
      guard !fields.contains(where: { $0.name == name }), !name.contains(".") else {
        throw .refused(.noSuchField(name))
      }
      return nil
    }
    guard empty.count <= 1 else { throw .refused(.severalFields(empty.map { $0.name })) }
    return empty.first
  }

  /// A name that no field on the first level has.
  private static func newName(in file: PDFFile) -> String {
    let fields = file.root["AcroForm"]["Fields"].items ?? []
    let taken = Set(fields.compactMap { $0["T"].text })
    return (1...taken.count + 1).lazy.map { "Signature\($0)" }.first { !taken.contains($0) } ?? ""
  }

  func enter(
    _ number: Int, _ appearance: MarkAppearance?, _ file: PDFFile, _ update: inout IncrementalUpdate
  ) throws(DocumentError) {
    let appearance = try appearance?.append(to: &update)
    if let target {
      try Self.fill(target, number, appearance, &update)
      try Self.enter(field: nil, file, &update)
      return
    }
    guard let page = mark?.page ?? PDFPage.find(in: file, { _ in true }) else {
      throw .refused(.structure("page"))
    }
    // Without a mark a form that shows nothing: PDF/A-1 wants an appearance of every field (ISO 19005-1 §6.9).
    var form = appearance ?? 0
    if appearance == nil {
      form = try update.add(
        [("Type", "/XObject"), ("Subtype", "/Form"), ("BBox", "[0 0 0 0]")], stream: [])
    }
    let field = try update.add(
      .dictionary([
        ("Type", "/Annot"), ("Subtype", "/Widget"), ("FT", "/Sig"), ("T", .text(name)),
        ("F", "\(Self.widgetFlags)"), ("Rect", mark?.box.syntax ?? "[0 0 0 0]"),
        ("P", "\(page.object.reference)"), ("V", "\(number) 0 R"), ("AP", Self.normal(form)),
      ])
    ).number
    let annotations = page.object["Annots"]
    guard annotations.isNull || annotations.items != nil else {
      throw .refused(.structure("Annots"))
    }
    let value = PDFSyntax.array(annotations, adding: "\(field) 0 R")
    if annotations.isIndirect, !annotations.isNull {
      try update.replace(annotations, with: value)
    } else {
      try update.replace(page.object, members: [("Annots", value)])
    }
    try Self.enter(field: "\(field) 0 R", file, &update)
  }

  /// Fills an empty field, and gives its widget a mark.
  private static func fill(
    _ target: SignatureField, _ value: Int, _ mark: Int?, _ update: inout IncrementalUpdate
  ) throws(DocumentError) {
    guard target.object.isIndirect else { throw .refused(.structure("field")) }
    // Locked from here on; and printed, because PDF/A wants it (ISO 19005-2 §6.3.2).
    func shown(_ widget: PDFObject) -> PDFSyntax.Members {
      let flags = (widget["F"].integer ?? 0) | widgetFlags
      return (mark.map { [("AP", normal($0))] } ?? []) + [("F", "\(flags)")]
    }
    let isWidget = target.object["Subtype"].name == "Widget"
    try update.replace(
      target.object,
      members: [("V", "\(value) 0 R")] + (isWidget ? shown(target.object) : []))
    guard !isWidget, mark != nil, let widget = target.widget else { return }
    try update.replace(widget, members: shown(widget))
  }

  /// The normal appearance (ISO 32000-2 table 170).
  private static func normal(_ form: Int) -> PDFSyntax { "<</N \(form) 0 R>>" }

  /// Print and Locked (ISO 32000-2 §12.5.3).
  private static let widgetFlags = 132

  /// Enters a new field into the form, and states that there are signatures (SigFlags 3: they
  /// exist, and the file is only appended to).
  private static func enter(
    field: String?, _ file: PDFFile, _ update: inout IncrementalUpdate
  ) throws(DocumentError) {
    let form = file.root["AcroForm"]
    let fields = form["Fields"]
    guard form.isNull || form.isDictionary, fields.isNull || fields.items != nil else {
      throw .refused(.structure("AcroForm"))
    }
    var members: PDFSyntax.Members = [("SigFlags", "3")]
    if let field {
      let value = PDFSyntax.array(fields, adding: field)
      if fields.isIndirect, !fields.isNull {
        try update.replace(fields, with: value)
      } else {
        members.append(("Fields", value))
      }
    }
    // The form need not be written if nothing in it changes.
    if members.count == 1, form["SigFlags"].integer == 3 { return }
    if form.isIndirect, !form.isNull {
      try update.replace(form, members: members)
      return
    }
    guard file.root.isIndirect else { throw .refused(.structure("Root")) }
    try update.replace(
      file.root, members: [("AcroForm", .dictionary(members, replacing: form))])
  }
}
