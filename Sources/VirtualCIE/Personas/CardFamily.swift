// Deliberately written apart from CIECard.

/// The kind of chip that a software card pretends to have; the bytes are public, see `CardProfile`.
public enum CardFamily: String, Sendable, CaseIterable {
  /// Gemalto: selects by AID, gives the DH parameters in one answer.
  case gemalto
  /// Gemalto, second series: DH parameters one by one, extended length.
  case gemalto2
  /// NXP: knows the root application only as the MF.
  case nxp
  /// STMicroelectronics: takes the terminal key only through P2 = A4.
  case st
  /// The ITJ4 family (Actalis, Bit4id): extended length, objects in another order.
  case itj4
  /// A chip that no table lists.
  case unknown

  /// One line for people.
  public var summary: String {
    switch self {
    case .gemalto: "Gemalto; DH parameters in one answer"
    case .gemalto2:
      "Gemalto, second series; DH parameters in one answer, long CA exponent, extended length"
    case .nxp: "NXP; DH parameters one by one, padded key files"
    case .st: "STMicroelectronics; DH parameters one by one, terminal key by P2 = A4 only"
    case .itj4: "ITJ4 (Bit4id B9547); no root AID, DH parameters one by one, extended length"
    case .unknown: "unlisted chip; DH parameters one by one"
    }
  }
}
