import CIECard
import TestSupport
import Testing

/// `retail-mac.json`: ICAO Doc 9303-11 appendix D.
@Suite struct RetailMACTests {
  struct Case: Decodable {
    let name: String
    let key: HexBytes
    let message: HexBytes
    let mac: HexBytes
  }

  @Test func publishedValues() throws {
    for vector in try Vectors.cases("retail-mac", of: Case.self) {
      let key = Secret(vector.key.bytes)
      let mac = try RetailMAC.compute(padded(vector.message.bytes), key: key)
      #expect(mac == vector.mac.bytes, "\(vector.name)")
    }
  }

  @Test func everyBitOfTheMessageCounts() throws {
    let vector = try #require(try Vectors.cases("retail-mac", of: Case.self).first)
    let key = Secret(vector.key.bytes)
    for bit in 0..<(vector.message.bytes.count * 8) {
      var changed = vector.message.bytes
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      let mac = try RetailMAC.compute(padded(changed), key: key)
      #expect(mac != vector.mac.bytes, "bit \(bit)")
    }
  }

  /// One block: E_K1(D_K2(E_K1(B))) is two-key triple DES of that block.
  @Test func oneBlockIsTripleDES() throws {
    let key = Secret([UInt8](0..<16))
    let block: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 0x80]
    let mac = try RetailMAC.compute(block, key: key)
    let cipher = try TripleDES.encrypt(block, key: key)
    #expect(mac == cipher)
  }

  @Test(arguments: [0, 1, 7, 9, 15]) func unpaddedMessageIsRefused(length: Int) {
    let key = Secret([UInt8](0..<16))
    let message = [UInt8](repeating: 0, count: length)
    #expect(throws: CryptoError.self) { try RetailMAC.compute(message, key: key) }
  }

  @Test(arguments: [0, 8, 15, 17, 24]) func keyOfAnotherLengthIsRefused(length: Int) {
    let key = Secret([UInt8](repeating: 1, count: length))
    let block = [UInt8](repeating: 0, count: 8)
    #expect(throws: CryptoError.self) { try RetailMAC.compute(block, key: key) }
  }
}

/// Padding method 2 of ISO/IEC 9797-1, written separately from the code under test.
func padded(_ message: [UInt8]) -> [UInt8] {
  let zeros = 7 - message.count % 8
  return message + [0x80] + [UInt8](repeating: 0, count: zeros)
}
