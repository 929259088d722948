import TestSupport
import Testing

@testable import CIECard

/// A secret that begins with a zero byte is not used, because a chip may keep that byte or drop it, and is genuine in
/// both cases.
@Suite struct ChipAuthenticationSecretTests {
  private struct Draws: RandomSource {
    var scalars: [[UInt8]]

    mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptoError) {
      guard !scalars.isEmpty else { throw CryptoError("test", reason: "no more draws") }
      buffer.copyBytes(from: scalars.removeFirst())
    }
  }

  @Test(arguments: [UInt8(12), 2]) func secretBeginsWithNoZero(parameter: UInt8) throws {
    let domain = try #require(try AgreementDomain(standardized: Int(parameter)))
    let fixed = Secret([UInt8](repeating: 0x5A, count: domain.order.count - 1))
    let offer = ChipAuthenticationOffer(
      domain: domain, publicValue: try domain.power(domain.generator, fixed),
      protocol: ChipAuthenticationProtocol(agreement: domain.method, cipher: .aes128),
      keyIdentifier: nil)
    var trap: [UInt8]?
    var good: [UInt8]?
    for number in 1...4000 where trap == nil || good == nil {
      var scalar = [UInt8](repeating: 0x11, count: domain.order.count)
      scalar[0] = 0
      scalar[1] = UInt8(number >> 8)
      scalar[2] = UInt8(number & 0xFF)
      let secret = try domain.sharedSecret(offer.publicValue, Secret(scalar))
      let own = try domain.power(domain.generator, Secret(scalar))
      guard own.first != 0 else { continue }
      if secret.withBytes({ $0.first }) == 0 { trap = scalar } else { good = scalar }
    }
    var draws = Draws(scalars: [try #require(trap), try #require(good)])
    let agreement = try ChipAuthentication.Agreement.draw(for: offer, random: &draws)
    #expect(draws.scalars.isEmpty)
    #expect(agreement.secret.withBytes { $0.first } != 0)
    #expect(try agreement.publicValue == domain.power(domain.generator, Secret(#require(good))))
  }
}
