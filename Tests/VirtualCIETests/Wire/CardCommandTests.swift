import TestSupport
import Testing

@testable import VirtualCIE

/// ISO/IEC 7816-3 §12.1: the cases of a command, and invalid forms.
@Suite struct CardCommandTests {
  @Test(
    arguments: [
      ("00A40000", 0, nil, false), ("0084000008", 0, 8, false), ("0084000000", 0, 256, false),
      ("00A4020C021003", 2, nil, false), ("00A402040210 0300", 2, 256, false),
      ("00B0000000 0000", 0, 65_536, true), ("00B0000000 0102", 0, 0x102, true),
      ("00A4020C00 0002 1003", 2, nil, true), ("00A4020C00 0002 1003 0000", 2, 65_536, true),
      ("00A4020C00 0002 1003 0100", 2, 256, true),
    ] as [(String, Int, Int?, Bool)])
  func splits(_ hex: String, _ data: Int, _ expected: Int?, _ isExtended: Bool) throws {
    let command = try #require(CardCommand(splitting: try Hex.bytes(hex)))
    #expect(command.data.count == data)
    #expect(command.expected == expected)
    #expect(command.isExtended == isExtended)
  }

  @Test(arguments: [
    "", "00", "00A400", "00A4020C0210", "00A4020C0210030000", "00A4020C0000",
    "00A4020C0000001003", "00A4020C000002100300", "00A4020C0000021003000000",
    "00A4020C00FFFF1003",
  ])
  func refuses(_ hex: String) throws {
    #expect(CardCommand(splitting: try Hex.bytes(hex)) == nil)
  }

  @Test func chainNeedsItsOwnInstruction() throws {
    var chain = CommandChain()
    let piece = CardCommand(cla: 0x10, ins: 0x22, p1: 0x41, p2: 0xA6, data: [1])
    #expect(try chain.take(piece) == nil)
    #expect(
      try chain.take(CardCommand(cla: 0, ins: 0x22, p1: 0x41, p2: 0xA4, data: [2]))?.data == [2])
    #expect(!chain.isOpen)
    #expect(throws: Refusal.self) {
      _ = try chain.take(CardCommand(cla: 0x10, ins: 0x20, p1: 0, p2: 0x81, data: [2]))
    }
    #expect(try chain.take(piece) == nil)
    #expect(
      try chain.take(CardCommand(cla: 0, ins: 0x2A, p1: 0x41, p2: 0xA6, data: [2]))?.data == [2])
    #expect(try chain.take(piece) == nil)
    #expect(
      try chain.take(CardCommand(cla: 0x0C, ins: 0x22, p1: 0x41, p2: 0xA6, data: [2]))?.data == [2])
    #expect(try chain.take(piece) == nil)
    let last = CardCommand(cla: 0, ins: 0x22, p1: 0x41, p2: 0xA6, data: [2])
    #expect(try chain.take(last)?.data == [1, 2])
  }

  @Test func chainIsBounded() throws {
    var chain = CommandChain()
    let piece = CardCommand(
      cla: 0x10, ins: 0x22, p1: 0, p2: 0, data: [UInt8](repeating: 0, count: 255))
    #expect(throws: Refusal.self) {
      for _ in 0...CommandChain.capacity / 255 { _ = try chain.take(piece) }
    }
  }

  @Test func waitingResponseIsHandedOutInPieces() {
    var waiting = WaitingResponse([UInt8](repeating: 7, count: 600), .success)
    #expect(waiting.next(atMost: 256).suffix(2) == [0x61, 0x00])
    #expect(waiting.next(atMost: 256).suffix(2) == [0x61, 88])
    #expect(waiting.next(atMost: 8).suffix(2) == [0x61, 80])
    #expect(!waiting.isEmpty)
    let last = waiting.next(atMost: 256)
    #expect(last.count == 82 && last.suffix(2) == [0x90, 0x00])
    #expect(waiting.isEmpty)
  }
}
