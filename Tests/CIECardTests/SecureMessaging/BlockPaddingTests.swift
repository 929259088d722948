import Testing

@testable import CIECard

@Suite struct BlockPaddingTests {
  @Test(arguments: [8, 16], 0...33) func comesBack(block: Int, count: Int) {
    let bytes = [UInt8](repeating: 0x80, count: count)
    var padded = bytes
    BlockPadding.pad(&padded, to: block)
    #expect(padded.count % block == 0 && padded.count > count && padded.count <= count + block)
    #expect(BlockPadding.unpad(padded, from: block) == bytes)
  }

  @Test(
    arguments: [
      [], [0, 0, 0, 0, 0, 0, 0, 0], [1, 2, 3, 4, 5, 6, 7, 8],
      [0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ] as [[UInt8]])
  func refuses(bytes: [UInt8]) {
    #expect(BlockPadding.unpad(bytes, from: 8) == nil)
  }

  @Test func counterWrapsAround() {
    for length in [8, 16] {
      var counter = SendSequenceCounter([UInt8](repeating: 0xFF, count: length))
      counter.step()
      #expect(counter.bytes == [UInt8](repeating: 0, count: length))
    }
    var counter = SendSequenceCounter([1, 0xFF, 0xFF])
    counter.step()
    #expect(counter.bytes == [2, 0, 0])
    #expect(SendSequenceCounter.one.bytes == [0, 0, 0, 0, 0, 0, 0, 1])
    #expect(SendSequenceCounter(for: .aes192).bytes == [UInt8](repeating: 0, count: 16))
    counter = SendSequenceCounter(
      cardChallenge: [1, 2, 3, 4, 5, 6, 7, 8], terminalChallenge: [9, 10, 11, 12, 13, 14, 15, 16])
    #expect(counter.bytes == [5, 6, 7, 8, 13, 14, 15, 16])
  }
}
