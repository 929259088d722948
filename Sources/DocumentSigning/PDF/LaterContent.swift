/// The content of a PDF after the revision that a signature covers.
public enum LaterContent: String, Sendable, Equatable {
  /// The signature covers the whole file.
  case none
  /// Nothing but further signatures, time stamps and evidence: no page looks different, but for the field that the document
  /// had for such a signature.
  case signatures
  /// The same, and a further signature shows itself on a page in a field that the document did not have.
  case signaturesShown = "signatures-shown"
  /// Something else, or a change that could be something else.
  case other

  /// True if pages may look different from those that were signed: also a picture in a new signature field may cover them.
  var isMore: Bool {
    switch self {
    case .none, .signatures: false
    case .signaturesShown, .other: true
    }
  }
}
