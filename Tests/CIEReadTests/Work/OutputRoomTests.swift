import TestSupport
import Testing

@testable import CardWork

/// Room on the disk, which is known before a card signs.
@Suite struct OutputRoomTests {
  @Test func `files that do not fit together are refused`() throws {
    let folder = try TemporaryDirectory()
    var needed: [UInt: Int] = [:]
    let first = try OutputFile(folder.path("a"))
    try first.requireRoom(for: 1, beside: &needed)
    #expect(needed.values.reduce(0, +) == 1)
    let second = try OutputFile(folder.path("b"))
    for length in [1 << 60, 0] {
      #expect(throws: Failure.self) { try second.requireRoom(for: length, beside: &needed) }
    }
    try OutputFile("/dev/null").requireRoom(for: 1 << 60, beside: &needed)
  }
}
