import TestSupport
import Testing

@testable import VirtualCIE

@Suite struct BERObjectTests {
  @Test func readsTagsAndLengthsOfEverySize() throws {
    let bytes = try Hex.bytes("80010A 7F490100 BFA10103 010203 878103 010203 87820002 0102")
    let objects = try #require(BERObject.list(bytes))
    #expect(objects.map(\.tag) == [0x80, 0x7F49, 0xBFA101, 0x87, 0x87])
    #expect(objects.map(\.value.count) == [1, 1, 3, 3, 2])
    #expect(objects.flatMap(\.encoded) == bytes)
  }

  @Test(arguments: [
    "80", "8001", "800201", "8080", "8083000001", "7F", "7F81", "7F818181 00", "808101", "80FF",
  ])
  func refusesWhatDoesNotFit(_ hex: String) throws {
    #expect(BERObject.list(try Hex.bytes(hex)) == nil)
  }

  @Test func everyPrefixIsReadOrRefused() throws {
    let bytes = try Hex.bytes("4D0A7008BFA10104A3029700")
    for length in bytes.indices { _ = BERObject.single(0x4D, [UInt8](bytes.prefix(length))) }
    let list = [UInt8](bytes.dropFirst(2))
    for length in list.indices where length > 0 {
      #expect(HeaderList.list([UInt8](list.prefix(length))) == nil)
    }
    #expect(HeaderList.list(list)?.first?.members(along: 0xBFA101, 0xA3)?.map(\.tag) == [0x97])
  }

  @Test func deepHeaderListsAreRefused() {
    var bytes: [UInt8] = [0x97, 0]
    for _ in 0..<100 where bytes.count < 0x7E { bytes = [0xA3, UInt8(bytes.count)] + bytes }
    #expect(HeaderList.list(bytes) == nil)
  }

  @Test func writesShortestLengths() {
    for (count, header) in [
      (0, [0x87, 0]), (0x7F, [0x87, 0x7F]), (0x80, [0x87, 0x81, 0x80]),
      (0xFF, [0x87, 0x81, 0xFF]), (0x100, [0x87, 0x82, 1, 0]),
    ] as [(Int, [UInt8])] {
      let value = [UInt8](repeating: 1, count: count)
      #expect(BERObject.encode(0x87, value) == header + value)
    }
    #expect(BERObject.integer([0, 0, 0x80]) == [2, 2, 0, 0x80])
    #expect(BERObject.integer([0]) == [2, 1, 0])
    #expect(BERObject.integer([1, 0, 1]) == [2, 3, 1, 0, 1])
  }
}
