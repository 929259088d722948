import CIECard
import TestSupport
import Testing

/// `sm-3des.json` (ICAO Doc 9303-11 appendix D.4), decomposed by hand: the contents of the cryptograms.
@Suite struct TripleDESTests {
  private let icaoKey = "979EC13B1CBFE9DCD01AB0FED307EAE5"

  @Test(arguments: [
    // Plain text with its padding, cryptogram: DO'87' of SELECT, of both READ BINARY answers.
    ("011E800000000000", "6375432908C044F6"),
    ("60145F0180000000", "9FF0EC34F9922651"),
    (
      "04303130365F36063034303030305C026175800000000000",
      "FB9235F4E4037F2327DCC8964F1F9B8C30F42C8E2FFF224A"
    ),
  ])
  func publishedCryptograms(plain: String, cryptogram: String) throws {
    let key = Secret(try Hex.bytes(icaoKey))
    let (plain, cryptogram) = (try Hex.bytes(plain), try Hex.bytes(cryptogram))
    let encrypted = try TripleDES.encrypt(plain, key: key)
    let decrypted = try TripleDES.decrypt(cryptogram, key: key)
    #expect(encrypted == cryptogram)
    #expect(decrypted == plain)
  }

  /// CBC: continuing with the last cryptogram block as IV equals one run over the whole.
  @Test func initialisationVectorChains() throws {
    let key = Secret([UInt8](16..<32))
    let message = [UInt8](0..<32)
    let whole = try TripleDES.encrypt(message, key: key)
    let head = try TripleDES.encrypt([UInt8](message.prefix(16)), key: key)
    let tail = try TripleDES.encrypt(
      [UInt8](message.suffix(16)), key: key, iv: [UInt8](head.suffix(8)))
    #expect(whole == head + tail)
  }

  /// ISO/IEC 18033-3: the lowest bit of every key byte is parity and has no effect.
  @Test func parityBitsAreIgnored() throws {
    let block = [UInt8](repeating: 0x5A, count: 8)
    let one = try TripleDES.encrypt(block, key: Secret([UInt8](0..<16)))
    let other = try TripleDES.encrypt(block, key: Secret((0..<16).map { UInt8($0) ^ 1 }))
    #expect(one == other)
  }

  @Test func nothingEncryptsToNothing() throws {
    let nothing = try TripleDES.encrypt([], key: Secret([UInt8](0..<16)))
    #expect(nothing.isEmpty)
  }

  @Test(arguments: [(7, 16, 8), (9, 16, 8), (8, 15, 8), (8, 24, 8), (8, 16, 7), (8, 16, 0)])
  func wrongLengthsAreRefused(data: Int, key: Int, iv: Int) {
    let bytes = { (count: Int) in [UInt8](repeating: 3, count: count) }
    #expect(throws: CryptoError.self) {
      try TripleDES.encrypt(bytes(data), key: Secret(bytes(key)), iv: bytes(iv))
    }
    #expect(throws: CryptoError.self) {
      try TripleDES.decrypt(bytes(data), key: Secret(bytes(key)), iv: bytes(iv))
    }
  }
}
