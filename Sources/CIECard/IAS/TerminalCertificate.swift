/// The certificate that the terminal presents to the card: generated on the fly, signed under the
/// authority key (IAS ECC §9.5.1; ISO/IEC 9796-2 scheme 1 with SHA-256 and partial recovery).
struct TerminalCertificate: Equatable, Sendable {
  /// CHR, the holder reference: four zeros and the terminal's serial number.
  static let holderReference = [UInt8](repeating: 0, count: 4) + TerminalKey.serialNumber

  /// The certificate body, 297 bytes, not self-describing.
  let body: [UInt8]
  /// The authority whose key verifies it.
  let authority: AuthorityKey

  /// CPI: bit 8 application-dependent, bit 4 device authentication with privacy, low bits 10 = 2048-bit key.
  static let profileIdentifier: UInt8 = 0x8A
  /// The role byte in CHA: device authentication.
  static let role: UInt8 = 0x01
  /// The object identifier of the signature scheme; its last byte 04 stands for SHA-256.
  private static let signatureScheme: [UInt8] = [
    0x2A, 0x81, 0x22, 0xF4, 0x2A, 0x02, 0x04, 0x01, 0x04,
  ]

  init(authority: AuthorityKey) {
    self.init(
      authority: authority, profile: Self.profileIdentifier,
      application: authority.applicationIdentifier, role: Self.role)
  }

  /// A certificate with unusual fields, which a card need not accept.
  init(authority: AuthorityKey, profile: UInt8, application: [UInt8], role: UInt8) {
    self.authority = authority
    body =
      [profile] + authority.authorityReference + Self.holderReference
      + application + [role] + Self.signatureScheme
      + TerminalKey.modulus + TerminalKey.publicExponent
  }

  /// Signs the body and encodes the data field of PSO VERIFY CERTIFICATE:
  /// 7F21 { 5F37 signature, 5F38 unrecovered remainder, 42 authority reference }.
  func signed() throws(CryptoError) -> [UInt8] {
    let recovered = RecoverableSignature.messageLength(
      modulus: authority.modulus.count)
    let signature = try ModularArithmetic.power(
      RecoverableSignature.block(recovered: [UInt8](body.prefix(recovered)), hashing: body),
      TerminalKey.authorityExponent, modulus: authority.modulus)
    return TLV.encode(
      0x7F21,
      [
        TLV.encode(0x5F37, signature),
        TLV.encode(0x5F38, [UInt8](body.dropFirst(recovered))),
        TLV.encode(0x42, authority.authorityReference),
      ])
  }
}

/// The data on the card in the name of a holder's certificate (CIE 3.0 chip specification §6.12).
/// Its country is the holder's citizenship, not necessarily Italy.
struct CertificateHolder: Sendable, Equatable {
  /// The document number: serialNumber without its prefix `IDCIT-`.
  let documentNumber: String?
  /// The fiscal code: commonName before the slash.
  let fiscalCode: String?
  /// The services number, NIS: commonName after the slash.
  let servicesNumber: String?

  /// `IDC`, an identity card, issued by the state `IT` (ETSI EN 319 412-1 §5.1.3).
  private static let prefix = "IDCIT-"

  init(_ subject: Certificate.DistinguishedName) {
    let number = subject.serialNumber
    documentNumber = number.map {
      $0.hasPrefix(Self.prefix) ? String($0.dropFirst(Self.prefix.count)) : $0
    }
    let parts = subject.commonName.map {
      $0.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    }
    fiscalCode = parts?.first
    servicesNumber = parts.flatMap { $0.count == 2 ? $0[1] : nil }
  }

  /// False if it names another services number; a missing number on either side is no
  /// contradiction.
  func agrees(with number: ServicesNumber?) -> Bool {
    guard let number, let servicesNumber else { return true }
    return servicesNumber == number.description
  }

  /// False if it names another document number; a missing number on either side is no
  /// contradiction. A longer number in the certificate matches by its beginning, because the
  /// specification's example has eleven characters.
  func agrees(with number: DocumentNumber?) -> Bool {
    guard let number, let documentNumber else { return true }
    return documentNumber.hasPrefix(number.description)
  }
}

/// The public key 84 under which the card verifies terminal certificates, as read from the card.
///
/// Its objects have a different order on different chips: they are found by tag.
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

  static func read(
    through channel: inout some CommandChannel & ~Copyable
  ) throws(CardError) -> AuthorityKey {
    let step = CardError.Step.readAuthorityKey
    let data = try channel.require(SecurityDataObject.authorityKey, at: step)
    let key = try CardError.parse(at: step, try AuthorityKey(data))
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
