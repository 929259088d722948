extension MRZ {
  /// A date of the machine readable zone, YYMMDD: it has no century, and fillers where a part is unknown (Doc 9303-3
  /// §4.8).
  public struct Date: Sendable, Hashable {
    /// The six characters.
    public let text: String
    /// 0 to 99.
    public let yearOfCentury: Int?
    /// 1 to 12.
    public let month: Int?
    /// 1 to 31.
    public let day: Int?

    /// - Returns: `nil` unless the characters are three pairs of digits or fillers with a month up to 12 and a day up to 31.
    ///   Zeros for an unknown month or day, which some states write, are taken as fillers.
    init?(_ characters: [UInt8]) {
      let pairs = [
        characters.prefix(2), characters.dropFirst(2).prefix(2), characters.dropFirst(4),
      ]
      guard characters.count == 6, pairs.allSatisfy(Self.isPair) else { return nil }
      text = String(decoding: characters, as: UTF8.self)
      yearOfCentury = Self.number(pairs[0])
      month = Self.number(pairs[1]).flatMap { $0 == 0 ? nil : $0 }
      day = Self.number(pairs[2]).flatMap { $0 == 0 ? nil : $0 }
      guard PartialDate(year: nil, month: month, day: day) != nil else { return nil }
    }

    private static func isPair(_ characters: some Collection<UInt8>) -> Bool {
      characters.allSatisfy { $0 == MRZ.filler }
        || characters.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func number(_ characters: some Collection<UInt8>) -> Int? {
      guard characters.first != MRZ.filler else { return nil }
      return characters.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// The date in the latest year that leaves it not after `limit`. Without a year of its own the date has none.
    func date(notAfter limit: PartialDate) -> PartialDate? {
      guard let yearOfCentury, let last = limit.year else {
        return PartialDate(year: nil, month: month, day: day)
      }
      let century = last / 100 * 100
      return [century, century - 100]
        .compactMap { PartialDate(year: $0 + yearOfCentury, month: month, day: day) }
        .first { !$0.isAfter(limit) }
    }
  }
}
