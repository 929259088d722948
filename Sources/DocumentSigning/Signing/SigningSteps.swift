internal import CIECard
internal import Primitives

/// The rest of the way to a signed file: the caller takes one step after the other until there is none.
///
/// The questions to authorities come first, then the blocks of the file. Errors of the caller's own, such as a full disk, end
/// the way where they come up; the steps are then left alone.
public struct SigningSteps: ~Copyable {
  /// A thing that is wanted of the caller.
  public enum Step: Sendable, Equatable {
    /// Send a request, and state the end of the exchange in `authorities`.
    case ask(AuthorityRequest)
    /// Write the next bytes; what was written before an error is to be thrown away.
    case write([UInt8])
  }

  /// The exchanges with the authorities.
  public var authorities: AuthorityExchanges {
    get { exchanges }
    _modify { yield &exchanges }
  }

  private var exchanges: AuthorityExchanges
  private var signatures: Signatures
  /// The contents between head and tail of CMS.
  private var contents: ContentBlocks?
  /// The length of the contents that are written; nil for contents that stay elsewhere, and are only hashed again.
  private let length: Int?

  /// Signatures on their way to a level.
  enum Signatures: Sendable {
    case raisedCMS(SignedData)
    case raisedPDF([UInt8])
    case cms(CMSRaising)
    case pdf(PDFRaising)
    /// Nothing is left but the contents, and these bytes behind them.
    case head(tail: [UInt8])
    case end
  }

  /// - Parameters:
  ///   - contents: those of CMS; nil without any.
  ///   - length: of the contents, if they go into the file.
  init(
    _ signatures: Signatures, _ service: RevocationService?,
    contents: consuming ContentBlocks? = nil, length: Int? = nil
  ) {
    (self.signatures, exchanges) = (signatures, AuthorityExchanges(service ?? RevocationService()))
    self.length = length
    self.contents = contents
  }

  /// The next step; nil when the file is whole.
  ///
  /// - Throws: `DocumentError`; from the level before anything is written, `contentsChanged` afterwards if the contents are
  ///   no longer those that were prepared.
  public mutating func next() throws(DocumentError) -> Step? {
    while true {
      if let request = exchanges.wanted { return .ask(request) }
      switch signatures {
      case .cms(var raising):
        let data = try exchanges.pass { (exchanges) throws(DocumentError) in
          try raising.raised(&exchanges)
        }
        signatures = data.map { .raisedCMS($0) } ?? .cms(raising)
      case .pdf(var raising):
        let pdf = try raising.raised(&exchanges)
        signatures = pdf.map { .raisedPDF($0) } ?? .pdf(raising)
      case .raisedPDF(let bytes):
        signatures = .end
        return .write(bytes)
      case .raisedCMS(let data):
        let frame = data.frame(contentLength: length)
        signatures = .head(tail: frame.tail)
        return .write(frame.head)
      case .head(let tail):
        while let block = try contents?.next() {
          if length != nil { return .write(block) }
        }
        signatures = .end
        return .write(tail)
      case .end: return nil
      }
    }
  }
}
