import TestSupport
import Testing

@testable import CIECard

/// `domain-params.json`: the groups of RFC 5114; refused parameters, with the reason.
@Suite struct DomainParameterTests {
  struct File: Decodable {
    let dh: [Group]
  }

  struct Group: Decodable {
    let id: Int
    let p: HexBytes
    let g: HexBytes
    let q: HexBytes
  }

  private let good: DomainParameters

  init() throws {
    let groups = try Vectors.decode("domain-params", as: File.self).dh
    let group = try #require(groups.first { $0.id == 2 })
    good = DomainParameters(
      generator: group.g.bytes, modulus: group.p.bytes, order: group.q.bytes)
  }

  private func refuses(
    _ parameter: CardError.UnsafeParameter, generator: [UInt8]? = nil, modulus: [UInt8]? = nil,
    order: [UInt8]? = nil
  ) {
    let changed = DomainParameters(
      generator: generator ?? good.generator, modulus: modulus ?? good.modulus,
      order: order ?? good.order)
    #expect(throws: CardError(.readDomainParameters, .unsafeParameters(parameter))) {
      try changed.validate()
    }
  }

  private func minusOne(_ bytes: [UInt8]) -> [UInt8] { bytes.dropLast() + [bytes[255] & 0xFE] }

  @Test func publishedGroupIsAccepted() throws { try good.validate() }

  @Test func smallGroupIsRefused() throws {
    let groups = try Vectors.decode("domain-params", as: File.self).dh
    let small = try #require(groups.first { $0.id == 0 })
    refuses(
      .modulus, generator: small.g.bytes, modulus: small.p.bytes, order: small.q.bytes)
  }

  @Test func oddSizesAndParitiesAreRefused() {
    refuses(.modulus, modulus: minusOne(good.modulus))
    refuses(.modulus, modulus: [])
    refuses(.modulus, modulus: [UInt8](repeating: 0xFF, count: 513))
    refuses(.order, order: [])
    refuses(.order, order: [1])
    refuses(.order, order: good.order.dropLast() + [0xD2])
    refuses(.order, order: good.modulus)
  }

  @Test func trivialAndForeignGeneratorsAreRefused() {
    refuses(.generator, generator: [])
    refuses(.generator, generator: [0])
    refuses(.generator, generator: [1])
    refuses(.generator, generator: [2])
    refuses(.generator, generator: minusOne(good.modulus))
    refuses(.generator, generator: good.modulus)
    refuses(.generator, generator: [UInt8](repeating: 0xFF, count: 256))
  }

  @Test func publicValuesAreChecked() throws {
    let own = try ModularArithmetic.power(good.generator, [5], modulus: good.modulus)
    let other = try ModularArithmetic.power(good.generator, [7], modulus: good.modulus)
    try good.validate(publicValue: other, own: own)
    let zeros = [UInt8](repeating: 0, count: 255)
    for bad in [
      own, zeros + [0], zeros + [1], zeros + [2], minusOne(good.modulus), good.modulus,
      [UInt8](other.dropLast()), [0] + other, [],
    ] {
      #expect(throws: CardError(.agreeKeys, .unsafeParameters(.publicValue))) {
        try good.validate(publicValue: bad, own: own)
      }
    }
  }
}
