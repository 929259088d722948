public import Primitives

/// A language of the table of messages. Data for scripts do not depend on it.
public struct Language: RawRepresentable, Hashable, Sendable, CaseIterable {
  /// Its code (ISO 639-1).
  public let rawValue: String

  /// - Returns: `nil` for a language that the table does not have.
  public init?(rawValue: String) {
    guard let language = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = language
  }

  private init(_ code: String) { rawValue = code }

  /// The languages of the table and its translations.
  public static let allCases = MessageTable.languages.map(Language.init)

  /// The default for a language that is not in the table.
  public static let english = Language("en")

  /// The language of a locale such as `it_IT.UTF-8`: the whole part before the territory. Frisian (`frr`) is not
  /// French.
  public init(locale: String?) {
    let code = locale?.prefix { $0.isLetter }
    self = Self.allCases.first { code?.lowercased() == $0.rawValue } ?? .english
  }
}

// The language's formats of values: rows of the table define them, as the Unicode CLDR has them.
extension Language {
  /// The plural form of a text for a count: `one`, `two`, `few`; `nil` for the one of all other numbers.
  func form(of count: Int) -> String? {
    for rule in row("plural").split(separator: ";") {
      // `few i % 100 = 3..4`
      let sides = rule.split(separator: "=")
      guard let left = sides.first?.split(separator: " "), let form = left.first,
        let ranges = sides.last?.split(separator: ",")
      else { continue }
      let modulus = left.contains("%") ? left.last.flatMap { Int($0) } : nil
      let value = modulus.flatMap { $0 > 0 ? count % $0 : nil } ?? count
      let holds = ranges.contains { range in
        let ends = range.split { $0 == "." || $0 == " " }.compactMap { Int($0) }
        guard let first = ends.first, let last = ends.last else { return false }
        return first <= value && value <= last
      }
      if holds { return String(form) }
    }
    return nil
  }

  /// A date; an unknown part has an X for each digit.
  public func text(_ date: some CalendarDate) -> String {
    text(year: date.year, date.month, date.day)
  }

  private func text(year: Int?, _ month: Int?, _ day: Int?) -> String {
    var result = ""
    var pattern = row("date")[...]
    while let letter = pattern.first {
      let run = pattern.prefix { $0 == letter }
      pattern = pattern.dropFirst(run.count)
      switch letter {
      case "y": result += Self.digits(year, run.count, unknown: 4)
      case "M" where run.count == 3: result += month.flatMap(monthName) ?? "XX"
      case "M": result += Self.digits(month, run.count, unknown: 2)
      case "d": result += Self.digits(day, run.count, unknown: 2)
      default: result += run
      }
    }
    return result
  }

  /// The day of a moment, in UTC.
  public func text(_ time: UTCTime) -> String {
    let date = time.date
    return text(year: date.year, date.month, date.day)
  }

  /// A moment, in the time zone of the machine.
  func text(_ moment: LocalMoment) -> String {
    let parts = UTCCalendar.localMoment(moment.time.seconds)
    let day = text(year: parts.year, parts.month, parts.day)
    let time = [parts.hour, parts.minute].map { Self.digits($0, 2, unknown: 2) }
    return row("moment").exchanging("{date}", for: day)
      .exchanging("{time}", for: time.joined(separator: ":"))
  }

  private func monthName(_ month: Int) -> String? {
    let names = row("months").split(separator: " ")
    return names.indices.contains(month - 1) ? String(names[month - 1]) : nil
  }

  /// A whole number; from five digits on the thousands are separated.
  public func text(_ number: Int) -> String {
    let digits = String(number.magnitude)
    let separator = row("number").filter { !("0"..."9").contains($0) }
    guard digits.count > 4 else { return String(number) }
    let grouped = digits.enumerated().reduce(into: number < 0 ? "-" : "") { result, digit in
      let left = digits.count - digit.offset
      if digit.offset > 0, left.isMultiple(of: 3) { result += separator }
      result.append(digit.element)
    }
    return grouped
  }

  /// A row with a format of the language.
  private func row(_ key: String) -> String {
    MessageTable.shared.text(of: key, in: self) ?? ""
  }

  private static func digits(_ part: Int?, _ width: Int, unknown: Int) -> String {
    guard let part else { return String(repeating: "X", count: unknown) }
    let digits = String(part)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
