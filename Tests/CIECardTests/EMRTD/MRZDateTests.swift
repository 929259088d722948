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
