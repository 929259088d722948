/// The public key 84 under which the card verifies terminal certificates, as the card gives it.
///
/// Its objects stand in a different order on different chips: they are searched by tag.
struct AuthorityKey: Equatable, Sendable {
  /// Tag 81: the modulus, 256 bytes.
  let modulus: [UInt8]
  /// Tag 5F20: the holder reference, 12 bytes.
  let holderReference: [UInt8]
  /// Tag 5F4C: the holder authorization, an application identifier of 6 bytes and a role.
  let holderAuthorization: [UInt8]

  /// CAR, the authority reference in certificates: the last eight bytes of the holder reference.
  var authorityReference: [UInt8] { [UInt8](holderReference.suffix(8)) }

  /// The first six bytes of the holder authorization.
  var applicationIdentifier: [UInt8] { [UInt8](holderAuthorization.prefix(6)) }

  /// The modulus length of every RSA key of the IAS application, in bytes.
  static let modulusLength = 256

  /// Reads the key from the card.
  static func read(
    through channel: inout some CommandChannel & ~Copyable
  ) throws(CardError) -> AuthorityKey {
    let step = Step.readAuthorityKey
    let data = try channel.require(SecurityDataObject.authorityKey, at: step)
    let key = try CardError.parse(at: step) { () throws(TLVError) in try AuthorityKey(data) }
    guard key.modulus.count == modulusLength, key.modulus.bitLength == modulusLength * 8,
      key.modulus.isOdd
    else { throw CardError(step, .unsafeParameters(.authorityKey)) }
    guard key.holderReference.count == 12, key.holderAuthorization.count == 7 else {
      throw CardError(step, .malformed(.length))
    }
    return key
  }

  /// 70 { BFA004 { 7F49 { 81, 82, 5F20, 5F4C in any order } } }.
  private init(_ data: [UInt8]) throws(TLVError) {
    var outer = TLVCursor(data)
    let template = try outer.next(0x70)
    try outer.finish()
    let key = try template.contents.first(0xBFA004).contents.first(0x7F49).contents
    modulus = try key.first(0x81).bytes.withoutLeadingZeros
    holderReference = try key.first(0x5F20).bytes
    holderAuthorization = try key.first(0x5F4C).bytes
  }
}
