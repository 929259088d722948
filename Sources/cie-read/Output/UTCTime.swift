import CIECard

/// Moments as ISO 8601 text in UTC.
enum UTCTime {
  /// - Parameter seconds: since 1970-01-01T00:00:00Z.
  static func text(_ seconds: Int64) -> String {
    let day = seconds.quotientRoundingDown(86_400)
    let second = seconds - day * 86_400
    let (year, month, date) = civil(day)
    return digits(year, 4) + "-" + digits(month, 2) + "-" + digits(date, 2) + "T"
      + digits(second / 3600, 2) + ":" + digits(second / 60 % 60, 2) + ":"
      + digits(second % 60, 2) + "Z"
  }

  /// The day in UTC.
  ///
  /// - Returns: `nil` outside the years 1 to 9999.
  static func date(_ seconds: Int64) -> PartialDate? {
    let (year, month, day) = civil(seconds.quotientRoundingDown(86_400))
    return PartialDate(year: Int(year), month: Int(month), day: Int(day))
  }

  /// Year, month and day of a day counted from 1970-01-01, in the Gregorian calendar.
  ///
  /// Counted in eras of 400 years (146 097 days) that begin on a 1 March, so that the leap day ends each year.
  private static func civil(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = day + 719_468
    let era = shifted.quotientRoundingDown(146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let fromMarch = (5 * dayOfYear + 2) / 153
    let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * fromMarch + 2) / 5 + 1)
  }

  private static func digits(_ number: Int64, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}

extension Int64 {
  fileprivate func quotientRoundingDown(_ divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
