import CIECard
import TestSupport
import Testing

/// Powers modulo the published groups of `domain-params.json`, and small numbers calculated by hand.
@Suite struct ModularArithmeticTests {
  struct File: Decodable {
    let dh: [Group]
  }
  struct Group: Decodable {
    let name: String
    let p: HexBytes
    let g: HexBytes
    let q: HexBytes
  }

  /// RFC 5114: the generator has the order of the subgroup, g^q mod p = 1 and g ≠ 1.
  @Test func generatorsHaveTheirOrder() throws {
    let groups = try Vectors.decode("domain-params", as: File.self).dh
    #expect(groups.count == 3)
    for group in groups {
      let power = try ModularArithmetic.power(
        group.g.bytes, group.q.bytes, modulus: group.p.bytes)
      let one = [UInt8](repeating: 0, count: group.p.bytes.count - 1) + [1]
      #expect(power == one, "\(group.name)")
      #expect(ModularArithmetic.compare(group.g.bytes, [1]) > 0)
    }
  }

  /// Two parties derive the same secret, and one changed bit of an exponent gives another.
  @Test func diffieHellmanAgrees() throws {
    let group = try #require(try Vectors.decode("domain-params", as: File.self).dh.last)
    let (p, g) = (group.p.bytes, group.g.bytes)
    let (a, b, c): ([UInt8], [UInt8], [UInt8]) = ([0x11, 0x22, 0x33], [0x44, 0x55], [0x44, 0x54])
    let alice = try ModularArithmetic.power(g, a, modulus: p)
    let bob = try ModularArithmetic.power(g, b, modulus: p)
    let one = try ModularArithmetic.secretPower(bob, Secret(a), modulus: p)
    let other = try ModularArithmetic.secretPower(alice, Secret(b), modulus: p)
    let stranger = try ModularArithmetic.secretPower(alice, Secret(c), modulus: p)
    #expect(one == other)
    #expect(one.count == p.count)
    #expect(one != stranger)
  }

  @Test func resultsAreAsLongAsTheModulus() throws {
    // 3^4 mod 1009 = 81: two bytes, as the modulus, and three with a leading zero in it.
    #expect(try ModularArithmetic.power([3], [4], modulus: [0x03, 0xF1]) == [0, 81])
    #expect(try ModularArithmetic.power([3], [4], modulus: [0, 0x03, 0xF1]) == [0, 0, 81])
    #expect(try ModularArithmetic.power([0, 0, 3], [0, 4], modulus: [0x03, 0xF1]) == [0, 81])
    #expect(try ModularArithmetic.power([3], [0], modulus: [0x03, 0xF1]) == [0, 1])
    #expect(try ModularArithmetic.power([], [4], modulus: [0x03, 0xF1]) == [0, 0])
    // A base above the modulus is reduced: 1012 ≡ 3.
    #expect(try ModularArithmetic.power([0x03, 0xF4], [4], modulus: [0x03, 0xF1]) == [0, 81])
  }

  @Test func sharedSecretIsTheSamePower() throws {
    let exponent = Secret([4])
    let secret = try ModularArithmetic.sharedSecret([3], exponent, modulus: [0x03, 0xF1])
    #expect(secret.withBytes { [UInt8]($0) } == [0, 81])
  }

  @Test(arguments: [[], [0], [0, 0], [0x10], [0x03, 0xF2]] as [[UInt8]])
  func evenOrAbsentModulusIsRefused(modulus: [UInt8]) {
    #expect(throws: CryptoError.self) {
      try ModularArithmetic.power([3], [4], modulus: modulus)
    }
  }

  @Test func comparison() {
    let compare = ModularArithmetic.compare
    #expect(compare([], []) == 0)
    #expect(compare([0, 0, 7], [7]) == 0)
    #expect(compare([0, 7], [8]) < 0)
    #expect(compare([1, 0], [0xFF]) > 0)
    #expect(compare([1, 2, 3], [1, 2, 4]) < 0)
    #expect(compare([0], []) == 0)
  }
}
