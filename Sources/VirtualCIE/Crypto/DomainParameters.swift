// Deliberately written apart from CIECard: the card's copy of the group.

/// The Diffie–Hellman group of the card: RFC 5114 §2.3, 2048-bit MODP with a 256-bit prime-order subgroup.
struct DomainParameters: Equatable {
  /// Generator, 256 bytes.
  var generator: [UInt8]
  /// Prime modulus, 256 bytes.
  let prime: [UInt8]
  /// Order of the subgroup, 32 bytes.
  let order: [UInt8]

  /// The group that every persona publishes.
  static let standard = DomainParameters(
    generator: HexText.decode(
      """
      3FB32C9B73134D0B2E77506660EDBD484CA7B18F21EF205407F4793A1A0BA12510DBC15077BE463FFF4FED4A
      AC0BB555BE3A6C1B0C6B47B1BC3773BF7E8C6F62901228F8C28CBB18A55AE31341000A650196F931C77A57F2
      DDF463E5E9EC144B777DE62AAAB8A8628AC376D282D6ED3864E67982428EBC831D14348F6F2F9193B5045AF2
      767164E1DFC967C1FB3F2E55A4BD1BFFE83B9C80D052B985D182EA0ADB2A3B7313D3FE14C8484B1E052588B9
      B7D2BBD2DF016199ECD06E1557CD0915B3353BBB64E0EC377FD028370DF92B52C7891428CDC67EB6184B523D
      1DB246C32F63078490F00EF8D647D148D47954515E2327CFEF98C582664B4C0F6CC41659
      """),
    prime: HexText.decode(
      """
      87A8E61DB4B6663CFFBBD19C651959998CEEF608660DD0F25D2CEED4435E3B00E00DF8F1D61957D4FAF7DF45
      61B2AA3016C3D91134096FAA3BF4296D830E9A7C209E0C6497517ABD5A8A9D306BCF67ED91F9E6725B4758C0
      22E0B1EF4275BF7B6C5BFC11D45F9088B941F54EB1E59BB8BC39A0BF12307F5C4FDB70C581B23F76B63ACAE1
      CAA6B7902D52526735488A0EF13C6D9A51BFA4AB3AD8347796524D8EF6A167B5A41825D967E144E514056425
      1CCACB83E6B486F6B3CA3F7971506026C0B857F689962856DED4010ABD0BE621C3A3960A54E710C375F26375
      D7014103A4B54330C198AF126116D2276E11715F693877FAD7EF09CADB094AE91E1A1597
      """),
    order: HexText.decode("8CF83642A709A097B447997640129DA299B1A47D1EB3750BA308B0FE64F5FBD3"))

  /// The parameters as data objects: 97 generator, 98 prime, 99 order.
  func object(_ tag: UInt32) -> [UInt8]? {
    switch tag {
    case 0x97: BERObject.encode(tag, generator)
    case 0x98: BERObject.encode(tag, prime)
    case 0x99: BERObject.encode(tag, order)
    default: nil
    }
  }

  /// The forms of EF.DH that documents can be read to mean; it is not known which real cards have.
  enum FileForm {
    /// 7F49 { 7F49 { 81 p, 82 q, 83 g } } (IAS ECC §10.4.3.2).
    case keyTemplate
    /// The ASN.1 structure DomainParameters of X9.42: p, g, q (Specifiche Chip, annex A).
    case domainParameters
  }

  /// The content of EF.DH (D004).
  func fileContent(_ form: FileForm) -> [UInt8] {
    switch form {
    case .keyTemplate:
      BERObject.encode(
        0x7F49,
        BERObject.encode(
          0x7F49, BERObject.encode(0x81, prime), BERObject.encode(0x82, order),
          BERObject.encode(0x83, generator)))
    case .domainParameters:
      BERObject.encode(
        0x30, BERObject.integer(prime), BERObject.integer(generator), BERObject.integer(order))
    }
  }

  /// The number 1 as long as the prime.
  var one: [UInt8] { [UInt8](repeating: 0, count: prime.count - 1) + [1] }
  /// The prime minus one; the prime is odd.
  var minusOne: [UInt8] { prime.dropLast() + prime.suffix(1).map { $0 & 0xFE } }
}
