import CIECard
import TestSupport
import Testing

@testable import Primitives

/// RSA keys, the raw operation and both forms of verification.
@Suite struct RSAPublicKeyTests {
  let documents: IASDocuments
  let file: [UInt8]
  let key: RSAPublicKey

  init() throws {
    documents = try IASDocuments.load()
    file = try #require(documents.files["A5"]).bytes
    key = try #require(RSAPublicKey(pkcs1: file))
  }

  @Test func readsPKCS1() throws {
    // 30 82 01 0A, 02 82 01 01 00 and the modulus, 02 03 01 00 01.
    #expect(file.count == 270)
    #expect(key.modulus == [UInt8](file[9..<265]))
    #expect(key.exponent == [0x01, 0x00, 0x01])
    #expect(RSAPublicKey(cuttingPKCS1: file + [0, 0]) == key)
    #expect(RSAPublicKey(pkcs1: file + [0, 0]) == nil)
    #expect(RSAPublicKey(modulus: [0, 0] + key.modulus, exponent: [0, 1, 0, 1]) == key)
  }

  @Test func everyPrefixAndChangedByteIsNoTrap() {
    for length in 0..<file.count {
      #expect(RSAPublicKey(cuttingPKCS1: [UInt8](file.prefix(length))) == nil)
    }
    for index in file.indices {
      for mask in [UInt8(0x01), 0x80, 0xFF] {
        var changed = file
        changed[index] ^= mask
        #expect(RSAPublicKey(pkcs1: changed) != key)
      }
    }
  }

  @Test func numbersThatAreNoKeyAreRefused() {
    let modulus = key.modulus
    let refused: [(modulus: [UInt8], exponent: [UInt8])] = [
      ([], [3]), (modulus, []), (modulus, [0]), (modulus, [1]), (modulus, [2]),
      (modulus.dropLast() + [0x02], [3]), ([UInt8](modulus.suffix(100)), [3]),
      ([UInt8](repeating: 0xFF, count: 1025), [3]), (modulus, [0x01] + modulus),
      // Long numbers with a long exponent take a noticeable part of a second.
      ([UInt8](repeating: 0xFF, count: 512), [UInt8](repeating: 0xFF, count: 9)),
    ]
    for (modulus, exponent) in refused {
      #expect(RSAPublicKey(modulus: modulus, exponent: exponent) == nil)
    }
  }

  @Test func opensItsOwnSignatureOnly() {
    let signature = documents.response.bytes
    #expect(key.openPKCS1Type1(signature) == documents.challenge.bytes)
    #expect(key.openPKCS1Type1([0] + signature) == nil)
    #expect(key.openPKCS1Type1([UInt8](signature.dropFirst())) == nil)
    #expect(key.openPKCS1Type1(key.modulus) == nil)
    #expect(key.openPKCS1Type1([UInt8](repeating: 0xFF, count: 256)) == nil)
  }

  @Test(arguments: [
    (padding: [0x00, 0x01] + [UInt8](repeating: 0xFF, count: 237) + [0x00], length: 16),
    (padding: [0x00, 0x01] + [UInt8](repeating: 0xFF, count: 8) + [0x00], length: 245),
    (padding: [0x00, 0x01] + [UInt8](repeating: 0xFF, count: 253) + [0x00], length: 0),
  ])
  func wellPaddedBlocksOpen(padding: [UInt8], length: Int) {
    let content = [UInt8](repeating: 0x5A, count: length)
    #expect(RSAPublicKey.unpadPKCS1Type1(padding + content) == content)
  }

  @Test(
    arguments: [
      [], [0x00], [0x00, 0x01], [UInt8](repeating: 0xFF, count: 256),
      [0x00, 0x01] + [UInt8](repeating: 0xFF, count: 254),
      [0x00, 0x01] + [UInt8](repeating: 0xFF, count: 7) + [0x00]
        + [UInt8](repeating: 1, count: 246),
      [0x00, 0x02] + [UInt8](repeating: 0xFF, count: 237) + [0x00]
        + [UInt8](repeating: 1, count: 16),
      [0x01, 0x01] + [UInt8](repeating: 0xFF, count: 237) + [0x00]
        + [UInt8](repeating: 1, count: 16),
      [0x00, 0x01] + [UInt8](repeating: 0xFF, count: 100) + [0xFE]
        + [UInt8](repeating: 0, count: 153),
      [0x00, 0x01, 0x00] + [UInt8](repeating: 1, count: 253),
    ] as [[UInt8]])
  func badlyPaddedBlocksDoNot(block: [UInt8]) {
    #expect(RSAPublicKey.unpadPKCS1Type1(block) == nil)
  }
}
