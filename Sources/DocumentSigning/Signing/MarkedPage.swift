internal import CIECard

/// The page that a visible mark goes to, for a person who places the mark: all lengths in points (1/72 inch), of the page
/// as it is seen.
public struct MarkedPage: Sendable, Equatable {
  /// Number of the page, counted from 1.
  public let number: Int
  /// True if another program finds the same page by its number.
  public let isNumberCertain: Bool
  /// Width of the page.
  public let width: Double
  /// Height of the page.
  public let height: Double
  /// Width of the mark.
  public let markWidth: Double
  /// Height of the mark.
  public let markHeight: Double
  /// True if the mark goes into a field that the document has, whatever place is wanted.
  public let isFixed: Bool
  private let left: Double
  private let bottom: Double

  /// The left and the bottom edge of the mark at a place, from those of the page.
  public func edges(at place: VisibleMark.Place) -> (left: Double, bottom: Double) {
    isFixed
      ? (left, bottom)
      : MarkPlacement.edges(place, leaving: (width - markWidth, height - markHeight))
  }

  /// Finds the page.
  ///
  /// - Parameters:
  ///   - source: the document.
  ///   - particulars: with a mark.
  /// - Throws: `DocumentError`, for a document that cannot be signed, and for a page that it does not have.
  public init?(of source: ByteSource, _ particulars: PDFParticulars) throws(DocumentError) {
    let file = try PDFFile.open(PDFFile.read(source), password: particulars.password)
    let place = try SignaturePlace(particulars, SignatureField.all(of: file), in: file)
    guard let mark = place.mark, let page = mark.page.box else { return nil }
    var count = 0
    _ = PDFPage.find(in: file) { object in
      count += 1
      return object.asReference == mark.page.object.asReference
    }
    let isTurned = mark.page.rotation % 180 != 0
    (number, isFixed) = (count, place.hasField)
    isNumberCertain = PDFPage.areNumberedAlike(in: file)
    (width, height) = isTurned ? (page.height, page.width) : (page.width, page.height)
    (left, bottom) = mark.seen(on: page)
    (markWidth, markHeight) = mark.size
  }
}
