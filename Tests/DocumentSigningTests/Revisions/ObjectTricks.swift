import Primitives

@testable import DocumentSigning

/// Tricks with the objects of an update that every reader finds: pages, annotations, fields, the catalog, stored evidence.
enum ObjectTricks {
  static let all = pages + annotations + fields + catalog

  static let pages = [
    ForgeryTrick("contents replaced") { $0.update.add($0.contents, try $0.black($0.contents)) },
    ForgeryTrick("contents of another file") {
      $0.update.add($0.contents, HandUpdate.stream("", "/F (page) /FFilter null"))
    },
    ForgeryTrick("contents taken away") { $0.update.add($0.contents, "null") },
    ForgeryTrick("contents that cannot be read") {
      $0.update.add($0.contents, "<</Length 7>>\nstream\n\(Forgery.black)\nendstream")
    },
    ForgeryTrick("other contents of the page") {
      $0.change($0.page, "Contents", try $0.add(stream: Forgery.black))
    },
    ForgeryTrick("further contents of the page") {
      let more = try $0.add(stream: Forgery.black)
      $0.change($0.page, "Contents", "[\($0.contents) 0 R \(more)]")
    },
    ForgeryTrick("resources of the page") { $0.change($0.page, "Resources", "<</Font <<>>>>") },
    ForgeryTrick("the size of the page") { $0.change($0.page, "MediaBox", "[0 0 100 100]") },
    ForgeryTrick("the visible part of the page") { $0.change($0.page, "CropBox", "[0 0 9 9]") },
    ForgeryTrick("the page turned") { $0.change($0.page, "Rotate", "180") },
    ForgeryTrick("a unit of the page") { $0.change($0.page, "UserUnit", "2") },
    ForgeryTrick("an action of the page") {
      $0.change($0.page, "AA", "<</O <</S /Named /N /LastPage>>>>")
    },
    ForgeryTrick("the page put into another place") {
      $0.change($0.page, "Parent", "\($0.parts.root.number) 0 R")
    },
    ForgeryTrick("another page tree") {
      let tree = "\($0.next + 1) 0 R"
      let page = $0.add("<</Type /Page /Parent \(tree) /MediaBox [0 0 200 200]>>")
      $0.change($0.parts.root, "Pages", $0.add("<</Type /Pages /Kids [\(page)] /Count 1>>"))
    },
    ForgeryTrick("another page in the tree") {
      let tree = $0.parts.root["Pages"]
      let page = $0.add("<</Type /Page /Parent \(tree.number) 0 R /MediaBox [0 0 200 200]>>")
      $0.change(tree, "Kids", "[\(page)]")
    },
    ForgeryTrick("a page more") {
      let tree = $0.parts.root["Pages"]
      let page = $0.add("<</Type /Page /Parent \(tree.number) 0 R /MediaBox [0 0 200 200]>>")
      $0.change(tree, "Kids", try $0.parts.text(tree["Kids"], adding: page))
      $0.change(tree, "Count", "2")
    },
    ForgeryTrick("inherited members of pages") {
      $0.change($0.parts.root["Pages"], "Rotate", "90")
    },
    ForgeryTrick("shown in between, then put back") { forgery in
      let (number, old) = (forgery.contents, forgery.page["Contents"].rawData ?? [])
      forgery.update.add(number, try forgery.black(number))
      forgery.step = { file in
        let parts = try PDFParts(file)
        var back = parts.update()
        back.add(number, try parts.stream([UInt8](old), number: number))
        return try back.appended(to: file)
      }
    },
  ]

  private static func annotation(_ name: String, _ members: String) -> ForgeryTrick {
    ForgeryTrick(name) {
      let form = "/Type /XObject /Subtype /Form /BBox [0 0 200 200]"
      let picture = try $0.add(stream: Forgery.black, form)
      let added = $0.add("<</Type /Annot \(members.replacing("PICTURE", with: picture))>>")
      let annotations = $0.page["Annots"]
      guard !annotations.isIndirect else { throw Forgery.DoesNotApply() }
      $0.change($0.page, "Annots", try $0.parts.text(annotations, adding: added))
    }
  }

  static let annotations = [
    annotation("a stamp", "/Subtype /Stamp /Rect [0 0 200 200] /AP <</N PICTURE>>"),
    annotation("a note", "/Subtype /FreeText /Rect [0 0 200 200] /DA (/F 9 Tf) /Contents (x)"),
    annotation("a link", "/Subtype /Link /Rect [0 0 9 9] /A <</S /URI /URI (http://a.test)>>"),
    annotation("a picture without area", "/Subtype /Stamp /Rect [0 0 0 0] /AP <</N PICTURE>>"),
    annotation(
      "a field of text outside the form",
      "/Subtype /Widget /FT /Tx /T (X) /V (x) /Rect [0 0 200 200] /AP <</N PICTURE>>"),
    annotation(
      "a signature field outside the form",
      "/Subtype /Widget /FT /Sig /T (X) /F 4 /Rect [0 0 200 200] /AP <</N PICTURE>>"),
    annotation(
      "a flat signature field outside the form",
      "/Subtype /Widget /FT /Sig /T (X) /Rect [0 0 0 0] /AP <</N PICTURE>>"),
    annotation("a hidden one", "/Subtype /Stamp /F 2 /Rect [0 0 200 200] /AP <</N PICTURE>>"),
    ForgeryTrick("annotations taken away") {
      guard $0.page["Annots"].items?.isEmpty == false else { throw Forgery.DoesNotApply() }
      $0.change($0.page, "Annots", nil)
    },
    ForgeryTrick("an annotation twice") {
      let annotations = $0.page["Annots"]
      guard let first = annotations.items?.first, first.isIndirect, !annotations.isIndirect else {
        throw Forgery.DoesNotApply()
      }
      $0.change(
        $0.page, "Annots", try $0.parts.text(annotations, adding: "\(first.number) 0 R"))
    },
    ForgeryTrick("a note changed") {
      let note = try $0.object({ $0["Subtype"].name == "Text" }, in: $0.page["Annots"])
      $0.change(note, "Rect", "[0 0 200 200]")
    },
  ]

  /// A change of the field of text, or of the empty signature field, of a form.
  private static func field(
    _ name: String, _ type: String, _ members: KeyValuePairs<String, String>
  ) -> ForgeryTrick {
    ForgeryTrick(name) {
      let fields = $0.parts.root["AcroForm"]["Fields"]
      let field = try $0.object(
        { $0["FT"].name == type && $0["V"].isDictionary == false }, in: fields)
      let form = "/Type /XObject /Subtype /Form /BBox [0 0 200 200]"
      let picture = try $0.add(stream: Forgery.black, form)
      for (key, value) in members {
        $0.change(field, key, value.replacing("PICTURE", with: picture))
      }
    }
  }

  private static func signed(
    _ name: String, _ members: KeyValuePairs<String, String?>
  ) -> ForgeryTrick {
    ForgeryTrick(name) {
      let field = try $0.signedField()
      let form = "/Type /XObject /Subtype /Form /BBox [0 0 200 200]"
      let picture = try $0.add(stream: Forgery.black, form)
      for (key, value) in members {
        $0.change(field, key, value?.replacing("PICTURE", with: picture))
      }
    }
  }

  static let fields = [
    field("a text filled in", "Tx", ["V": "<39>"]),
    field("a text that looks otherwise", "Tx", ["AP": "<</N PICTURE>>"]),
    field("a text that is read only", "Tx", ["Ff": "1"]),
    field("an empty field that shows something", "Sig", ["AP": "<</N PICTURE>>"]),
    field("an empty field in another place", "Sig", ["Rect": "[0 0 200 200]"]),
    field("an empty field with an empty value", "Sig", ["V": "<<>>", "AP": "<</N PICTURE>>"]),
    field("an empty field with a text", "Sig", ["V": "<39>"]),
    signed("a signed field that shows something", ["AP": "<</N PICTURE>>"]),
    signed("a signed field in another place", ["Rect": "[0 0 200 200]", "AP": "<</N PICTURE>>"]),
    signed("a signed field with other flags", ["F": "0"]),
    signed("a signature taken away", ["V": nil]),
    signed("a signed field of another name", ["T": "<39>"]),
    ForgeryTrick("a signature dictionary changed") {
      $0.change(try $0.signedField()["V"], "Reason", "<39>")
    },
    ForgeryTrick("a field with a signature that is none") {
      let value = $0.add(HandUpdate.signature())
      let field = $0.add(
        "<</Type /Annot /Subtype /Widget /FT /Sig /T <58> /V \(value) /Rect [0 0 0 0]>>")
      let (form, page) = ($0.parts.root["AcroForm"], $0.page)
      guard !form["Fields"].isIndirect, !page["Annots"].isIndirect else {
        throw Forgery.DoesNotApply()
      }
      let fields = try $0.parts.text(form["Fields"], adding: field)
      if form.isIndirect {
        $0.change(form, "Fields", fields)
      } else {
        $0.change(
          $0.parts.root, "AcroForm", try $0.parts.text(form, ["Fields": fields]))
      }
      $0.change(page, "Annots", try $0.parts.text(page["Annots"], adding: field))
    },
  ]

  private static func member(_ name: String, _ key: String, _ value: String?) -> ForgeryTrick {
    ForgeryTrick(name) {
      guard value != nil || !$0.parts.root[key].isNull else { throw Forgery.DoesNotApply() }
      $0.change($0.parts.root, key, value)
    }
  }

  private static func form(_ name: String, _ key: String, _ value: String) -> ForgeryTrick {
    ForgeryTrick(name) {
      let form = $0.parts.root["AcroForm"]
      if form.isIndirect {
        $0.change(form, key, value)
      } else {
        $0.change($0.parts.root, "AcroForm", try $0.parts.text(form, [key: value]))
      }
    }
  }

  static let catalog = [
    member("an action at opening", "OpenAction", "<</S /JavaScript /JS <39>>>"),
    member("scripts of the document", "Names", "<</JavaScript <</Names []>>>>"),
    member("actions of the document", "AA", "<</WC <</S /Named /N /Print>>>>"),
    member("layers", "OCProperties", "<</OCGs [] /D <</BaseState /OFF>>>>"),
    member("labels of the pages", "PageLabels", "<</Nums [0 <</S /r>>]>>"),
    member("an outline", "Outlines", "<</Type /Outlines>>"),
    member("preferences", "ViewerPreferences", "<</HideToolbar true>>"),
    member("a language", "Lang", "<656E>"),
    member("a structure", "StructTreeRoot", "<</Type /StructTreeRoot>>"),
    member("a collection", "Collection", "<</Type /Collection>>"),
    member("a base of addresses", "URI", "<</Base <61>>>"),
    member("the form taken away", "AcroForm", nil),
    member("evidence taken away", "DSS", nil),
    member("other things in the store", "DSS", "<</Type /DSS /Page [1 0 R]>>"),
    member("permissions taken away", "Perms", nil),
    member("permissions", "Perms", "<</UR3 <<>>>>"),
    member("another version", "Version", "1.7"),
    form("appearances to be made anew", "NeedAppearances", "true"),
    form("fields taken away", "Fields", "[]"),
    form("a form of XFA", "XFA", "[]"),
    form("an order of computing", "CO", "[]"),
    ForgeryTrick("another title") {
      $0.update.members["Info"] = $0.add("<</Title <39>>>")
    },
  ]
}
