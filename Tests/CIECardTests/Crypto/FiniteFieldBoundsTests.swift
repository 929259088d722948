import Testing

@testable import CIECard

/// Domain parameters from a card: known ones, bounded ones, and traps.
@Suite struct FiniteFieldBoundsTests {
  private let group: FiniteField

  init() throws { group = try StandardGroup.modp2048of256.parameters() }

  @Test func standardisedGroupsAreTakenWithTheirOrder() throws {
    for known in StandardGroup.allCases {
      let group = try known.parameters()
      // PKCS #3 has no order: that of the group is known nevertheless, and keeps the exponents short.
      let found = try FiniteField(
        bounding: group.prime, generator: group.generator, order: nil)
      #expect(found == group)
    }
  }

  @Test func otherGeneratorsOfAKnownFieldAreTaken() throws {
    let square = try ModularArithmetic.multiply(
      group.generator, group.generator, modulus: group.prime)
    let found = try FiniteField(bounding: group.prime, generator: square, order: group.order)
    #expect(found?.order == group.order)
  }

  @Test func whatIsOutOfBoundsIsRefused() throws {
    let (p, g, q) = (group.prime, group.generator, group.order)
    var minusOne = p
    minusOne[minusOne.endIndex - 1] &= 0xFE
    var even = p
    even[even.endIndex - 1] &= 0xFE
    var otherOrder = q
    otherOrder[otherOrder.endIndex - 1] ^= 0x02
    let long = [UInt8](repeating: 0xFF, count: 513)
    for (prime, generator, order) in [
      (p, [1], q), (p, minusOne, q), (p, p, q), (p, [], q), (p, g, p), (p, g, otherOrder),
      (p, g, [0x03]), (p, g, long), (even, g, q), (long, [2], q), (long, [2], nil),
      ([UInt8](p.prefix(127)), [2], nil), ([], [], nil), ([], [], []),
    ] as [([UInt8], [UInt8], [UInt8]?)] {
      #expect(try FiniteField(bounding: prime, generator: generator, order: order) == nil)
    }
  }

  /// A composite p is detected without an order to check against: 2^(p − 1) is then not 1.
  @Test func compositeModulusWithoutOrderIsRefused() throws {
    var composite = [UInt8](repeating: 0xFF, count: 256)
    composite[255] = 0xFD
    #expect(try FiniteField(bounding: composite, generator: [2], order: nil) == nil)
  }
}
