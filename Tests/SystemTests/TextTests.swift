@testable import Primitives
import Testing

@Suite struct HexadecimalTests {
  @Test(
    arguments: [
      ([], ""), ([0], "00"), ([0x09, 0xAF, 0xFF], "09AFFF"), ([UInt8](0x78...0x7B), "78797A7B"),
    ] as [([UInt8], String)])
  func bytesAreTwoCapitalDigitsEach(_ bytes: [UInt8], _ text: String) {
    #expect(bytes.hexadecimal == text)
    #expect([UInt8](hexadecimal: text) == bytes)
    #expect([UInt8](hexadecimal: text.lowercased()) == bytes)
  }

  @Test func blanksAndLineEndsMayStandBetweenPairs() {
    #expect([UInt8](hexadecimal: " 01 02\n03") == [1, 2, 3])
  }

  @Test(arguments: ["0", "012", "0 1", "0G", "0x01", "01-02", "０１"])
  func whatIsNotPairsOfDigitsIsRefused(_ text: String) {
    #expect([UInt8](hexadecimal: text) == nil)
  }
}

@Suite struct Base64Tests {
  /// RFC 4648 §10.
  static let vectors = [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ]

  @Test(arguments: vectors)
  func agreesWithTheVectorsOfTheStandard(_ bytes: String, _ text: String) {
    #expect(Base64.encode([UInt8](bytes.utf8)) == [UInt8](text.utf8))
    #expect(Base64.decode([UInt8](text.utf8)) == [UInt8](bytes.utf8))
  }

  @Test func everyByteComesBack() {
    let bytes = [UInt8](0...255)
    #expect(Base64.decode(Base64.encode(bytes)) == bytes)
  }

  @Test(arguments: vectors)
  func paddingMayBeLeftOut(_ bytes: String, _ text: String) {
    #expect(Base64.decode(text.utf8.filter { $0 != UInt8(ascii: "=") }) == [UInt8](bytes.utf8))
  }

  @Test(arguments: [
    "Z", "Zm9vY", "Zg=", "Zm9v=", "Zg===", "Z=g=", "Zm9v\n", " Zm9v", "Zm-_", "Zm9\u{0}",
  ])
  func whatIsNotBase64IsRefused(_ text: String) {
    #expect(Base64.decode([UInt8](text.utf8)) == nil)
  }
}

@Suite struct UTCCalendarTests {
  @Test(
    arguments: [
      (0, 1970, 1, 1, "1970-01-01"), (951_782_400, 2000, 2, 29, "2000-02-29"),
      (4_107_542_400, 2100, 3, 1, "2100-03-01"), (-2_208_988_800, 1900, 1, 1, "1900-01-01"),
    ] as [(Int64, Int, Int, Int, String)])
  func aDayBeginsAtThisSecondAndHas86400(
    _ start: Int64, _ year: Int, _ month: Int, _ day: Int, _ text: String
  ) {
    #expect(UTCCalendar.start(year: year, month: month, day: day) == start)
    for second in [start, start + 86_399] {
      #expect(UTCCalendar.date(second) == (year, month, day))
      #expect(UTCCalendar.text(second, "%Y-%m-%d") == text)
    }
  }

  @Test func aFormatMayHaveHoursMinutesAndSeconds() {
    #expect(UTCCalendar.text(1_700_000_003, "%H:%M:%S") == "22:13:23")
  }
}

@Suite struct TextSearchTests {
  @Test(
    arguments: [
      ("", "", true), ("card", "", true), ("", "a", false), ("card", "card", true),
      ("card", "rd", true), ("card", "cards", false), ("aaab", "aab", true), ("città", "à", true),
      ("caf\u{e9}", "cafe", false),
    ])
  func aTextIsFoundByItsBytes(_ text: String, _ words: String, _ isThere: Bool) {
    #expect(text.includes(words) == isThere)
    #expect(text.dropFirst(0).includes(words) == isThere)
  }

  @Test(
    arguments: [
      ("", [""]), ("a", ["a"]), ("a, b", ["a", "b"]), (", ", ["", ""]),
      ("a, , b,c", ["a", "", "b,c"]),
      ("è, é", ["è", "é"]),
    ])
  func partsStandBetweenSeparators(_ text: String, _ parts: [String]) {
    #expect(text.parts(between: ", ").map(String.init) == parts)
  }

  @Test func noSeparatorLeavesOnePart() {
    #expect("a, b".parts(between: "").map(String.init) == ["a, b"])
  }

  @Test func replacementsAreNotSearchedAgain() {
    #expect("%".exchanging("%", for: "%25") == "%25")
    #expect("aaa".exchanging("aa", for: "b") == "ba")
    #expect("a & b & c".exchanging("&", for: "&amp;") == "a &amp; b &amp; c")
  }
}
