import CIECard
import TestSupport
import Testing

/// The curves against the published domain parameters, their arithmetic against ECDH and ECDSA examples.
@Suite struct EllipticCurveTests {
  struct Parameters: Decodable, Sendable {
    let ecdh: [Curve]
  }

  struct Curve: Decodable, Sendable, CustomTestStringConvertible {
    let id: UInt8
    let name: String
    let p: HexBytes
    let a: HexBytes
    let b: HexBytes
    let gx: HexBytes
    let gy: HexBytes
    /// An odd number of digits for P-521.
    let n: String
    var testDescription: String { name }
  }

  @Test(arguments: try Vectors.decode("domain-params", as: Parameters.self).ecdh)
  func publishedParameters(_ published: Curve) throws {
    let curve = try EllipticCurve(try #require(StandardCurve(rawValue: published.id)))
    #expect(curve.prime == published.p.bytes)
    #expect(curve.a.withoutLeadingZeros == published.a.bytes.withoutLeadingZeros)
    #expect(curve.b.withoutLeadingZeros == published.b.bytes.withoutLeadingZeros)
    #expect(curve.generator == [4] + published.gx.bytes + published.gy.bytes)
    #expect(
      try curve.order == Hex.bytes(published.n.count % 2 == 0 ? published.n : "0" + published.n))
  }

  @Test func everyNumberIsKnown() throws {
    let known = try Vectors.decode("domain-params", as: Parameters.self).ecdh.map(\.id)
    #expect(known == StandardCurve.allCases.map(\.rawValue))
  }

  @Test(arguments: StandardCurve.allCases)
  func arithmetic(_ name: StandardCurve) throws {
    let curve = try EllipticCurve(name)
    let g = curve.generator
    let two = try curve.multiply(g, by: Secret([2]))
    #expect(try curve.add(g, g) == two)
    #expect(try curve.add(two, g) == curve.multiply(g, by: Secret([3])))
    #expect(curve.contains(two))
    // n·G and P + (−P) are the point at infinity, which has no encoding.
    #expect(throws: CryptoError.self) { try curve.multiply(g, by: Secret(curve.order)) }
    let y = [UInt8](g.suffix(curve.fieldLength))
    let negative = try ModularArithmetic.subtract([], y, modulus: curve.prime)
    let opposite = g.dropLast(curve.fieldLength) + negative
    #expect(curve.contains([UInt8](opposite)))
    #expect(throws: CryptoError.self) { try curve.add(g, [UInt8](opposite)) }
  }

  @Test(arguments: StandardCurve.allCases)
  func pointsElsewhereAreRefused(_ name: StandardCurve) throws {
    let curve = try EllipticCurve(name)
    var off = curve.generator
    off[off.count - 1] ^= 1
    let length = curve.fieldLength
    for bad in [
      off, [], [0], [UInt8](curve.generator.dropLast()), curve.generator + [0],
      [2] + [UInt8](curve.generator.dropFirst().prefix(length)),
      [4] + [UInt8](repeating: 0, count: 2 * length),
      [4] + [UInt8](repeating: 0xFF, count: 2 * length),
    ] {
      #expect(!curve.contains(bad))
      #expect(throws: CryptoError.self) { try curve.multiply(bad, by: Secret([2])) }
      #expect(throws: CryptoError.self) { try curve.add(curve.generator, bad) }
    }
  }

  private struct Signature: Sendable {
    let curve: StandardCurve
    let hash: HashAlgorithm
    let scalar: String
    let nonce: String
    let value: String
  }

  /// RFC 6979 A.2.5, A.2.3, A.2.7: the message "sample" with the published nonces; a digest as long as the order, a
  /// longer and a shorter one.
  private static let published = [
    Signature(
      curve: .secp256r1, hash: .sha256,
      scalar: "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721",
      nonce: "A6E3C57DD01ABE90086538398355DD4C3B17AA873382B0F24D6129493D8AAD60",
      value: "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"
        + "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"),
    Signature(
      curve: .secp192r1, hash: .sha512,
      scalar: "6FAB034934E4C0FC9AE67F5B5659A9D7D1FEFD187EE09FD4",
      nonce: "A2AC7AB055E4F20692D49209544C203A7D1F2C0BFBC75DB1",
      value: "4D60C5AB1996BD848343B31C00850205E2EA6922DAC2E4B8"
        + "3F6E837448F027A1BF4B34E796E32A811CBB4050908D8F67"),
    Signature(
      curve: .secp521r1, hash: .sha1,
      scalar: "00FAD06DAA62BA3B25D2FB40133DA757205DE67F5BB0018FEE8C86E1B68C7E75CA"
        + "A896EB32F1F47C70855836A6D16FCC1466F6D8FBEC67DB89EC0C08B0E996B83538",
      nonce: "0089C071B419E1C2820962321787258469511958E80582E95D8378E0C2CCDB3CB4"
        + "2BEDE42F50E3FA3C71F5A76724281D31D9C89F0F91FC1BE4918DB1C03A5838D0F9",
      value: "00343B6EC45728975EA5CBA6659BBB6062A5FF89EEA58BE3C80B619F322C87910F"
        + "E092F7D45BB0F8EEE01ED3F20BABEC079D202AE677B243AB40B5431D497C55D75D"
        + "00E7B0E675A9B24413D448B8CC119D2BF7B2D2DF032741C096634D6D65D0DBE3D5"
        + "694625FB9E8104D3B842C1B0E2D0B98BEA19341E8676AEF66AE4EBA3D5475D5D16"),
  ]

  @Test(arguments: published.indices) func publishedSignatures(_ index: Int) throws {
    let published = Self.published[index]
    let signature = try ECDSA.sign(
      digest: published.hash.hash([UInt8]("sample".utf8)),
      scalar: Secret(try Hex.bytes(published.scalar)),
      nonce: Secret(try Hex.bytes(published.nonce)), curve: EllipticCurve(published.curve))
    #expect(Hex.text(signature) == published.value)
  }
}
