internal import CIECard

/// Particulars of the signature of a PDF that the signer states.
public struct PDFParticulars: Sendable, Equatable {
  /// Name of the field to be used; nil for the only empty one, or else a new one.
  public var field: String?
  /// Reason for signing.
  public var reason: String?
  /// Place of signing.
  public var location: String?
  /// A mark that shows the signature; nil for an invisible one.
  public var mark: VisibleMark?
  /// Password of an encrypted document, the user's or the owner's; empty without one.
  public var password: [UInt8] = []
  /// Bytes that are reserved for the signature; nil for as many as it needs.
  public var room: Int?
  /// True to reserve bytes for a time stamp as well, which otherwise needs an update of the document. An encrypted document
  /// always has them.
  public var isStamped = false

  /// Nothing stated.
  public init() {}

  /// Checks what is known of a mark's text before the card is asked; the name is in the signer's certificate.
  func checkText() throws(DocumentError) {
    guard let mark, mark.hasText else { return }
    var font = MarkFont()
    for line in [mark.heading, reason, location, mark.note] {
      if let line { _ = try font.encoded(line) }
    }
  }

  func appearance(
    at place: MarkPlacement?, _ certificate: Certificate, _ time: UTCTime
  ) throws(DocumentError) -> MarkAppearance? {
    guard let mark, let place else { return nil }
    return try MarkAppearance(place, mark.image, lines: mark.lines(certificate, self, at: time))
  }
}
