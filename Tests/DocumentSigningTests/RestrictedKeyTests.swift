import CIECard
import Primitives
import TestSupport
import Testing

/// RSA keys that may only sign with RSASSA-PSS (id-RSASSA-PSS, RFC 4055 §1.2) are judged as other RSA keys are.
@Suite struct RestrictedKeyTests {
  private func certificate(modulus: [UInt8], isRestricted: Bool) throws -> Certificate {
    let identifier: [UInt8] = [
      0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, isRestricted ? 0x0A : 0x01,
    ]
    let numbers = TLV.encode(DER.integer, [0] + modulus) + TLV.encode(DER.integer, [1, 0, 1])
    let parameters: [UInt8] = isRestricted ? [] : [0x05, 0x00]
    let key = [
      TLV.encode(DER.sequence, TLV.encode(DER.objectIdentifier, identifier) + parameters),
      TLV.encode(DER.bitString, [0] + TLV.encode(DER.sequence, numbers)),
    ]
    return try Certificate(der: SuiteSigner.certificate(of: TLV.encode(DER.sequence, key)))
  }

  @Test(arguments: [true, false]) func shortKeysAreWeak(isRestricted: Bool) throws {
    for (length, isWeak) in [(128, true), (255, true), (256, false), (384, false)] {
      let modulus = [0x80] + [UInt8](repeating: 0xFF, count: length - 1)
      let certificate = try certificate(modulus: modulus, isRestricted: isRestricted)
      #expect(certificate.hasWeakKey == isWeak, "\(length)")
    }
  }

  private struct Published: Decodable {
    let modulus: HexBytes
    let hasFingerprint: Bool
  }

  private struct File: Decodable { let published: [Published] }

  @Test(arguments: [true, false]) func fingerprintIsSeen(isRestricted: Bool) throws {
    for key in try Vectors.decode("roca", as: File.self).published {
      let certificate = try certificate(modulus: key.modulus.bytes, isRestricted: isRestricted)
      #expect(certificate.hasRecoverableKey == key.hasFingerprint)
    }
  }
}
