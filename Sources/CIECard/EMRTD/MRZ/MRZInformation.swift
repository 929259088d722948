extension MRZ {
  /// The data printed on a document that open it: number, date of birth and date of expiry, each
  /// with its check digit (MRZ_information, Doc 9303-11 §9.7.2 and §9.7.3).
  ///
  /// It has no description, because it gives access to the chip.
  public struct Information: Sendable, Hashable {
    /// ASCII characters: 24 for a number of up to nine characters, more for a longer one.
    let characters: [UInt8]

    /// Errors in typed data.
    public enum Problem: Error, Sendable, Hashable {
      /// Not one to 22 letters and digits.
      case documentNumber
      /// Not a date in one of the known forms.
      case dateOfBirth
      /// Not a date in one of the known forms.
      case dateOfExpiry
    }

    /// The information of a zone, with computed check digits.
    public init(_ zone: MRZ) {
      self.init(
        number: [UInt8](zone.documentNumber.utf8), birth: [UInt8](zone.dateOfBirth.text.utf8),
        expiry: [UInt8](zone.dateOfExpiry.text.utf8))
    }

    init(number: [UInt8], birth: [UInt8], expiry: [UInt8]) {
      let padding = [UInt8](repeating: MRZ.filler, count: max(0, Self.fieldLength - number.count))
      characters = [number + padding, birth, expiry].flatMap {
        $0 + [MRZCheckDigit.compute(over: $0)]
      }
    }

    /// Length of the document number's field; a shorter number is padded before its check digit.
    private static let fieldLength = 9
  }
}

extension MRZ.Information: CustomStringConvertible {
  /// A fixed text, without the contents.
  public var description: String { "MRZ.Information" }
}

extension MRZ.Information: CustomReflectable {
  /// A mirror without the contents.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension MRZ.Information {
  /// Parses typed data.
  ///
  /// Small letters are read as capitals, blanks are dropped. The letters O and I and the digits 0
  /// and 1 are interchanged only if the meaning is certain: in a date, and in a document number
  /// that then has the form of a CIE's.
  ///
  /// - Parameters:
  ///   - documentNumber: one to 22 letters and digits: nine, and as many as fit into the optional
  ///     data of a TD1.
  ///   - dateOfBirth: `850131` as in the zone, where an unknown part is `<<`; `1985-01-31`;
  ///     `31/01/1985`, also with points or hyphens; `19850131`.
  ///   - dateOfExpiry: in the same forms.
  public init(
    documentNumber: String, dateOfBirth: String, dateOfExpiry: String
  ) throws(Problem) {
    guard let number = Self.number(documentNumber) else { throw .documentNumber }
    guard let birth = Self.date(dateOfBirth) else { throw .dateOfBirth }
    guard let expiry = Self.date(dateOfExpiry) else { throw .dateOfExpiry }
    self.init(number: number, birth: birth, expiry: expiry)
  }

  private static func number(_ text: String) -> [UInt8]? {
    let typed = capitals(text)
    let end = typed.lastIndex { $0 != MRZ.filler }.map { $0 + 1 } ?? 0
    let number = [UInt8](typed.prefix(end))
    guard (1...22).contains(number.count),
      number.allSatisfy({ isDigit($0) || isLetter($0) || $0 == MRZ.filler })
    else { return nil }
    // Two letters and seven digits are the unchanged number of an Italian passport.
    if fits(number, "AA0000000") { return number }
    let meant = zip(number, cardPattern.utf8).map { character, kind in
      kind == UInt8(ascii: "A") ? letterLike(character) : digitLike(character)
    }
    return number.count == meant.count && fits(meant, cardPattern) ? meant : number
  }

  /// Two letters, five digits, two letters: the numbers of the CIE 3.0.
  private static let cardPattern = "AA00000AA"

  private static func fits(_ number: [UInt8], _ pattern: String) -> Bool {
    number.count == pattern.utf8.count
      && zip(number, pattern.utf8).allSatisfy { character, kind in
        kind == UInt8(ascii: "A") ? isLetter(character) : isDigit(character)
      }
  }

  private static func date(_ text: String) -> [UInt8]? {
    let parts = capitals(text).map(digitLike).split(
      omittingEmptySubsequences: false
    ) { separators.contains($0) }
    let digits: [UInt8]
    switch parts.map(\.count) {
    case [6], [8], [4, 2, 2]: digits = [UInt8](parts.joined())
    case [2, 2, 4]: digits = [UInt8](parts.reversed().joined())
    default: return nil
    }
    if digits.count == 6 { return MRZ.Date(digits) == nil ? nil : digits }
    guard let date = MRZ.PartialDate(digits), let year = date.year, (1900...2199).contains(year),
      date.month != nil, date.day != nil
    else { return nil }
    return [UInt8](digits.dropFirst(2))
  }

  private static var separators: [UInt8] { [UInt8]("-/.".utf8) }

  private static func capitals(_ text: String) -> [UInt8] {
    text.uppercased().utf8.filter { $0 != UInt8(ascii: " ") }
  }

  private static func isDigit(_ character: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character)
  }

  private static func isLetter(_ character: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(character)
  }

  private static func digitLike(_ character: UInt8) -> UInt8 {
    switch character {
    case UInt8(ascii: "O"): UInt8(ascii: "0")
    case UInt8(ascii: "I"): UInt8(ascii: "1")
    default: character
    }
  }

  private static func letterLike(_ character: UInt8) -> UInt8 {
    switch character {
    case UInt8(ascii: "0"): UInt8(ascii: "O")
    case UInt8(ascii: "1"): UInt8(ascii: "I")
    default: character
    }
  }
}
