/// The Diffie–Hellman domain parameters of the card, each exactly as received: the signatures of device
/// authentication cover these very bytes.
struct DomainParameters: Equatable, Sendable {
  /// Tag 97: the generator.
  let generator: [UInt8]
  /// Tag 98: the prime modulus.
  let modulus: [UInt8]
  /// Tag 99: the order of the subgroup.
  let order: [UInt8]

  /// Accepted sizes in bits. A CIE has 2048 and 256 (derived from the sizes of its commands).
  private static let modulusBits = 2048...4096
  private static let orderBits = 224...4096

  /// Checks that the parameters are safe to use: sizes, oddness, and that the generator is neither
  /// trivial nor outside the subgroup of the given order.
  ///
  /// Primality is not tested: device authentication signs the parameters with the chip's key before
  /// any secret is sent, so it detects parameters chosen by an attacker.
  func validate() throws(CardError) {
    guard Self.modulusBits.contains(modulus.bitLength), modulus.isOdd else {
      throw unsafe(.modulus)
    }
    guard Self.orderBits.contains(order.bitLength), order.isOdd,
      ModularArithmetic.compare(order, modulus) < 0
    else { throw unsafe(.order) }
    guard try isInSubgroup(generator) else { throw unsafe(.generator) }
  }

  /// Checks the other side's public value: full length, not trivial, in the subgroup, and not our
  /// own.
  func validate(publicValue: [UInt8], own: [UInt8]) throws(CardError) {
    guard publicValue.count == modulus.count, publicValue != own, try isInSubgroup(publicValue)
    else { throw CardError(.agreeKeys, .unsafeParameters(.publicValue)) }
  }

  private func isInSubgroup(_ value: [UInt8]) throws(CardError) -> Bool {
    let field = FiniteField(prime: modulus, generator: generator, order: order)
    return try CardError.crypto(at: .readDomainParameters, try field.contains(value))
  }

  private func unsafe(_ parameter: CardError.UnsafeParameter) -> CardError {
    CardError(.readDomainParameters, .unsafeParameters(parameter))
  }
}

extension DomainParameters {
  /// Reads the parameters: in one answer if the family is known to support it, otherwise, or after
  /// a refusal, one by one, which every card supports.
  static func read(
    through channel: inout some CommandChannel & ~Copyable, family: ChipFamily
  ) throws(CardError) -> DomainParameters {
    if family.givesParametersTogether {
      let response = try channel.send(
        SecurityDataObject.domainParameters, at: .readDomainParameters)
      if response.status == .success {
        let values = try CardError.parse(
          at: .readDomainParameters, try parameters(in: response.data))
        return try DomainParameters(
          generator: value(0x97, in: values), modulus: value(0x98, in: values),
          order: value(0x99, in: values))
      }
    }
    return try DomainParameters(
      generator: readOne(0x97, through: &channel), modulus: readOne(0x98, through: &channel),
      order: readOne(0x99, through: &channel))
  }

  private static func readOne(
    _ tag: UInt8, through channel: inout some CommandChannel & ~Copyable
  ) throws(CardError) -> [UInt8] {
    let data = try channel.require(
      SecurityDataObject.domainParameter(tag), at: .readDomainParameters)
    let values = try CardError.parse(at: .readDomainParameters, try parameters(in: data))
    return try value(UInt32(tag), in: values)
  }

  /// 70 { BFA101 { A3 { 97, 98, 99 } } }.
  private static func parameters(in data: [UInt8]) throws(TLVError) -> TLVCursor {
    try TLVCursor(inside: 0x70, of: data).first(0xBFA101).contents.first(0xA3).contents
  }

  private static func value(
    _ tag: UInt32, in values: TLVCursor
  ) throws(CardError) -> [UInt8] {
    let bytes = try CardError.parse(at: .readDomainParameters, try values.first(tag).bytes)
    guard !bytes.isEmpty else { throw CardError(.readDomainParameters, .malformed(.length)) }
    return bytes
  }
}
