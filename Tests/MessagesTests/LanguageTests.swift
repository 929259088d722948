import CIECard
@testable import Messages
import Testing

/// Each language's forms of counts, dates and numbers.
@Suite struct LanguageTests {
  /// The whole numbers that the Unicode CLDR has as examples of each form (plurals.xml); without those from a million
  /// on, for which French and Italian have a separate form.
  private static let examples: [(String, String?, [Int])] =
    ["it", "en", "de"].flatMap { language -> [(String, String?, [Int])] in
      [
        (language, "one", [1]),
        (language, nil, [0] + Array(2...16) + [100, 1000, 10_000, 100_000]),
      ]
    } + [
      ("fr", "one", [0, 1]), ("fr", nil, Array(2...17) + [100, 1000, 10_000, 100_000]),
      ("sl", "one", [1, 101, 201, 301, 401, 501, 601, 701, 1001]),
      ("sl", "two", [2, 102, 202, 302, 402, 502, 602, 702, 1002]),
      (
        "sl", "few",
        [3, 4, 103, 104, 203, 204, 303, 304, 403, 404, 503, 504, 603, 604, 703, 704, 1003]
      ),
      ("sl", nil, [0] + Array(5...19) + [100, 1000, 10_000, 100_000, 1_000_000]),
    ]

  @Test(arguments: examples)
  func countsTakeTheFormsOfCLDR(_ code: String, _ form: String?, _ counts: [Int]) throws {
    let language = try #require(Language(rawValue: code))
    for count in counts { #expect(language.form(of: count) == form, "\(code), \(count)") }
  }

  @Test func everyLanguageHasExamples() {
    #expect(Set(Self.examples.map(\.0)) == Set(Language.allCases.map(\.rawValue)))
  }

  @Test(arguments: [
    ("it", "05/03/2031", "XX/XX/1985"), ("en", "5 Mar 2031", "XX XX 1985"),
    ("de", "05.03.2031", "XX.XX.1985"),
    ("fr", "05/03/2031", "XX/XX/1985"), ("sl", "5.\u{A0}3.\u{A0}2031", "XX.\u{A0}XX.\u{A0}1985"),
  ])
  func datesAreWrittenAsTheLanguageDoes(_ code: String, _ whole: String, _ partial: String) throws {
    let language = try #require(Language(rawValue: code))
    let day = try #require(MRZ.PartialDate(year: 2031, month: 3, day: 5))
    #expect(language.text(day) == whole)
    #expect(
      language.text(try #require(MRZ.PartialDate(year: 1985, month: nil, day: nil))) == partial)
    // 2031-03-05T23:59:59Z
    #expect(language.text(UTCTime(seconds: 1_930_521_599)) == whole)
    #expect(Message("document.expired", ["date": day])(language).hasPrefix(whole + " ("))
  }

  @Test(arguments: [
    ("it", "12.345", "1.234.567"), ("en", "12,345", "1,234,567"), ("de", "12.345", "1.234.567"),
    ("fr", "12\u{A0}345", "1\u{A0}234\u{A0}567"), ("sl", "12.345", "1.234.567"),
  ])
  func numbersAreWrittenAsTheLanguageDoes(_ code: String, _ five: String, _ seven: String) throws {
    let language = try #require(Language(rawValue: code))
    #expect(language.text(12_345) == five && language.text(1_234_567) == seven)
    #expect(language.text(0) == "0" && language.text(9999) == "9999" && language.text(-5) == "-5")
    #expect(Message("length-not-carried", ["length": 12_345])(language).contains(five))
  }

  /// A message chooses by its count, and shows it.
  @Test(arguments: [
    (1, "poskus"), (2, "poskusa"), (3, "poskusi"), (5, "poskusov"), (101, "poskus"),
  ])
  func aMessageChoosesByItsCount(_ count: Int, _ word: String) throws {
    let slovene = try #require(Language(rawValue: "sl"))
    let text = Message("wrong-code-tries", ["code": "PIN", "count": count])(slovene)
    #expect(text.hasSuffix("\(count) \(word)."))
  }
}
