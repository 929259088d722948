/// The reason why a PDF is not read or not signed.
public enum PDFError: Error, Sendable, Equatable {
  /// It cannot be read without guessing; with qpdf's words. An update of such a file is wrong.
  case damaged(reason: String)
  /// It needs a password.
  case needsPassword
  /// It is encrypted with another password than this one.
  case wrongPassword
  /// It is larger than the limit, in bytes: it is read into memory.
  case tooLarge(limit: Int)
  /// It is not signed, for a reason in its contents.
  case refused(Refusal)
  /// The signature inside cannot be made.
  case cms(CMSError)

  /// Reasons in a PDF's contents for which it is not signed.
  public enum Refusal: Sendable, Equatable {
    /// Bytes precede the header, so offsets are ambiguous.
    case junkBeforeHeader
    /// Its owner allows those who have the user's password neither to fill in forms nor to annotate
    /// (P; ISO 32000-2 table 22).
    case permissions
    /// Its form is XFA, which readers show instead of what is signed.
    case xfa
    /// Its author certified it and allows no changes (DocMDP with P 1; ISO 32000-2 §12.8.2.2).
    case certified
    /// Usage rights (UR3; ISO 32000-2 §12.8.2.3) would be void after any change.
    case usageRights
    /// An earlier signature locked this field (FieldMDP; ISO 32000-2 §12.8.2.4), or all of them.
    case locked(field: String)
    /// No empty signature field has this name.
    case noSuchField(String)
    /// It has several empty signature fields; one must be named.
    case severalFields([String])
    /// The signature field's seed value (ISO 32000-2 §12.7.5.5) requires what this signature is not;
    /// with the key.
    case seedValue(key: String)
    /// The field demands that signing locks fields (Lock; ISO 32000-2 §12.7.5.5), which this version
    /// does not do.
    case lockDemanded(field: String)
    /// The visible mark cannot be drawn.
    case mark(VisibleMark.Fault)
    /// Its structure is legal, but not supported; with the part.
    case structure(String)
    /// The signature does not fit into its room, in bytes.
    case room(needed: Int, given: Int)
  }
}
