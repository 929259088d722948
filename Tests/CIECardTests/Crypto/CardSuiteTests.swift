import Primitives
import TestSupport
import Testing

@testable import CIECard

/// Hash functions, ciphers, key agreement and the chip's signatures against strangers' suites.
@Suite struct CardSuiteTests {
  @Test func wycheproof() throws {
    let score = try score("wycheproof-card")
    // "Acceptable" are keys of odd encodings; the accepted ones have curve parameters in full, which are the known ones.
    if Suite.whole == nil {
      #expect(
        score.counts == [
          "valid accepted": 84, "invalid refused": 100, Self.noCofactor: 2,
          "acceptable accepted": 8, "acceptable refused": 15,
        ])
    } else {
      #expect(
        score.counts == [
          "valid accepted": 9855, "invalid refused": 2032, Self.noCofactor: 9,
          "acceptable accepted": 95, "acceptable refused": 1975,
          Self.otherCurve: 403, #"invalid unsupportedAlgorithm("secp256k1")"#: 171,
        ])
      #expect(
        score.deviatingFiles[Self.otherCurve] == [
          "ecdsa_secp256k1_sha256_p1363", "ecdsa_secp256k1_sha512_p1363",
        ])
    }
    let names = score.deviations[Self.noCofactor]?.values.map { $0.map { $0.drop { $0 != " " } } }
    #expect(names?.allSatisfy { $0 == [" no cofactor"] } == true)
  }

  /// A key with its curve's parameters in full, but for the cofactor, which is known to be 1. Each of these files has the same
  /// key once more as "acceptable".
  private static let noCofactor = "invalid accepted"
  /// A curve that no travel document is signed on.
  private static let otherCurve = #"valid unsupportedAlgorithm("secp256k1")"#

  @Test func cavp() throws {
    let score = try score("cavp-card")
    #expect(
      score.counts
        == (Suite.whole == nil
          ? ["valid accepted": 177, "invalid refused": 68]
          : ["valid accepted": 3825, "invalid refused": 168]))
  }

  private func score(_ name: String) throws -> SuiteScore {
    try SuiteScore(of: name) { group in { vector in try judge(group, vector) } }
  }

  private func judge(
    _ group: Suite.Group, _ vector: Suite.Case
  ) throws -> SuiteScore.Verdict {
    let values = vector.values
    switch group.kind {
    case "hash":
      let hash = try #require(group.hash.flatMap { HashAlgorithm(rawValue: $0) })
      return try hash.hash(values[0]) == values[1] ? .accepted : .refused
    case "cbc": return try cipher(AES.self, values)
    case "tdes": return try cipher(TripleDES.self, values)
    case "cmac":
      let mac = try? CMAC.compute(values[1], key: Secret(values[0]))
      let length = try #require(group.salt)
      return mac.map { [UInt8]($0.prefix(length)) } == values[2] ? .accepted : .refused
    case "plain": return try plainSignature(group, values)
    case "ecdh": return try agreement(withKey: values[0], group, values)
    case "ecdh point":
      let curve = try #require(Self.curves[group.curve ?? ""])
      return try agreement(on: curve, point: values[0], values)
    case "agreement":
      let curve = try EllipticCurve(try #require(Self.curves[group.curve ?? ""]))
      return try whole(group, in: .curve(curve), values)
    case "field":
      let (prime, order, generator) = (values[4], values[5], values[6].withoutLeadingZeros)
      let field = try FiniteField(bounding: prime, generator: generator, order: order)
      return try whole(group, in: .finiteField(try #require(field)), values)
    default:
      Issue.record("no such kind: \(group.kind)")
      return .undecided("kind")
    }
  }

  /// Key, IV, clear blocks and encrypted ones, in both directions.
  private func cipher<Cipher: CBCCipher>(
    _ cipher: Cipher.Type, _ values: [[UInt8]]
  ) throws -> SuiteScore.Verdict {
    let key = Secret(values[0])
    return try cipher.encrypt(values[2], key: key, iv: values[1]) == values[3]
      && cipher.decrypt(values[3], key: key, iv: values[1]) == values[2] ? .accepted : .refused
  }

  /// A signature r ‖ s, judged as the chip's answer to a challenge (Doc 9303-11 §6.1).
  private func plainSignature(
    _ group: Suite.Group, _ values: [[UInt8]]
  ) throws -> SuiteScore.Verdict {
    let hashes: [HashAlgorithm] = [.sha1, .sha224, .sha256, .sha384, .sha512]
    let hash = try #require(hashes.firstIndex { $0.rawValue == group.hash })
    let plain: [UInt8] = [0x04, 0x00, 0x7F, 0x00, 0x07, 0x01, 0x01, 0x04, 0x01, UInt8(hash + 1)]
    let verdict = ActiveAuthentication.verify(
      values[1], challenge: values[0],
      dataGroup15: TLV.encode(0x6F, try #require(group.key).bytes), signatureAlgorithm: plain)
    switch verdict {
    case .proved: return .accepted
    case .false: return .refused
    case .couldNotCheck(let reason): return .undecided("\(reason)")
    case .knownFault: return .undecided("known fault")
    }
  }

  /// A SubjectPublicKeyInfo as DG14 has it (Doc 9303-11 §6.2).
  private func agreement(
    withKey info: [UInt8], _ group: Suite.Group, _ values: [[UInt8]]
  ) throws -> SuiteScore.Verdict {
    guard let key = try? KeyAgreementPublicKey(subjectPublicKeyInfo: info),
      case .curve(let curve)? = try AgreementDomain(key.domain)
    else { return .refused }
    // Our own key is always drawn on the curve of the chip's.
    guard curve.name == Self.curves[group.curve ?? ""] else { return .refused }
    return try agreement(on: curve.name, point: key.publicValue, values)
  }

  /// Point, scalar and shared secret.
  private func agreement(
    on curve: StandardCurve, point: [UInt8], _ values: [[UInt8]]
  ) throws -> SuiteScore.Verdict {
    let domain = AgreementDomain.curve(try EllipticCurve(curve))
    guard try domain.isSafe(point),
      let secret = try? domain.sharedSecret(point, Secret(values[1]))
    else { return .refused }
    return secret.withBytes { $0.elementsEqual(values[2]) } ? .accepted : .refused
  }

  /// The other public value, our scalar, our own public value, and the hash of the shared secret.
  private func whole(
    _ group: Suite.Group, in domain: AgreementDomain, _ values: [[UInt8]]
  ) throws -> SuiteScore.Verdict {
    let hash = try #require(group.hash.flatMap { HashAlgorithm(rawValue: $0) })
    let scalar = Secret(values[1])
    guard try domain.isSafe(values[0]), try domain.isSafe(values[2]),
      try domain.power(domain.generator, scalar) == values[2]
    else { return .refused }
    let secret = try domain.sharedSecret(values[0], scalar)
    return try hash.hash(secret.withBytes { [UInt8]($0) }) == values[3] ? .accepted : .refused
  }

  /// The curves by the names of both suites; another one is not in the files that were taken.
  private static let curves: [String: StandardCurve] = [
    "secp224r1": .secp224r1, "secp256r1": .secp256r1, "secp384r1": .secp384r1,
    "secp521r1": .secp521r1, "brainpoolP224r1": .brainpoolP224r1,
    "brainpoolP256r1": .brainpoolP256r1, "brainpoolP320r1": .brainpoolP320r1,
    "brainpoolP384r1": .brainpoolP384r1, "brainpoolP512r1": .brainpoolP512r1,
    "P-192": .secp192r1, "P-224": .secp224r1, "P-256": .secp256r1, "P-384": .secp384r1,
    "P-521": .secp521r1,
  ]
}
