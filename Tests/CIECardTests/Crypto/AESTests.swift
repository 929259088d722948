@testable import Primitives
import CIECard
import TestSupport
import Testing

/// AES in CBC mode and CMAC against published values.
@Suite struct AESTests {
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let key: HexBytes
    let message: HexBytes
    let mac: HexBytes
    var testDescription: String { name }
  }

  @Test(arguments: try Vectors.cases("aes-cmac", of: Case.self))
  func cmac(vector: Case) throws {
    let mac = try CMAC.compute(vector.message.bytes, key: Secret(vector.key.bytes))
    #expect(mac.count == CMAC.length)
    #expect([UInt8](mac.prefix(vector.mac.bytes.count)) == vector.mac.bytes)
  }

  /// FIPS 197 appendix C: one block under a zero IV is the cipher itself.
  @Test(arguments: [
    (16, "69C4E0D86A7B0430D8CDB78070B4C55A"), (24, "DDA97CA4864CDFE06EAF70A0EC0D7191"),
    (32, "8EA2B7CA516745BFEAFC49904B496089"),
  ])
  func singleBlock(keyLength: Int, expected: String) throws {
    let key = Secret((0..<keyLength).map(UInt8.init))
    let block = (0..<16).map { UInt8($0 * 0x11) }
    let cipher = try AES.encrypt(block, key: key)
    #expect(Hex.text(cipher) == expected)
    #expect(try AES.decrypt(cipher, key: key) == block)
    #expect(try AES.encrypt(secret: Secret(block), key: key) == cipher)
  }

  /// NIST SP 800-38A F.2.1: the first two blocks of CBC-AES128.
  @Test func chaining() throws {
    let key = Secret(try Hex.bytes("2B7E151628AED2A6ABF7158809CF4F3C"))
    let clear = try Hex.bytes("6BC1BEE22E409F96E93D7E117393172A AE2D8A571E03AC9C9EB76FAC45AF8E51")
    let cipher = try AES.encrypt(clear, key: key, iv: (0..<16).map(UInt8.init))
    #expect(Hex.text(cipher) == "7649ABAC8119B246CEE98E9B12E9197D5086CB9B507219EE95DB113A917678B2")
    #expect(try AES.decrypt(cipher, key: key, iv: (0..<16).map(UInt8.init)) == clear)
  }

  @Test(arguments: [(16, 15, 16), (16, 16, 8), (8, 16, 16), (17, 16, 16), (0, 16, 16)])
  func wrongLengthsAreRefused(key: Int, data: Int, iv: Int) {
    let zeros = { (count: Int) in [UInt8](repeating: 0, count: count) }
    #expect(throws: CryptoError.self) {
      try AES.encrypt(zeros(data), key: Secret(zeros(key)), iv: zeros(iv))
    }
  }

  @Test(arguments: [0, 8, 15, 33]) func cmacKeyOfAnotherLengthIsRefused(length: Int) {
    #expect(throws: CryptoError.self) {
      try CMAC.compute([1], key: Secret([UInt8](repeating: 0, count: length)))
    }
  }
}
