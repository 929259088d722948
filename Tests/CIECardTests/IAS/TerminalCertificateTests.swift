@testable import Primitives
import TestSupport
import Testing

@testable import CIECard

/// The terminal's certificate against values recomputed from the published layout (IAS ECC §9.5.1).
@Suite struct TerminalCertificateTests {
  /// An authority whose public exponent is short: n is prime and e·d = 1 modulo n − 1 for the published d.
  private static let authorityModulus = """
    8703397EA636E10B1771C42A7B8FF50A6B428D24F76CFBAABE7C693F0CEA06CE
    32CAD17A1E5B27C7EA8D3E2315E99948E05DF4666466C235D38EA2888595A1F2
    EA0F42EF439509BA2798DB505CAA9B5ECAD382D9845549A32C27AF1A036A3898
    2B6D0820810735AB957D09EFDFD6E1A9BE387FFD415F640A9943AB32C11A7E68
    81D107EEAAEF320916C14FD207280200025635B38CFA14AD0A05F980AD464BDC
    442980956BDE78DAA2D29749C4731584D2A1DC75EE4C97952D6E8E60191C45B9
    90ECBAE631BBA200E0E9E4F8A0C76B32B9D3A93982909A92577F85B083424F3C
    5E216FFC6BB28ECC91922B704BFB02A079B0E7129A34BC79148DABEDF63E2173
    """
  private static let authorityExponent: [UInt8] = [0x01, 0x01, 0x25]

  private func certificate() throws -> (TerminalCertificate, modulus: [UInt8]) {
    let modulus = try #require([UInt8](hexadecimal: Self.authorityModulus))
    let key = TLV.encode(
      0x7F49,
      [
        TLV.encode(0x81, modulus), TLV.encode(0x82, Self.authorityExponent),
        TLV.encode(0x5F20, [0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]),
        TLV.encode(0x5F4C, [0xA0, 0, 0, 0, 0, 0x39, 0]),
      ])
    let answer = TLV.encode(0x70, TLV.encode(0xBFA004, key)) + [0x90, 0]
    var channel = PlainChannel(
      ScriptedChannel(answers: [answer], log: ScriptedChannel.Log()), cardTakesExtended: false)
    return (TerminalCertificate(authority: try AuthorityKey.read(through: &channel)), modulus)
  }

  @Test func bodyHasThePublishedHash() throws {
    let (certificate, _) = try certificate()
    #expect(certificate.body.count == 297)
    #expect(
      try HashAlgorithm.sha256.hash(certificate.body).hexadecimal
        == "FD4BC385B0F4D5070D25AF59C6D848F6859BB6AE6783AB08E035515FD9D339B4")
  }

  @Test func signedFormHasTheThreeObjects() throws {
    let (certificate, modulus) = try certificate()
    let field = try certificate.signed()
    #expect(field.count == 354)
    var cursor = TLVCursor(field)
    var objects = try cursor.next(0x7F21).contents
    let signature = try objects.next(0x5F37).bytes
    let remainder = try objects.next(0x5F38).bytes
    #expect(try objects.next(0x42).bytes == [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(objects.isAtEnd && cursor.isAtEnd)
    #expect(
      remainder.hexadecimal == """
        E03C59E7346B4218755D75366CBF4136F0A26C3DC70A69ABAAF66E13A1B2FAAD052CA6EC9C51E2AED14D16E0\
        90254DC3F64EA2BD8A836BBA99DEFACBA3A613AEEDD93A9615273D00010001
        """)
    let key = try #require(RSAPublicKey(modulus: modulus, exponent: Self.authorityExponent))
    // The card's view: opened with the short exponent, head, body, hash and trailer are in place.
    let opened = try #require(RecoverableSignature.open(signature, key: key))
    #expect(opened.recovered + remainder == certificate.body)
    #expect(opened.hash == (try HashAlgorithm.sha256.hash(certificate.body)))
  }

  @Test func publishedSignatureOfTheExponent() throws {
    let modulus = try #require([UInt8](hexadecimal: Self.authorityModulus))
    let message = [0x6A] + [UInt8](repeating: 0x55, count: 254) + [0xBC]
    let signature = try ModularArithmetic.power(
      message, TerminalKey.authorityExponent, modulus: modulus)
    #expect(
      try HashAlgorithm.sha256.hash(signature).hexadecimal.lowercased()
        == "7a6158bae7574f7d1481949555d37b57ec698021c4eb3b0b62899405a879f8ef")
  }

  /// The private exponent as published, of which the parts of the key are computed.
  private static let publishedExponent = """
    4716C2A38CCC7A07B415EB1A6175F2AAA0E49CEAF1BA75CBA09A684B04D8111879D3E2CCD8B94D3C5CF6C557\
    53F0ED9587910B3C77258A01460FE84C2EDE5764EEBE9C37FB95CD69CEAF09F4B1357C276314AB43EC5B3CEF\
    B0403F868F688E2EC09A4973E987756F8DA7A101A2CA75A54A8C4CCF9A1B6147E4DE56423AF70B2067179C5E\
    EB646867863478D752C7F412DB277541575AA0619D30BCCC8D87E6170B33439A2C93F2D97E18C0A82343A601\
    2A5BB1822808F01B5CFD85673AC0964C5F3CFD2DAF8142359764A9ADB9E3F76DB613461C1BC913DC9AC0AB50\
    D365F77CB93194C98AA966D89CDD555125A5E59ECF4FA3F0C3FD610CD3D056439338FD81
    """

  @Test func deviceKeyIsThePublishedPair() throws {
    let message = [UInt8](repeating: 0x42, count: 256)
    let signature = try TerminalKey.privateKey.apply(message)
    let exponent = try Hex.bytes(Self.publishedExponent)
    #expect(
      try ModularArithmetic.power(message, exponent, modulus: TerminalKey.modulus) == signature)
    #expect(
      try ModularArithmetic.power(
        signature, TerminalKey.publicExponent, modulus: TerminalKey.modulus) == message)
  }

  @Test func openingRefusesWrongBlocks() throws {
    let modulus = try #require([UInt8](hexadecimal: Self.authorityModulus))
    let key = try #require(RSAPublicKey(modulus: modulus, exponent: Self.authorityExponent))
    for (head, trailer): (UInt8, UInt8) in [(0x6B, 0xBC), (0x6A, 0xBD)] {
      let block = [head] + [UInt8](repeating: 0x55, count: 254) + [trailer]
      let signature = try ModularArithmetic.power(
        block, TerminalKey.authorityExponent, modulus: modulus)
      #expect(
        RecoverableSignature.open(signature, key: key) == nil)
    }
    for bad in [[], [1], modulus, [UInt8](repeating: 0xFF, count: 256)] {
      #expect(
        RecoverableSignature.open(bad, key: key) == nil)
    }
  }
}
