internal import CIECard

/// Diffie–Hellman in a finite field: big-endian numbers without leading zeros.
struct DomainParameters: Equatable {
  var generator: [UInt8]
  let prime: [UInt8]
  /// Order of the subgroup.
  let order: [UInt8]

  /// The group that every persona publishes: RFC 5114 §2.3, 2048-bit MODP with a 256-bit prime-order
  /// subgroup; empty if OpenSSL has no memory for it.
  static let standard =
    DomainParameters(standardised: 2) ?? DomainParameters(generator: [], prime: [], order: [])

  /// The parameters as data objects: 97 generator, 98 prime, 99 order.
  func object(_ tag: UInt32) -> [UInt8]? {
    switch tag {
    case 0x97: BERObject.encode(tag, generator)
    case 0x98: BERObject.encode(tag, prime)
    case 0x99: BERObject.encode(tag, order)
    default: nil
    }
  }

  /// The two forms of EF.DH by different readings of the documents; it is not known which of them
  /// real cards have.
  enum FileForm {
    /// 7F49 { 7F49 { 81 p, 82 q, 83 g } } (IAS ECC §10.4.3.2).
    case keyTemplate
    /// The ASN.1 structure DomainParameters of X9.42: p, g, q (Specifiche Chip, annex A).
    case domainParameters
  }

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

  /// The number 1, as long as the prime.
  var one: [UInt8] { prime.dropLast().map { _ in 0 } + [1] }
  /// The prime minus one; the prime is odd.
  var minusOne: [UInt8] { prime.dropLast() + prime.suffix(1).map { $0 & 0xFE } }
}

extension DomainParameters {
  /// The group with this standardised number (Doc 9303-11 §9.5.1, table 6): 0, 1 or 2.
  init?(standardised number: UInt8) {
    guard let field = try? StandardGroup(rawValue: number)?.parameters() else { return nil }
    self.init(generator: field.generator, prime: field.prime, order: field.order)
  }
}
