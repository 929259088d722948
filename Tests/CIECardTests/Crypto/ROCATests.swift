@testable import Primitives
import TestSupport
import Testing

@testable import CIECard

/// Keys whose private half can be computed from the public one prove nothing (ROCA, CVE-2017-15361).
@Suite struct ROCATests {
  struct Vector: Decodable {
    let published: [Modulus]
    let key: Key

    struct Modulus: Decodable {
      let name: String
      let modulus: HexBytes
      let hasFingerprint: Bool
    }

    struct Key: Decodable {
      let modulus: HexBytes
      let challenge: HexBytes
      let response: HexBytes
      let activeResponse: HexBytes
    }
  }

  private let vector: Vector
  private let key: RSAPublicKey

  init() throws {
    vector = try Vectors.decode("roca", as: Vector.self)
    key = try #require(RSAPublicKey(modulus: vector.key.modulus.bytes, exponent: [1, 0, 1]))
  }

  /// RSAPublicKey (RFC 8017 §A.1.1), as EF.Int.Kpub and EF.Servizi_Int.Kpub hold it.
  private var file: [UInt8] {
    TLV.encode(
      0x30, [TLV.encode(0x02, [0] + key.modulus), TLV.encode(0x02, key.exponent)])
  }

  @Test func publishedModuli() throws {
    for modulus in vector.published {
      let key = try #require(RSAPublicKey(modulus: modulus.modulus.bytes, exponent: [1, 0, 1]))
      #expect(key.hasROCAFingerprint == modulus.hasFingerprint, "\(modulus.name)")
    }
    #expect(key.hasROCAFingerprint)
  }

  /// No neighbour has the structure.
  @Test func neighboursHaveNoFingerprint() throws {
    for index in key.modulus.indices.dropFirst().dropLast() {
      var modulus = key.modulus
      modulus[index] ^= 0x10
      let neighbour = try #require(RSAPublicKey(modulus: modulus, exponent: key.exponent))
      #expect(!neighbour.hasROCAFingerprint)
    }
  }

  @Test func answerOfSuchAKeyProvesNothing() throws {
    let report = try IASDocuments.load().report("first-generation") { evidence in
      evidence.files[.servicesKey] = file
      evidence.challenge = vector.key.challenge.bytes
      evidence.response = vector.key.response.bytes
    }
    #expect(report[.challenge] == .couldNotCheck(.recoverableKey))
    #expect(!report.chipHoldsKey && report.cloning != .excluded)
  }

  @Test func stateDoesNotVouchForADeviceWithSuchAKey() throws {
    let verdict = AuthenticityReport.judgeDeviceKey(
      file, securityObject: nil, trust: nil, at: 0)
    #expect(verdict == .couldNotCheck(.recoverableKey))
  }

  /// Active authentication, with the key in DG15.
  @Test func chipWithSuchAKeyMayBeACopy() {
    let algorithm = TLV.encode(
      0x30, [[0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01], [0x05, 0x00]])
    let info = TLV.encode(0x30, [algorithm, TLV.encode(0x03, [0] + file)])
    let verdict = ActiveAuthentication.verify(
      vector.key.activeResponse.bytes, challenge: [UInt8](vector.key.challenge.bytes.prefix(8)),
      dataGroup15: TLV.encode(0x6F, info), signatureAlgorithm: nil)
    #expect(verdict == .couldNotCheck(.recoverableKey))
  }
}
