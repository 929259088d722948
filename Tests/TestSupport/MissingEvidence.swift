/// Evidence that a chip may lack or withhold: the rows of the tables in `CIECard.docc/MissingEvidence.md`.
public struct MissingEvidence: Sendable, CaseIterable {
  /// The name of the missing evidence.
  public let name: String
  /// The fault of the software card.
  public let fault: String?
  /// True if the authority of the card is not among the trusted ones.
  public let isUnknownIssuer: Bool

  private init(_ name: String, _ fault: String?, isUnknownIssuer: Bool = false) {
    self.name = name
    self.fault = fault
    self.isUnknownIssuer = isUnknownIssuer
  }

  /// The document with the tables.
  public static let document = "Sources/CIECard/CIECard.docc/MissingEvidence.md"

  /// All rows, and a card that lacks nothing.
  public static let allCases = [
    MissingEvidence("nothing", nil),
    MissingEvidence("EF.SOD is hidden (6A82)", "hidden-file=1006"),
    MissingEvidence("EF.SOD is refused (6982)", "hidden-file=1006:6982"),
    MissingEvidence("EF.SOD ends the channel (bare 6A82)", "hidden-file=1006:bare-6A82"),
    MissingEvidence("EF.SOD without protection (bare 9000)", "hidden-file=1006:bare-9000"),
    MissingEvidence("EF.SOD of an unknown issuer", nil, isUnknownIssuer: true),
    MissingEvidence("EF.SOD of another card", "foreign-sod"),
    MissingEvidence("EF.Int.Kpub (1004)", "hidden-file=1004"),
    MissingEvidence("EF.Servizi_Int.Kpub (1005)", "hidden-file=1005"),
    MissingEvidence("EF.ATR (2F01)", "hidden-file=2F01"),
    MissingEvidence("EF.CardAccess (011C)", "hidden-file=011C"),
    MissingEvidence("EF.SOD of the document (011D)", "hidden-file=011D"),
    MissingEvidence("DG1", "hidden-file=0101"),
    MissingEvidence("DG2", "hidden-file=0102"),
    MissingEvidence("DG2 ends the channel (bare 6982)", "hidden-file=0102:bare-6982"),
    MissingEvidence("DG11", "hidden-file=010B"),
    MissingEvidence("DG14", "hidden-file=010E"),
    MissingEvidence("DG15", "hidden-file=010F"),
  ]
}
