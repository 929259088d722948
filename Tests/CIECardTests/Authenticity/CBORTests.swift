import TestSupport
import Testing

@testable import CIECard

/// CBOR of the five kinds in a verifiable document.
@Suite struct CBORTests {
  /// RFC 8949 appendix A: the examples of these kinds, with their values.
  private static let read: [(String, CBOR)] = [
    ("00", .unsigned(0)), ("01", .unsigned(1)), ("0A", .unsigned(10)), ("17", .unsigned(23)),
    ("1818", .unsigned(24)), ("1819", .unsigned(25)), ("1864", .unsigned(100)),
    ("1903E8", .unsigned(1000)), ("1A000F4240", .unsigned(1_000_000)),
    ("1B000000E8D4A51000", .unsigned(1_000_000_000_000)),
    ("1BFFFFFFFFFFFFFFFF", .unsigned(18_446_744_073_709_551_615)),
    ("40", .bytes([])), ("4401020304", .bytes([1, 2, 3, 4])),
    ("60", .text("")), ("6161", .text("a")), ("6449455446", .text("IETF")),
    ("62225C", .text("\"\\")), ("62C3BC", .text("\u{FC}")), ("63E6B0B4", .text("\u{6C34}")),
    ("64F0908591", .text("\u{10151}")),
    ("80", .array([])), ("83010203", .array([.unsigned(1), .unsigned(2), .unsigned(3)])),
    (
      "8301820203820405",
      .array([
        .unsigned(1), .array([.unsigned(2), .unsigned(3)]), .array([.unsigned(4), .unsigned(5)]),
      ])
    ),
    (
      "98190102030405060708090A0B0C0D0E0F101112131415161718181819",
      .array((1...25).map { .unsigned($0) })
    ),
    ("A0", .map([:])),
    ("A26161016162820203", .map(["a": .unsigned(1), "b": .array([.unsigned(2), .unsigned(3)])])),
    ("826161A161626163", .array([.text("a"), .map(["b": .text("c")])])),
    (
      "A56161614161626142616361436164614461656145",
      .map([
        "a": .text("A"), "b": .text("B"), "c": .text("C"), "d": .text("D"), "e": .text("E"),
      ])
    ),
  ]

  /// All other examples there: negative and floating-point numbers, tags, simple values, a map with numbers as names, and
  /// indefinite lengths.
  private static let refused = """
    C249010000000000000000 3BFFFFFFFFFFFFFFFF C349010000000000000000 20 29 3863 3903E7
    F90000 F98000 F93C00 FB3FF199999999999A F93E00 F97BFF FA47C35000 FA7F7FFFFF
    FB7E37E43C8800759C F90001 F90400 F9C400 FBC010666666666666 F97C00 F97E00 F9FC00
    FA7F800000 FA7FC00000 FAFF800000 FB7FF0000000000000 FB7FF8000000000000
    FBFFF0000000000000 F4 F5 F6 F7 F0 F818 F8FF C074323031332D30332D32315432303A30343A30305A
    C11A514B67B0 C1FB41D452D9EC200000 D74401020304 D818456449455446
    D82076687474703A2F2F7777772E6578616D706C652E636F6D A201020304 5F42010243030405FF
    7F657374726561646D696E67FF 9FFF 9F018202039F0405FFFF 9F01820203820405FF
    83018202039F0405FF 83019F0203FF820405
    9F0102030405060708090A0B0C0D0E0F101112131415161718181819FF BF61610161629F0203FFFF
    826161BF61626163FF BF6346756EF563416D7421FF
    """

  @Test func theExamplesOfTheStandardAreReadAndWritten() throws {
    for (text, value) in Self.read {
      let bytes = try Hex.bytes(text)
      #expect(CBOR(bytes) == value && value.encoded == bytes, "\(text)")
      #expect(CBOR(bytes + [0]) == nil && CBOR([UInt8](bytes.dropLast())) == nil, "\(text)")
    }
    let refused = Self.refused.split(whereSeparator: \.isWhitespace)
    #expect(Self.read.count + refused.count == 82)
    for text in refused { #expect(CBOR(try Hex.bytes(String(text))) == nil, "\(text)") }
  }

  /// Longer heads than needed, reserved ones, names that are no text or come twice, and text that is not UTF-8.
  @Test(arguments: [
    "1800", "1817", "190000", "1900FF", "1A0000FFFF", "1B00000000FFFFFFFF", "5801AA", "780161",
    "980100", "B801616100", "1C", "5F", "FF", "A2616100616101", "A1410000", "62C328", "61FF",
    "5BFFFFFFFFFFFFFFFF00", "9BFFFFFFFFFFFFFFFF00", "BB7FFFFFFFFFFFFFFF", "818181818181818100",
  ]) func eachItemHasOneForm(_ text: String) throws {
    #expect(CBOR(try Hex.bytes(text)) == nil)
  }

  @Test func membersAreSortedByTheirEncodedNames() throws {
    let map = try #require(CBOR(try Hex.bytes("A3 62616101 616302 62616203")))
    #expect(map.encoded == (try Hex.bytes("A3 616302 62616101 62616203")))
  }

  @Test func sizeIsBounded() {
    #expect(CBOR([0x81, 0x81, 0x81, 0x81, 0x81, 0x81, 0x81, 0x00]) != nil)
    let most = [0x99, 0x03, 0xFF] + [UInt8](repeating: 0, count: 1023)
    #expect(CBOR(most) != nil)
    #expect(CBOR([0x99, 0x04, 0x00] + [UInt8](repeating: 0, count: 1024)) == nil)
  }
}
