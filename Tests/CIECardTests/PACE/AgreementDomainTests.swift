import TestSupport
import Testing

@testable import CIECard

/// Refused public values, and the drawing of private keys.
@Suite struct AgreementDomainTests {
  struct Parameters: Decodable, Sendable {
    let dh: [Group]
  }

  struct Group: Decodable, Sendable {
    let id: Int
    let p: HexBytes
    let g: HexBytes
    let q: HexBytes
  }

  @Test(arguments: try Vectors.decode("domain-params", as: Parameters.self).dh)
  func publishedFields(_ published: Group) throws {
    let domain = try #require(try AgreementDomain(standardized: published.id))
    guard case .finiteField(let field) = domain else {
      Issue.record("not a field")
      return
    }
    #expect(field.prime == published.p.bytes)
    #expect(field.generator == published.g.bytes.withoutLeadingZeros)
    #expect(field.order == published.q.bytes)
  }

  @Test(arguments: [3, 7, 19, 31, 32, -1, 256]) func reservedNumbers(number: Int) throws {
    #expect(try AgreementDomain(standardized: number) == nil)
  }

  @Test(arguments: [0, 1, 2]) func valuesOfAField(number: Int) throws {
    let domain = try #require(try AgreementDomain(standardized: number))
    guard case .finiteField(let field) = domain else { return }
    let p = field.prime
    var minusOne = p
    minusOne[p.count - 1] -= 1
    var plusOne = p
    plusOne[p.count - 1] += 1
    let minusG = try ModularArithmetic.subtract([], field.generator, modulus: p)
    // Zero, one, p − 1, p, p + 1, empty, more bytes than p, and numbers outside the subgroup: −g has twice its order,
    // and 2 has another one.
    let unsafe: [[UInt8]] = [
      [0], [1], minusOne, p, plusOne, [], [0] + p, [1] + p, minusG, [2],
    ]
    for value in unsafe {
      #expect(try !domain.isSafe(value), "\(value.prefix(4))")
    }
    #expect(try domain.isSafe(domain.generator))
    // A number without its leading zeros is the same number.
    let short = field.generator.withoutLeadingZeros
    #expect(try domain.isSafe(short) && domain.areEqual(short, domain.generator))
  }

  /// Zero, the order and larger values are drawn again, and so is a key whose number begins with a zero byte.
  @Test func drawing() throws {
    let domain = try #require(try AgreementDomain(standardized: 2))
    let zeros = [UInt8](repeating: 0, count: 32)
    let good = [UInt8](repeating: 0x21, count: 32)
    var random = PlannedRandom(
      draws: [zeros, domain.order, [UInt8](repeating: 0xFF, count: 32), good, good])
    let key = try EphemeralKey.generate(
      in: domain, generator: domain.generator, random: &random)
    #expect(random.draws.count == 1)
    #expect(key.publicValue == (try domain.power(domain.generator, Secret(good))))
    #expect(key.publicValue.count == domain.generator.count && key.publicValue.first != 0)
    // On P-521 the seven bits above the order are cleared, not drawn again.
    let curve = try #require(try AgreementDomain(standardized: 18))
    var wide = PlannedRandom(draws: [
      [UInt8](repeating: 0xFE, count: 1) + [UInt8](repeating: 1, count: 65)
    ])
    let point = try EphemeralKey.generate(
      in: curve, generator: curve.generator, random: &wide)
    #expect(point.publicValue.count == 133)
  }

  @Test func aLeadingZeroIsDrawnAgain() throws {
    let domain = try #require(try AgreementDomain(standardized: 0))
    var scalar = [UInt8](repeating: 0, count: 20)
    var found: [UInt8]?
    for low in 1...UInt16(4000) {
      scalar[18] = UInt8(low >> 8)
      scalar[19] = UInt8(truncatingIfNeeded: low)
      if try domain.power(domain.generator, Secret(scalar)).first == 0 {
        found = scalar
        break
      }
    }
    let zero = try #require(found)
    let good = [UInt8](repeating: 0x21, count: 20)
    var random = PlannedRandom(draws: [zero, good])
    let key = try EphemeralKey.generate(in: domain, generator: domain.generator, random: &random)
    #expect(random.draws.isEmpty && key.publicValue.first != 0)
  }

  /// A source without usable values is given up.
  @Test func aBrokenSource() throws {
    struct Zeros: RandomSource {
      mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptoError) {}
    }
    let domain = try #require(try AgreementDomain(standardized: 12))
    var random = Zeros()
    #expect(throws: CryptoError.self) {
      _ = try EphemeralKey.generate(in: domain, generator: domain.generator, random: &random)
    }
  }
}
