/// The rectangle of a visible mark, on a page or in a field that is there.
struct MarkPlacement {
  let page: PDFPage
  /// Rect of the widget.
  let box: PDFBox
  /// The widget of the field that is there; nil for a new field.
  let widget: PDFObject?

  /// - Parameter target: the field that is there; nil for a new one.
  /// - Throws: `PDFError.refused`.
  init(_ mark: VisibleMark, in target: SignatureField?, of file: PDFFile) throws(PDFError) {
    try Self.checkArchive(mark, file)
    if let target {
      guard let widget = target.widget, widget.isIndirect, let box = PDFBox(widget["Rect"]),
        (widget["F"].integer ?? 0) & Self.hiding == 0
      else { throw .refused(.mark(.hiddenField(target.name))) }
      let number = widget["P"].isIndirect ? widget["P"].number : nil
      let page = PDFPage.find(in: file) { page in
        page.number == number
          || number == nil
            && (page["Annots"].items ?? []).contains {
              $0.isIndirect && $0.number == widget.number
            }
      }
      guard let page else { throw .refused(.structure("page")) }
      (self.page, self.box, self.widget) = (page, box, widget)
      return
    }
    guard let page = Self.page(mark.page, file) else {
      guard case .number(let number) = mark.page else { throw .refused(.structure("page")) }
      throw .refused(.mark(.noSuchPage(number)))
    }
    guard let box = page.box.flatMap({ Self.box(mark, in: $0, page.rotation) }) else {
      throw .refused(.structure("MediaBox"))
    }
    (self.page, self.box, widget) = (page, box, nil)
  }

  /// Width and height as they are seen.
  var size: (width: Double, height: Double) {
    page.rotation % 180 == 0 ? (box.width, box.height) : (box.height, box.width)
  }

  /// Invisible, Hidden and NoView (ISO 32000-2 table 167).
  private static let hiding = 0x23

  private static func page(_ page: VisibleMark.Page, _ file: PDFFile) -> PDFPage? {
    switch page {
    case .first: return PDFPage.find(in: file) { _ in true }
    case .last: return PDFPage.find(in: file, isFromEnd: true) { _ in true }
    case .number(let number):
      var count = 0
      return PDFPage.find(in: file) { _ in
        count += 1
        return count == number
      }
    }
  }

  /// Distance of a mark in a corner from the edges, in points.
  private static let margin = 36.0

  /// The rectangle in the coordinates of the page, for a place on the page as it is seen.
  private static func box(_ mark: VisibleMark, in page: PDFBox, _ rotation: Int) -> PDFBox? {
    let isTurned = rotation % 180 != 0
    let seen = isTurned ? (page.height, page.width) : (page.width, page.height)
    // A size that is no number becomes that of the page.
    let width = mark.width > 0 ? min(mark.width, seen.0) : seen.0
    let height = mark.height > 0 ? min(mark.height, seen.1) : seen.1
    let (far, high) = (seen.0 - width - margin, seen.1 - height - margin)
    let (x, y) =
      switch mark.place {
      case .topLeft: (margin, high)
      case .topRight: (far, high)
      case .bottomLeft: (margin, margin)
      case .bottomRight: (far, margin)
      case .at(let x, let y): (x.isFinite ? x : 0, y.isFinite ? y : 0)
      }
    let left = max(0, min(x, seen.0 - width))
    let bottom = max(0, min(y, seen.1 - height))
    let (right, top) = (left + width, bottom + height)
    // Turned clockwise, the left edge of a page becomes its upper edge.
    switch rotation {
    case 90:
      return PDFBox(
        left: page.right - top, bottom: page.bottom + left, right: page.right - bottom,
        top: page.bottom + right)
    case 180:
      return PDFBox(
        left: page.right - right, bottom: page.top - top, right: page.right - left,
        top: page.top - bottom)
    case 270:
      return PDFBox(
        left: page.left + bottom, bottom: page.top - right, right: page.left + top,
        top: page.top - left)
    default:
      return PDFBox(
        left: page.left + left, bottom: page.bottom + bottom, right: page.left + right,
        top: page.bottom + top)
    }
  }

  /// Refuses a mark that would void the document's claim of PDF/A (ISO 19005): each part wants
  /// embedded fonts, part 1 forbids transparency (ISO 19005-1 §6.4), and the others want an output intent for it
  /// (ISO 19005-2 §6.2.10).
  private static func checkArchive(_ mark: VisibleMark, _ file: PDFFile) throws(PDFError) {
    guard let part = file.archivePart else { return }
    guard !mark.hasText else { throw .refused(.mark(.textInPDFA)) }
    let hasIntent = file.root["OutputIntents"].items?.isEmpty == false
    guard mark.image?.alpha == nil || part > 1 && hasIntent else {
      throw .refused(.mark(.transparencyInPDFA))
    }
  }
}
