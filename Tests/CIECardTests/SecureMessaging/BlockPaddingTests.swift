import Testing

@testable import CIECard

@Suite struct BlockPaddingTests {
  @Test(arguments: 0...17) func comesBack(count: Int) {
    let bytes = [UInt8](repeating: 0x80, count: count)
    var padded = bytes
    BlockPadding.pad(&padded)
    #expect(padded.count % 8 == 0 && padded.count > count)
    #expect(BlockPadding.unpad(padded) == bytes)
  }

  @Test(
    arguments: [
      [], [0, 0, 0, 0, 0, 0, 0, 0], [1, 2, 3, 4, 5, 6, 7, 8],
      [0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ] as [[UInt8]])
  func refuses(bytes: [UInt8]) {
    #expect(BlockPadding.unpad(bytes) == nil)
  }

  @Test func counterWrapsAround() {
    var counter = SendSequenceCounter(.max)
    counter.step()
    #expect(counter.bytes == [UInt8](repeating: 0, count: 8))
    counter = SendSequenceCounter(
      cardChallenge: [1, 2, 3, 4, 5, 6, 7, 8], terminalChallenge: [9, 10, 11, 12, 13, 14, 15, 16])
    #expect(counter.bytes == [5, 6, 7, 8, 13, 14, 15, 16])
  }
}
