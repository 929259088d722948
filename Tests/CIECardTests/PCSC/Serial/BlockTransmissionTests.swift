import CIECard
import Primitives
import TestSupport
import Testing

@testable import cie_lab

/// The card's end of T=1, checked against the scenarios of ISO/IEC 7816-3 annex A: the received block, and the answer.
@Suite struct BlockTransmissionTests {
  /// Plays blocks, NAD and LRC left out: PCB and information; a command is answered with its own bytes.
  private func play(
    _ blocks: [String], damaging damaged: Set<Int> = []
  ) throws -> [String] {
    var card = BlockTransmission()
    return try blocks.enumerated().map { index, text in
      let bytes = try Hex.bytes(text)
      var block = BlockTransmission.block(bytes[0], Array(bytes.dropFirst()))
      if damaged.contains(index) { block[block.count - 1] ^= 1 }
      let answer: [UInt8]
      switch card.receive(block) {
      case .block(let bytes): answer = bytes
      case .command(let command): answer = card.answer(command)
      }
      #expect(answer.reduce(0, ^) == 0)
      #expect(answer[0] == 0 && Int(answer[2]) == answer.count - 4)
      return ([answer[1]] + answer[3..<answer.count - 1]).hexadecimal
    }
  }

  @Test func `commands and answers alternate their sequence numbers`() throws {
    #expect(try play(["00AA", "40BB", "00CC"]) == ["00AA", "40BB", "00CC"])
  }

  @Test func `a chain is acknowledged piece by piece`() throws {
    #expect(try play(["20AA", "60BB", "00CC"]) == ["90", "80", "00AABBCC"])
    // More than 32 bytes back, until S(IFS) allows more.
    let long = String(repeating: "11", count: 40)
    #expect(try play(["00" + long, "90"]) == ["20" + long.prefix(64), "40" + long.prefix(16)])
    #expect(try play(["C1FE", "00" + long]) == ["E1FE", "00" + long])
  }

  @Test func `a damaged block is requested again`() throws {
    #expect(try play(["00AA", "00AA"], damaging: [0]) == ["81", "00AA"])
    #expect(try play(["00AA", "40BB", "40BB"], damaging: [1]) == ["00AA", "91", "40BB"])
  }

  @Test func `a block that was not understood is repeated, and only that`() throws {
    #expect(try play(["00AA", "81"]) == ["00AA", "00AA"])
    #expect(try play(["00AA", "40BB", "91"]) == ["00AA", "40BB", "40BB"])
    // The reader has our last one and lacks its own answer to it: it is asked for its next block.
    #expect(try play(["00AA", "91"]) == ["00AA", "90"])
    #expect(try play(["20AA", "80"]) == ["90", "90"])
  }

  @Test func `a repeated sequence number is not taken twice`() throws {
    #expect(try play(["00AA", "00AA"]) == ["00AA", "92"])
  }

  @Test func `more time is requested before the answer`() {
    var card = BlockTransmission()
    #expect(card.receive(BlockTransmission.block(0x00, [1])) == .command([1]))
    #expect(card.answer([9], askingForTime: 2) == BlockTransmission.block(0xC3, [2]))
    let granted = card.receive(BlockTransmission.block(0xE3, [2]))
    #expect(granted == .block(BlockTransmission.block(0x00, [9])))
  }

  @Test func `resynchronization restarts the numbering`() throws {
    #expect(try play(["00AA", "C0", "00BB"]) == ["00AA", "E0", "00BB"])
  }

  @Test func `no input stops it`() {
    var card = BlockTransmission()
    for length in 0..<40 {
      for seed in 0..<64 {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: ($0 + 1) &* (seed &* 37 + 11)) }
        _ = card.receive(bytes)
      }
    }
    #expect(
      card.receive(BlockTransmission.block(0xC0, [])) == .block(BlockTransmission.block(0xE0, [])))
  }
}
