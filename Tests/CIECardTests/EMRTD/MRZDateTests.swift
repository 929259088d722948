import Testing

@testable import CIECard

/// Dates with unknown parts, and the century that the zone leaves out.
@Suite struct MRZDateTests {
  private func date(_ year: Int?, _ month: Int? = nil, _ day: Int? = nil) throws -> MRZ.PartialDate
  {
    try #require(MRZ.PartialDate(year: year, month: month, day: day))
  }

  private func zone(birth: String, expiry: String = "350101") throws -> MRZ {
    try MRZ(
      text: MRZTests.card.replacing("850101", with: birth).replacing("350101", with: expiry))
  }

  @Test func theCenturyOfBirthIsTheLatestThatIsPast() throws {
    let today = try date(2026, 11, 21)
    let told = [
      ("850101", "1985-01-01"), ("261121", "2026-11-21"), ("261122", "1926-11-22"),
      ("000229", "2000-02-29"), ("26<<<<", "2026-XX-XX"), ("2612<<", "1926-12-XX"),
      ("27<<<<", "1927-XX-XX"), ("850000", "1985-XX-XX"), ("<<0101", "XXXX-01-01"),
      ("<<<<<<", "XXXX-XX-XX"),
    ]
    for (text, full) in told {
      #expect(try zone(birth: text).birthDate(asOf: today)?.description == full)
    }
    let before = try zone(birth: "000229").birthDate(asOf: date(1999, 1, 1))
    #expect(before?.description == "1900-02-29")
  }

  @Test func theCenturyOfExpiryIsNearToday() throws {
    let today = try date(2026, 11, 21)
    let told = [
      ("350101", "2035-01-01"), ("120415", "2012-04-15"), ("860101", "2086-01-01"),
      ("870101", "1987-01-01"),
    ]
    for (text, full) in told {
      #expect(try zone(birth: "850101", expiry: text).expiryDate(asOf: today)?.description == full)
    }
    #expect(try zone(birth: "850101").expiryDate(asOf: date(9999)) != nil)
  }

  @Test func `the century of an expiry follows from the issue, whatever the clock says`() throws {
    let told = [
      ("340301", "2024-01-01", "2034-03-01"), ("760131", "2017-10-01", "2076-01-31"),
      ("000101", "1996-05-05", "2000-01-01"), ("240101", "2024-01-01", "2024-01-01"),
      ("231231", "2024-01-01", "2123-12-31"), ("34<<<<", "2024-06-01", "2034-XX-XX"),
    ]
    for (text, issue, full) in told {
      let parts = issue.split(separator: "-").compactMap { Int($0) }
      for year in [1970, 2019, 2026, 2040, 9999] {
        let expiry = try zone(birth: "850101", expiry: text)
          .expiryDate(asOf: date(year), notBefore: date(parts[0], parts[1], parts[2]))
        #expect(expiry?.description == full, "\(text) in \(year)")
      }
    }
    // A year after the calendar ends is no reason for no date.
    #expect(
      try zone(birth: "850101", expiry: "340301")
        .expiryDate(asOf: date(2026), notBefore: date(9999, 1, 1))?.description == "2034-03-01")
  }

  @Test func datesThatExist() throws {
    // Registers have dates that no calendar has.
    #expect(MRZ.PartialDate(year: 2023, month: 2, day: 30) != nil)
    #expect(MRZ.PartialDate(year: nil, month: 4, day: 31) != nil)
    #expect(MRZ.PartialDate(year: nil, month: nil, day: 31) != nil)
    for (year, month, day) in [(0, 1, 1), (10_000, 1, 1), (1, 0, 1), (1, 13, 1), (1, 1, 0)] {
      #expect(MRZ.PartialDate(year: year, month: month, day: day) == nil)
    }
  }

  @Test func datesOfDetails() throws {
    #expect(MRZ.PartialDate([UInt8]("19850131".utf8))?.description == "1985-01-31")
    #expect(MRZ.PartialDate([0x19, 0x85, 0x01, 0x31])?.description == "1985-01-31")
    for unknown in ["19850000", "1985<<<<"] {
      #expect(MRZ.PartialDate([UInt8](unknown.utf8))?.description == "1985-XX-XX")
    }
    for wrong in ["", "1985", "1985013", "198501311", "19851301", "1985 131"] {
      #expect(MRZ.PartialDate([UInt8](wrong.utf8)) == nil)
    }
    #expect(MRZ.PartialDate([0x19, 0x8A, 0x01, 0x31]) == nil)
  }
}
