/// The machine readable zone of a travel document, as in DG1 and as printed (Doc 9303-3 §4; for TD1
/// Doc 9303-5 §4.2, for TD2 Doc 9303-6 §4.2, for TD3 Doc 9303-4 §4.2).
///
/// Names and texts have blanks where the zone has fillers.
public struct MRZ: Sendable, Equatable {
  /// The size of the document.
  public let format: Format
  /// All characters, line after line, without separators.
  public let text: String
  /// One or two characters: `C` on a CIE, `P` on a passport.
  public let documentCode: String
  /// The issuing state or organisation, up to three letters (Doc 9303-3 §5): `ITA`.
  public let issuingState: String
  /// The document number, including a part that continues in the optional data.
  public let documentNumber: String
  /// The date of birth, without its century.
  public let dateOfBirth: Date
  /// The sex, if stated in the zone.
  public let sex: Sex
  /// The date of expiry, inclusive, without its century.
  public let dateOfExpiry: Date
  /// The nationality, up to three letters (Doc 9303-3 §5).
  public let nationality: String
  /// The name. A long one is truncated in the zone; DG11 may have it in full.
  public let name: DataGroup.PersonalDetails.Name
  /// The optional data in the order of the zone, two fields on a TD1 and one on others, empty where unused.
  public let optionalData: [String]
  /// The check digits that do not match their fields.
  public let wrongCheckDigits: Set<CheckDigit>
  /// True if Doc 9303 does not allow the document code, the nationality, or a name that is empty.
  let hasOddFields: Bool

  /// The sizes of documents.
  public enum Format: Sendable, Hashable, CaseIterable {
    /// A card with three lines of 30 characters.
    case td1
    /// A card with two lines of 36 characters.
    case td2
    /// A booklet with two lines of 44 characters.
    case td3
  }

  /// The sex in the zone.
  public enum Sex: Sendable, Hashable {
    case female
    case male
    /// The filler, or the X of the visual zone.
    case unspecified
  }

  /// The check digits (Doc 9303-3 §4.9).
  public enum CheckDigit: Sendable, Hashable, CaseIterable {
    case documentNumber
    case dateOfBirth
    case dateOfExpiry
    /// The check digit of the optional data, in a TD3.
    case optionalData
    /// The check digit over all of them.
    case composite
  }

  /// The reason why characters are not a machine readable zone.
  public enum Malformation: Error, Sendable, Equatable {
    /// Lines of these lengths, which match no format.
    case lines([Int])
    /// A character other than `A` to `Z`, `0` to `9` and `<`, at this position in the whole zone,
    /// counted from 1.
    case character(position: Int)
    case dateOfBirth
    case dateOfExpiry
    /// A sex other than `F`, `M`, `X` and `<`.
    case sex
  }

  /// The filler, `<`.
  static let filler = UInt8(ascii: "<")

  /// The date of birth with its century: the latest possible year up to today. For people above a
  /// hundred, only DG11 has the right year.
  ///
  /// - Returns: `nil` for the 29th of February of a year that had none.
  public func birthDate(asOf today: PartialDate) -> PartialDate? {
    dateOfBirth.date(notAfter: today)
  }

  /// The date of expiry with its century: from forty years back to sixty ahead.
  ///
  /// - Parameters:
  ///   - today: the present day.
  ///   - issue: a day that it cannot precede, such as that of issue; then the century follows from that day, because a
  ///     clock may be wrong.
  /// - Returns: `nil` for the 29th of February of a year that has none.
  public func expiryDate(asOf today: PartialDate, notBefore issue: PartialDate? = nil)
    -> PartialDate?
  {
    if let issue, let date = dateOfExpiry.date(notBefore: issue) { return date }
    let latest = today.year.map { min($0, 9000) + 60 }
    return PartialDate(year: latest, month: 12, day: 31).flatMap(dateOfExpiry.date(notAfter:))
  }
}

extension MRZ {
  /// Parses a zone that was typed or scanned: its lines, or all characters in one line. Blanks and
  /// empty lines are skipped, small letters are read as capitals.
  public init(text: String) throws(Malformation) {
    let lines = text.split(whereSeparator: \.isNewline)
      .map { $0.uppercased().utf8.filter { !Self.blanks.contains($0) } }
      .filter { !$0.isEmpty }
    let lengths = lines.map(\.count)
    let isKnown = Format.allCases.contains { format in
      lengths == Array(repeating: format.lineLength, count: format.lines)
    }
    guard isKnown || lengths.count == 1 else { throw .lines(lengths) }
    try self.init(characters: [UInt8](lines.joined()))
  }

  private static var blanks: [UInt8] { [UInt8(ascii: " "), UInt8(ascii: "\t")] }
}
