import TestSupport
import Testing

@testable import CIECard

/// Answers to reset from public tables and transcripts.
@Suite struct ChipFamilyTests {
  @Test(arguments: [
    ("3B8E80018031806549544E585012 0FFF8290F0", ChipFamily.nxp),
    ("3B8F80018031806 5B085040011120FFF82900 08A", .gemalto),
    ("3B8F800180318065B0850300EF120FFF82900073", .gemalto2),
    ("3B8B80018066475000B8007F8290002E", .stm),
    ("3B8B80018066475000B80094829000C5", .stm),
    ("3B80800101", .stm),
    ("3B8F80018031806549544A3441120FFF82900088", .itj4),
    ("3B8F80018031806549544A3449120FFF82900080", .itj4),
    // A letter in no table.
    ("3B8F80018031806549544A345A120FFF82900093", .itj4),
    // All zero historical bytes: seen in the field, without information.
    ("3B8F80010000000000000000000000FF829000E3", .unknown),
    // The bytes of an NXP card in another order, which an unordered comparison would accept.
    ("3B8E80013180806549544E585012 0FFF8290F0", .unknown),
    ("", .unknown), ("3B", .unknown),
  ])
  func family(atr: String, expected: ChipFamily) throws {
    #expect(ChipFamily(atr: try Hex.bytes(atr.replacing(" ", with: ""))) == expected)
  }
}
