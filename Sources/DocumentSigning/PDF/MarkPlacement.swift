internal import Primitives

/// The rectangle of a visible mark, on a page or in a field that is there.
struct MarkPlacement {
  let page: PDFPage
  let box: PDFBox

  init(_ mark: VisibleMark, in target: SignatureField?, of file: PDFFile) throws(DocumentError) {
    try Self.checkArchive(mark, file)
    if let target {
      guard let widget = target.widget, widget.isIndirect, let box = PDFBox(widget["Rect"]),
        (widget["F"].integer ?? 0) & Self.hiding == 0
      else { throw .refused(.hiddenField(target.name)) }
      let named = widget["P"].asReference
      let page = PDFPage.find(in: file) { page in
        named.map { page.asReference == $0 }
          ?? (page["Annots"].items ?? []).contains { $0.asReference == widget.asReference }
      }
      guard let page else { throw .refused(.structure("page")) }
      (self.page, self.box) = (page, box)
      return
    }
    guard let page = Self.page(mark.page, file) else {
      guard case .number(let number) = mark.page else { throw .refused(.structure("page")) }
      throw .refused(.noSuchPage(number))
    }
    guard let box = page.box.flatMap({ Self.box(mark, in: $0, page.rotation) }) else {
      throw .refused(.structure("MediaBox"))
    }
    (self.page, self.box) = (page, box)
  }

  /// Width and height as they are seen.
  var size: (width: Double, height: Double) {
    page.rotation % 180 == 0 ? (box.width, box.height) : (box.height, box.width)
  }

  /// The left and the bottom edge as they are seen, from those of the page.
  func seen(on page: PDFBox) -> (left: Double, bottom: Double) {
    switch self.page.rotation {
    case 90: (box.bottom - page.bottom, page.right - box.right)
    case 180: (page.right - box.right, page.top - box.top)
    case 270: (page.top - box.top, box.left - page.left)
    default: (box.left - page.left, box.bottom - page.bottom)
    }
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

  /// Distance of a mark from the edges at which it stands, in points.
  private static let margin = 36.0

  /// The rectangle in the coordinates of the page, for a place on the page as it is seen.
  private static func box(_ mark: VisibleMark, in page: PDFBox, _ rotation: Int) -> PDFBox? {
    let isTurned = rotation % 180 != 0
    let seen = isTurned ? (page.height, page.width) : (page.width, page.height)
    // A size that is no number becomes that of the page.
    let width = mark.width > 0 ? min(mark.width, seen.0) : seen.0
    let height = mark.height > 0 ? min(mark.height, seen.1) : seen.1
    let (left, bottom) = edges(mark.place, leaving: (seen.0 - width, seen.1 - height))
    let (right, top) = (left + width, bottom + height)
    // Turned clockwise, the left edge of a page becomes its upper edge.
    let (one, other) =
      switch rotation {
      case 90: ((page.right - top, page.bottom + left), (page.right - bottom, page.bottom + right))
      case 180: ((page.right - right, page.top - top), (page.right - left, page.top - bottom))
      case 270: ((page.left + bottom, page.top - right), (page.left + top, page.top - left))
      default:
        ((page.left + left, page.bottom + bottom), (page.left + right, page.bottom + top))
      }
    return PDFBox(left: one.0, bottom: one.1, right: other.0, top: other.1)
  }

  /// The left and the bottom edge of a mark, as it is seen, so that all of it is on the page.
  ///
  /// - Parameter room: width and height of the page that the mark leaves.
  static func edges(
    _ place: VisibleMark.Place, leaving room: (width: Double, height: Double)
  ) -> (left: Double, bottom: Double) {
    let (far, high) = (room.width - margin, room.height - margin)
    let (middle, level) = (room.width / 2, room.height / 2)
    let (x, y) =
      switch place {
      case .topLeft: (margin, high)
      case .top: (middle, high)
      case .topRight: (far, high)
      case .left: (margin, level)
      case .center: (middle, level)
      case .right: (far, level)
      case .bottomLeft: (margin, margin)
      case .bottom: (middle, margin)
      case .bottomRight: (far, margin)
      case .at(let x, let y): (x.isFinite ? x : 0, y.isFinite ? y : 0)
      }
    return (max(0, min(x, room.width)), max(0, min(y, room.height)))
  }

  /// Refuses an image that would void the document's claim of PDF/A: part 1 forbids transparency (ISO 19005-1 §6.4),
  /// and the others want an output intent for it (ISO 19005-2 §6.2.10).
  private static func checkArchive(_ mark: VisibleMark, _ file: PDFFile) throws(DocumentError) {
    guard let part = file.archivePart else { return }
    let hasIntent = file.root["OutputIntents"].items?.isEmpty == false
    guard mark.image?.alpha == nil || part > 1 && hasIntent else {
      throw .refused(.transparencyInPDFA)
    }
  }
}

extension PDFFile {
  private static var longestMetadata: Int { 16 << 20 }

  /// The part of PDF/A that the document claims in its metadata (ISO 19005-1 §6.7.11); nil without a
  /// claim, and 1, the strictest, if the metadata cannot be read.
  fileprivate var archivePart: Int? {
    let metadata = root["Metadata"]
    guard !metadata.isNull else { return nil }
    guard let data = metadata.data(atMost: Self.longestMetadata) else { return 1 }
    // UTF-16 without its zeros is UTF-8, as far as this name goes.
    let text = data.filter { $0 != 0 }
    guard let place = text.place(of: "pdfaid:part".utf8) else { return nil }
    let digit = text[place...].dropFirst(11).prefix(8).first { (0x30...0x39).contains($0) }
    return digit.map { Int($0) - 0x30 } ?? 1
  }
}
