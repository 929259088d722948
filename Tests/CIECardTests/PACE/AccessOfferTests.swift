import Primitives
import Testing

@testable import CIECard

/// The choice among the announced variants, and the reason when it is empty.
@Suite struct AccessOfferTests {
  /// A PACEInfo: mapping and cipher arcs, version, parameters.
  private func info(
    _ mapping: UInt8, _ cipher: UInt8, _ parameter: UInt8?, version: UInt8 = 2
  ) -> [UInt8] {
    TLV.encode(
      0x30,
      [
        TLV.encode(
          0x06, [0x04, 0x00, 0x7F, 0x00, 0x07, 0x02, 0x02, 0x04, mapping, cipher]),
        TLV.encode(0x02, [version]), parameter.map { TLV.encode(0x02, [$0]) } ?? [],
      ])
  }

  private func offer(_ infos: [UInt8]...) -> AccessOffer {
    AccessOffer(cardAccess: TLV.encode(0x31, infos))
  }

  private func chosen(
    _ offer: AccessOffer, over reader: ChannelTraits.ExtendedLength = .unknown
  ) throws -> String? {
    try offer.selection(over: reader).map {
      let number = $0.info.parameterIdentifier.map(String.init) ?? "-"
      return "\($0.info.protocol.name) \(number)\($0.namesParameters ? " named" : "")"
    }
  }

  @Test func ofTheCIE() throws {
    let cie = offer(info(1, 1, 2))
    #expect(try chosen(cie) == "id-PACE-DH-GM-3DES-CBC-CBC 2")
    #expect(
      try chosen(cie, over: .carried(maximumDataLength: 264)) == "id-PACE-DH-GM-3DES-CBC-CBC 2")
  }

  @Test(arguments: [ChannelTraits.ExtendedLength.notCarried, .carried(maximumDataLength: 263)])
  func aShortReaderTakesNoLongKeys(reader: ChannelTraits.ExtendedLength) throws {
    let cie = offer(info(1, 1, 2))
    #expect(try chosen(cie, over: reader) == nil)
    #expect(cie.obstacle(over: reader) == .extendedLengthNeeded(nil))
    let both = offer(info(1, 4, 2), info(2, 1, 13))
    #expect(try chosen(both, over: reader) == "id-PACE-ECDH-GM-3DES-CBC-CBC 13")
    #expect(try chosen(offer(info(1, 2, 0)), over: reader) == "id-PACE-DH-GM-AES-CBC-CMAC-128 0")
  }

  @Test func aesGoesFirstThenTheOrderOfTheFile() throws {
    let file = offer(info(2, 1, 13), info(4, 2, 12), info(2, 4, 16))
    #expect(try chosen(file) == "id-PACE-ECDH-IM-AES-CBC-CMAC-128 12")
  }

  /// As many repeated entries as the file has room for are few variants: no work is done for each of them.
  @Test func repeatedVariantsAreOne() throws {
    let many = [UInt8]([[UInt8]](repeating: info(4, 1, 10), count: 3000).joined())
    let offer = offer(many, info(2, 1, 13))
    #expect(offer.candidates.count == 2)
    #expect(try chosen(offer) == "id-PACE-ECDH-GM-3DES-CBC-CBC 13")
  }

  @Test func severalParametersAreNamed() throws {
    let file = offer(info(2, 2, 12), info(2, 2, 13))
    #expect(try chosen(file) == "id-PACE-ECDH-GM-AES-CBC-CMAC-128 12 named")
  }

  /// Reserved numbers, curves for DH, fields for ECDH, P-224 with integrated mapping, version 1, no number.
  @Test func whatCannotBeRunIsPassedOver() throws {
    let unusable = [
      info(2, 2, 3), info(2, 2, 19), info(1, 2, 12), info(2, 2, 1), info(4, 2, 10),
      info(2, 2, 13, version: 1), info(2, 2, nil),
    ]
    for entry in unusable {
      #expect(try chosen(AccessOffer(cardAccess: TLV.encode(0x31, entry))) == nil)
      let withGood = AccessOffer(cardAccess: TLV.encode(0x31, entry + info(2, 1, 13)))
      #expect(try chosen(withGood)?.hasPrefix("id-PACE-ECDH-GM-3DES-CBC-CBC 13") == true)
    }
    #expect(AccessOffer(cardAccess: nil).obstacle(over: .unknown) == .noAccessProtocol)
    #expect(try chosen(AccessOffer(cardAccess: [])) == nil)
    #expect(try chosen(AccessOffer(cardAccess: [0x31, 0x7F, 0x30])) == nil)
  }

  /// EF.ATR/INFO of the card families: with and without a category byte, with the older form, cut short.
  @Test(arguments: [
    ("80 00 43 01 B8 7F66 08 0202 04D6 0202 07E3 82 02 90 00", 0x7E1),
    ("43 01 B8 7F66 08 0202 04D6 0202 07E3", 0x7E1),
    ("00 43 01 B8 7F66 09 0202 1000 0203 010000 FF", 0xFFFE),
    ("80 00 43 01 B8 E0 10 0202 00FF 0202 00FF 0202 0100 0202 0100", nil),
    ("7F66 08 0202 04D6 0202 07", nil), ("7F66 04 0202 04D6", nil), ("7F66 00", nil),
    ("", nil), ("FF FF FF", nil),
  ])
  func limits(file: String, response: Int?) throws {
    let bytes = try #require([UInt8](hexadecimal: file))
    #expect(CardLimits(information: bytes).response == response)
  }
}
