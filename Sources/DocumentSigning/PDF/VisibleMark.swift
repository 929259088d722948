internal import CIECard
internal import Primitives

/// A mark that shows a signature on a page: name, time, reason, location, an image.
///
/// It proves nothing; the signature does.
public struct VisibleMark: Sendable, Equatable {
  /// The page.
  public var page = Page.last
  /// The place on the page as it is seen.
  public var place = Place.bottomRight
  /// Width in points (1/72 inch), at most that of the page.
  public var width = 200.0
  /// Height in points, at most that of the page.
  public var height = 60.0
  /// True to show the heading, the name in the certificate, the local time, what the signer states, and the note, in a
  /// frame. Their characters are those of Latin, Greek and Cyrillic.
  public var hasText = true
  /// The first line of the text, which says that this is a signature.
  public var heading = "Electronically signed by"
  /// The last line of the text, which says that the mark itself proves nothing.
  public var note = "Only the signature in this file proves it"
  /// True to show the fiscal code too.
  public var hasFiscalCode = false
  /// An image, beside the text.
  public var image: Image?

  /// Text at the bottom right of the last page.
  public init() {}

  /// Pages.
  public enum Page: Sendable, Equatable {
    case first
    case last
    /// Counted from 1.
    case number(Int)
  }

  /// Places of a mark on a page; it is moved so that all of it is seen.
  public enum Place: Sendable, Equatable {
    case topLeft
    case top
    case topRight
    case left
    case center
    case right
    case bottomLeft
    case bottom
    case bottomRight
    /// Points from the left and the bottom edge to those of the mark.
    case at(x: Double, y: Double)
  }

  /// An image as PNG and PDF both compress it: zlib over rows, each with a predictor of PNG in front.
  public struct Image: Sendable, Equatable {
    /// Pixels from left to right.
    public var width: Int
    /// Pixels from top to bottom.
    public var height: Int
    /// Red, green and blue (sRGB), 8 bits each.
    public var colours: [UInt8]
    /// Opacity, 8 bits a pixel; nil if all of it is opaque.
    public var alpha: [UInt8]?

    /// An image that `Pictures` has taken apart, or an encoder has made.
    public init(width: Int, height: Int, colours: [UInt8], alpha: [UInt8]?) {
      (self.width, self.height) = (max(1, width), max(1, height))
      (self.colours, self.alpha) = (colours, alpha)
    }
  }

  /// The lines of text.
  func lines(
    _ certificate: Certificate, _ particulars: PDFParticulars, at time: UTCTime
  ) -> [String] {
    guard hasText else { return [] }
    let subject = certificate.subject
    let name = [subject.givenName, subject.surname].compactMap { $0 }.joined(separator: " ")
    // On a CIE the common name is the fiscal code, a slash and a number.
    let code = subject.commonName?.split(separator: "/").first.map(String.init)
    let date = UTCCalendar.localText(time.seconds)
    return [
      heading, name, hasFiscalCode ? code : nil, date, particulars.reason, particulars.location,
      note,
    ].compactMap { $0 }.filter { !$0.isEmpty }
  }
}
