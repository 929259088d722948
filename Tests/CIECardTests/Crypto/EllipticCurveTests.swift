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

  /// RFC 6979 A.2.5: P-256, SHA-256, message "sample", with the published nonce.
  @Test func publishedSignatures() throws {
    let curve = try EllipticCurve(.secp256r1)
    let scalar = Secret(
      try Hex.bytes("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721"))
    let nonce = Secret(
      try Hex.bytes("A6E3C57DD01ABE90086538398355DD4C3B17AA873382B0F24D6129493D8AAD60"))
    let digest = try HashAlgorithm.sha256.hash([UInt8]("sample".utf8))
    let signature = try ECDSA.sign(digest: digest, scalar: scalar, nonce: nonce, curve: curve)
    #expect(
      Hex.text(signature)
        == "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"
        + "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8")
    let key = try curve.multiply(curve.generator, by: scalar)
    #expect(ECDSA.verify(signature, digest: digest, publicKey: key, curve: curve))
    for index in signature.indices {
      var wrong = signature
      wrong[index] ^= 1
      #expect(!ECDSA.verify(wrong, digest: digest, publicKey: key, curve: curve))
    }
    for zeros in [0..<32, 32..<64, 0..<64] {
      var wrong = signature
      for index in zeros { wrong[index] = 0 }
      #expect(!ECDSA.verify(wrong, digest: digest, publicKey: key, curve: curve))
    }
  }

  /// A digest longer than the order (SHA-512 on 192 bits) and one shorter (SHA-1 on 521).
  @Test(arguments: [(StandardCurve.secp192r1, HashAlgorithm.sha512), (.secp521r1, .sha1)])
  func digestOfAnotherLength(name: StandardCurve, hash: HashAlgorithm) throws {
    let curve = try EllipticCurve(name)
    let key = try curve.multiply(curve.generator, by: Secret([7]))
    var digest = try hash.hash([1, 2, 3])
    let signature = try ECDSA.sign(
      digest: digest, scalar: Secret([7]), nonce: Secret([9]), curve: curve)
    #expect(ECDSA.verify(signature, digest: digest, publicKey: key, curve: curve))
    digest[0] ^= 1
    #expect(!ECDSA.verify(signature, digest: digest, publicKey: key, curve: curve))
  }
}
