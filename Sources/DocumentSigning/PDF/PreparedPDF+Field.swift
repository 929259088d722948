internal import Primitives

/// The way from the document to its new signature: field, form, page (ISO 32000-2 §12.7.3).
extension PreparedPDF {
  /// Writes the objects that change.
  ///
  /// - Parameters:
  ///   - number: of the signature dictionary.
  ///   - target: the field to be filled; nil for a new one with this name.
  static func enter(
    _ number: Int, _ target: SignatureField?, _ name: String, _ file: PDFFile,
    _ update: inout IncrementalUpdate
  ) throws(PDFError) {
    let value = [UInt8]("\(number) 0 R".utf8)
    if let target {
      guard target.object.isIndirect else { throw .refused(.structure("field")) }
      // Locked from here on; and printed, because PDF/A wants it (ISO 19005-2 §6.3.2).
      let isWidget = target.object["Subtype"].name == "Widget"
      let flags = [UInt8]("\((target.object["F"].integer ?? 0) | widgetFlags)".utf8)
      let members = [("V", value)] + (isWidget ? [("F", flags)] : [])
      try update.append(
        target.object.number, generation: target.object.generation,
        PDFSyntax.dictionary(target.object, replacing: members))
      try enter(field: nil, file, &update)
      return
    }
    guard let page = file.firstPage else { throw .refused(.structure("page")) }
    let field = update.newNumber()
    let appearance = update.newNumber()
    let members: [(key: String, value: [UInt8])] = [
      ("Type", [UInt8]("/Annot".utf8)), ("Subtype", [UInt8]("/Widget".utf8)),
      ("FT", [UInt8]("/Sig".utf8)), ("T", PDFSyntax.text(name)),
      ("F", [UInt8]("\(widgetFlags)".utf8)), ("Rect", [UInt8]("[0 0 0 0]".utf8)),
      ("P", [UInt8](page.reference.utf8)), ("V", value),
      ("AP", [UInt8]("<</N \(appearance) 0 R>>".utf8)),
    ]
    try update.append(field, PDFSyntax.dictionary(nil, replacing: members))
    // PDF/A-1 wants an appearance of every field (ISO 19005-1 §6.9), even if it shows nothing.
    try update.append(
      appearance,
      [
        ("Type", [UInt8]("/XObject".utf8)), ("Subtype", [UInt8]("/Form".utf8)),
        ("BBox", [UInt8]("[0 0 0 0]".utf8)),
      ], stream: [])
    try annotate(page, "\(field) 0 R", &update)
    try enter(field: "\(field) 0 R", file, &update)
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
