import TestSupport
import Testing

@testable import CIECard

/// The key to a document, from its zone and from typed input.
@Suite struct MRZInformationTests {
  struct Case: Decodable, Sendable {
    let op: String
    let documentNumber: String?
    let dateOfBirth: String?
    let dateOfExpiry: String?
    let mrzInformation: String?
  }

  private func typed(_ number: String, _ birth: String, _ expiry: String) throws -> String {
    let information = try MRZ.Information(
      documentNumber: number, dateOfBirth: birth, dateOfExpiry: expiry)
    return String(decoding: information.characters, as: UTF8.self)
  }

  @Test func published() throws {
    let cases = try Vectors.cases("mrz-checkdigits", of: Case.self).filter {
      $0.op == "mrz_information"
    }
    #expect(cases.count == 4)
    for vector in cases {
      let text = try typed(
        try #require(vector.documentNumber), try #require(vector.dateOfBirth),
        try #require(vector.dateOfExpiry))
      #expect(text == vector.mrzInformation)
    }
  }

  @Test func ofAZone() throws {
    func text(_ zone: String) throws -> String {
      String(decoding: MRZ.Information(try MRZ(text: zone)).characters, as: UTF8.self)
    }
    #expect(try text(MRZTests.card) == "CA00000AA485010193501014")
    #expect(try text(MRZTests.passport) == "L898902C3674081221204159")
    let long =
      "I<UTOD23145890<7349<<<<<<<<<<<3407127M9507122UTO<<<<<<<<<<<2STEVENSON<<PETER<JOHN"
      + String(repeating: "<", count: 9)
    #expect(try text(long) == "D23145890734934071279507122")
  }

  @Test func dates() throws {
    let good = "CA00000AA485010193501014"
    for birth in ["850101", "1985-01-01", "01/01/1985", "01.01.1985", "19850101", "85O1OI"] {
      #expect(try typed(" ca 00000 aa", birth, "350101") == good, "\(birth)")
      #expect(try typed("CA00000AA", "850101", birth.replacing("85", with: "35")) == good)
    }
    #expect(try typed("CA00000AA", "85<<<<", "350101").hasPrefix("CA00000AA485<<<<"))
    for wrong in ["", "85011", "851301", "1985-13-01", "01/01/85", "85-01-01", "1985-02-32", "abc"]
    {
      #expect(throws: MRZ.Information.Problem.dateOfBirth) {
        try typed("CA00000AA", wrong, "350101")
      }
      #expect(throws: MRZ.Information.Problem.dateOfExpiry) {
        try typed("CA00000AA", "850101", wrong)
      }
    }
  }

  @Test func lettersAndDigitsAreTakenForEachOtherOnlyOnACIE() throws {
    for number in ["CA00000AA", "CAOO0O0AA", "caOOOOOaa"] {
      #expect(try typed(number, "850101", "350101").hasPrefix("CA00000AA4"))
    }
    #expect(try typed("C1I1I1IA0", "850101", "350101").hasPrefix("CI11111AO"))
    // An Italian passport, a German card, a number that is too long: unchanged.
    for number in ["YA1234510", "L01X00T47", "CA00000AAO", "OI"] {
      #expect(try typed(number, "850101", "350101").hasPrefix(number))
    }
  }

  @Test func numbersThatNoZoneHolds() {
    for number in ["", "<<<", "CA00000AÀ", "CA-0000", String(repeating: "A", count: 23)] {
      #expect(throws: MRZ.Information.Problem.documentNumber) {
        try typed(number, "850101", "350101")
      }
    }
  }

  @Test func itsDescriptionSaysNothing() throws {
    let information = MRZ.Information(try MRZ(text: MRZTests.card))
    for text in ["\(information)", String(reflecting: information), "\([information])"] {
      #expect(!text.contains("CA0000") && !text.contains("67, 65"))
    }
    var dumped = ""
    dump(information, to: &dumped)
    #expect(!dumped.contains("67"))
  }
}
