public import Primitives

extension MRZ {
  /// A date as stated in a document: parts may be unknown, because not every date of birth is
  /// recorded, and it is not checked against the calendar, because registers contain dates such as
  /// the 30th of February.
  public struct PartialDate: Sendable, Hashable {
    /// The year with its century, 1 to 9999.
    public let year: Int?
    /// 1 to 12.
    public let month: Int?
    /// 1 to 31.
    public let day: Int?

    /// - Returns: `nil` for an invalid date.
    public init?(year: Int?, month: Int?, day: Int?) {
      guard (1...9999).contains(year ?? 1), (1...12).contains(month ?? 1),
        (1...31).contains(day ?? 1)
      else { return nil }
      self.year = year
      self.month = month
      self.day = day
    }

    /// True if this date is later than the other one, whatever the unknown parts are.
    func isAfter(_ other: PartialDate) -> Bool {
      let own = [year ?? 1, month ?? 1, day ?? 1]
      return [other.year ?? 9999, other.month ?? 12, other.day ?? 31].lexicographicallyPrecedes(own)
    }
  }
}

extension MRZ.PartialDate: CalendarDate {}

extension MRZ.PartialDate: CustomStringConvertible {
  /// `1985-01-31`; an unknown digit is an X, as in `1985-XX-XX` (ISO 8601-2 §4.3).
  public var description: String {
    [(year, 4), (month, 2), (day, 2)].map { part, width in
      guard let part else { return String(repeating: "X", count: width) }
      let digits = String(part)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }.joined(separator: "-")
  }
}

extension MRZ.PartialDate {
  /// Parses a date of DG11 or DG12: eight characters YYYYMMDD, or four bytes of packed digits as in
  /// older documents (Doc 9303-10 §4.7.11). Zeros or fillers mark unknown parts.
  init?(_ value: [UInt8]) {
    var digits: [Int] = []
    for byte in value {
      switch value.count {
      case 8: digits.append(byte == MRZ.filler ? 0 : Int(byte) - 0x30)
      case 4: digits += [Int(byte >> 4), Int(byte & 15)]
      default: return nil
      }
    }
    guard digits.count == 8, digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
    func number(_ part: some Sequence<Int>) -> Int? {
      let value = part.reduce(0) { $0 * 10 + $1 }
      return value == 0 ? nil : value
    }
    self.init(
      year: number(digits.prefix(4)), month: number(digits.dropFirst(4).prefix(2)),
      day: number(digits.suffix(2)))
  }

  /// The day of a time in UTC; `nil` outside the years 1 to 9999.
  init?(_ time: UTCTime) {
    let date = time.date
    self.init(year: date.year, month: date.month, day: date.day)
  }

  /// From the first to the last second of the day in UTC; `nil` if a part of the date is unknown.
  var seconds: ClosedRange<UTCTime>? {
    guard let year, let month, let day else { return nil }
    let start = UTCCalendar.start(year: year, month: month, day: day)
    return UTCTime(seconds: start)...UTCTime(seconds: start + 86_399)
  }
}

extension MRZ {
  /// A date of the machine readable zone, YYMMDD: it has no century, and fillers for unknown parts
  /// (Doc 9303-3 §4.8).
  public struct Date: Sendable, Hashable {
    /// The six characters.
    public let text: String
    /// 0 to 99.
    public let yearOfCentury: Int?
    /// 1 to 12.
    public let month: Int?
    /// 1 to 31.
    public let day: Int?

    /// - Returns: `nil` unless the characters are three pairs of digits or fillers with a month up
    ///   to 12 and a day up to 31. Zeros for an unknown month or day, which some states write,
    ///   count as fillers.
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

    /// The date in the first possible year from `limit` on; `nil` if either year is unknown.
    func date(notBefore limit: PartialDate) -> PartialDate? {
      guard let yearOfCentury, let first = limit.year else { return nil }
      let century = first / 100 * 100
      return [century, century + 100]
        .compactMap { PartialDate(year: $0 + yearOfCentury, month: month, day: day) }
        .first { !limit.isAfter($0) }
    }

    /// The date in the latest possible year up to `limit`. If the year is unknown, it remains so.
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
