internal import Primitives

/// The way from the document to its new signature: field, form, page (ISO 32000-2 §12.7.3).
extension PreparedPDF {
  /// Writes the objects that change.
  ///
  /// - Parameter number: of the signature dictionary.
  static func enter(
    _ number: Int, _ place: Place, _ appearance: MarkAppearance?, _ file: PDFFile,
    _ update: inout IncrementalUpdate
  ) throws(PDFError) {
    let value = [UInt8]("\(number) 0 R".utf8)
    let mark = try appearance?.append(to: &update)
    if let target = place.target {
      try fill(target, value, mark, &update)
      try enter(field: nil, file, &update)
      return
    }
    guard let page = place.mark?.page ?? PDFPage.find(in: file, { _ in true }) else {
      throw .refused(.structure("page"))
    }
    let field = update.newNumber()
    let form = if let mark { mark } else { try emptyForm(&update) }
    let members: [(key: String, value: [UInt8])] = [
      ("Type", [UInt8]("/Annot".utf8)), ("Subtype", [UInt8]("/Widget".utf8)),
      ("FT", [UInt8]("/Sig".utf8)), ("T", PDFSyntax.text(place.name)),
      ("F", [UInt8]("\(widgetFlags)".utf8)),
      ("Rect", place.mark?.box.syntax ?? [UInt8]("[0 0 0 0]".utf8)),
      ("P", [UInt8](page.object.reference.utf8)), ("V", value), ("AP", normal(form)),
    ]
    try update.append(field, PDFSyntax.dictionary(nil, replacing: members))
    try annotate(page.object, "\(field) 0 R", &update)
    try enter(field: "\(field) 0 R", file, &update)
  }

  /// Fills an empty field, and gives its widget a mark.
  private static func fill(
    _ target: SignatureField, _ value: [UInt8], _ mark: Int?, _ update: inout IncrementalUpdate
  ) throws(PDFError) {
    guard target.object.isIndirect else { throw .refused(.structure("field")) }
    let appearance: [(key: String, value: [UInt8])] = mark.map { [("AP", normal($0))] } ?? []
    // Locked from here on; and printed, because PDF/A wants it (ISO 19005-2 §6.3.2).
    func shown(_ widget: PDFObject) -> [(key: String, value: [UInt8])] {
      appearance + [("F", [UInt8]("\((widget["F"].integer ?? 0) | widgetFlags)".utf8))]
    }
    let isWidget = target.object["Subtype"].name == "Widget"
    let members = [("V", value)] + (isWidget ? shown(target.object) : [])
    try update.append(
      target.object.number, generation: target.object.generation,
      PDFSyntax.dictionary(target.object, replacing: members))
    guard !isWidget, mark != nil, let widget = target.widget else { return }
    try update.append(
      widget.number, generation: widget.generation,
      PDFSyntax.dictionary(widget, replacing: shown(widget)))
  }

  /// The normal appearance (ISO 32000-2 table 170).
  private static func normal(_ form: Int) -> [UInt8] { [UInt8]("<</N \(form) 0 R>>".utf8) }

  /// A form that shows nothing: PDF/A-1 wants an appearance of every field (ISO 19005-1 §6.9).
  private static func emptyForm(_ update: inout IncrementalUpdate) throws(PDFError) -> Int {
    let form = update.newNumber()
    try update.append(
      form,
      [
        ("Type", [UInt8]("/XObject".utf8)), ("Subtype", [UInt8]("/Form".utf8)),
        ("BBox", [UInt8]("[0 0 0 0]".utf8)),
      ], stream: [])
    return form
  }

  /// Print and Locked (ISO 32000-2 §12.5.3).
  private static let widgetFlags = 132

  private static func annotate(
    _ page: PDFObject, _ field: String, _ update: inout IncrementalUpdate
  ) throws(PDFError) {
    let annotations = page["Annots"]
    guard annotations.isNull || annotations.items != nil else {
      throw .refused(.structure("Annots"))
    }
    let value = PDFSyntax.array(annotations.items ?? [], adding: field)
    if annotations.isIndirect, !annotations.isNull {
      try update.append(annotations.number, generation: annotations.generation, value)
    } else {
      try update.append(
        page.number, generation: page.generation,
        PDFSyntax.dictionary(page, replacing: [("Annots", value)]))
    }
  }

  /// Enters a new field into the form, and states that there are signatures (SigFlags 3: they
  /// exist, and the file is only appended to).
  private static func enter(
    field: String?, _ file: PDFFile, _ update: inout IncrementalUpdate
  ) throws(PDFError) {
    let form = file.root["AcroForm"]
    let fields = form["Fields"]
    guard form.isNull || form.isDictionary, fields.isNull || fields.items != nil else {
      throw .refused(.structure("AcroForm"))
    }
    var members: [(key: String, value: [UInt8])] = [("SigFlags", [UInt8]("3".utf8))]
    if let field {
      let value = PDFSyntax.array(fields.items ?? [], adding: field)
      if fields.isIndirect, !fields.isNull {
        try update.append(fields.number, generation: fields.generation, value)
      } else {
        members.append(("Fields", value))
      }
    }
    // The form need not be written if nothing in it changes.
    if members.count == 1, form["SigFlags"].integer == 3 { return }
    let value = PDFSyntax.dictionary(form.isNull ? nil : form, replacing: members)
    if form.isIndirect, !form.isNull {
      try update.append(form.number, generation: form.generation, value)
      return
    }
    let root = file.root
    guard root.isIndirect else { throw .refused(.structure("Root")) }
    try update.append(
      root.number, generation: root.generation,
      PDFSyntax.dictionary(root, replacing: [("AcroForm", value)]))
  }
}
