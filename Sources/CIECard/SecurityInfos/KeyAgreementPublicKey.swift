/// A public key of chip authentication with its domain parameters, from a SubjectPublicKeyInfo (Doc
/// 9303-11 §9.4; BSI TR-03110-3 §A.2). It is not validated: the protocol must check that the
/// numbers are safe to use.
struct KeyAgreementPublicKey: Sendable, Equatable {
  let domain: Domain
  /// For Diffie–Hellman the number, big-endian without leading zero bytes; on a curve the encoded
  /// point.
  let publicValue: [UInt8]

  enum Domain: Sendable, Equatable {
    /// A prime field: numbers big-endian without leading zero bytes.
    case field(prime: [UInt8], generator: [UInt8], order: [UInt8]?)
    /// A curve by the content octets of its object identifier.
    case namedCurve(objectIdentifier: [UInt8])
    /// A curve with explicit parameters; to be compared with the known ones before use.
    case explicitCurve(ExplicitCurve)
    /// Standardised domain parameters by their number, of a field or a curve (Doc 9303-11 §9.5.1).
    case standardized(Int)
  }

  /// - Parameter subjectPublicKeyInfo: `SEQUENCE { SEQUENCE { algorithm, parameters }, BIT STRING }` and no more.
  init(subjectPublicKeyInfo: [UInt8]) throws(DataGroup.Malformation) {
    self = try DataGroup.Malformation.parse(
      try KeyAgreementPublicKey(decoding: subjectPublicKeyInfo))
  }

  private init(decoding bytes: [UInt8]) throws(TLVError) {
    var fields = try TLVCursor(inside: DER.sequence, of: bytes)
    var algorithm = try fields.next(DER.sequence).contents
    let key = try fields.nextWholeBits()
    try fields.finish()
    let identifier = try algorithm.next(DER.objectIdentifier).bytes
    let parameters = try algorithm.next()
    try algorithm.finish()
    domain = try Domain(identifier, parameters)
    guard !domain.isCurve else {
      publicValue = key
      return
    }
    // A Diffie–Hellman value is an INTEGER inside the BIT STRING (RFC 3279 §2.3.3).
    var cursor = TLVCursor(key)
    publicValue = try cursor.nextUnsigned()
    try cursor.finish()
  }
}

extension KeyAgreementPublicKey.Domain {
  /// dhKeyAgreement, 1.2.840.113549.1.3.1 (PKCS #3).
  private static let pkcs3: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x03, 0x01]
  /// dhpublicnumber, 1.2.840.10046.2.1 (X9.42; RFC 3279 §2.3.3).
  private static let x942: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3E, 0x02, 0x01]
  /// id-ecPublicKey, 1.2.840.10045.2.1 (RFC 3279 §2.3.5).
  private static let curve: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
  /// standardizedDomainParameters, 0.4.0.127.0.7.1.2 (BSI TR-03110-3 §A.2.1.1).
  private static let standardizedParameters: [UInt8] = [0x04, 0x00, 0x7F, 0x00, 0x07, 0x01, 0x02]

  fileprivate init(_ algorithm: [UInt8], _ parameters: TLV) throws(TLVError) {
    switch algorithm {
    case Self.standardizedParameters:
      var cursor = TLVCursor(parameters.encoded)
      self = .standardized(try cursor.nextNumber())
    case Self.pkcs3, Self.x942:
      self = try Self.field(parameters, hasOrder: algorithm == Self.x942)
    case Self.curve where parameters.tag == DER.objectIdentifier:
      self = .namedCurve(objectIdentifier: parameters.bytes)
    case Self.curve:
      self = .explicitCurve(try ExplicitCurve(parameters))
    default:
      throw .invalidValue(tag: DER.objectIdentifier)
    }
  }

  /// PKCS #3: `SEQUENCE { p, g, privateValueLength OPTIONAL }`; X9.42: `SEQUENCE { p, g, q, j OPTIONAL,
  /// validationParms OPTIONAL }`.
  private static func field(_ parameters: TLV, hasOrder: Bool) throws(TLVError) -> Self {
    var cursor = TLVCursor(parameters.encoded)
    var fields = try cursor.next(DER.sequence).contents
    let prime = try fields.nextUnsigned()
    let generator = try fields.nextUnsigned()
    let order = hasOrder ? try fields.nextUnsigned() : nil
    _ = try fields.all()
    return .field(prime: prime, generator: generator, order: order)
  }

  fileprivate var isCurve: Bool {
    switch self {
    case .field: false
    case .namedCurve, .explicitCurve: true
    case .standardized(let number): number > Self.lastStandardizedField
    }
  }

  /// 0 to 2 are the fields of RFC 5114, the curves begin at 8 (Doc 9303-11 §9.5.1).
  private static let lastStandardizedField = 7
}

/// Explicit domain parameters of an elliptic curve over a prime field (ECParameters, RFC 3279
/// §2.3.5; BSI TR-03111 §5.1). Numbers are big-endian without leading zero bytes.
struct ExplicitCurve: Sendable, Equatable {
  /// p, the prime of the field.
  let prime: [UInt8]
  /// a of y² = x³ + ax + b.
  let a: [UInt8]
  /// b of y² = x³ + ax + b.
  let b: [UInt8]
  /// G, the encoded base point: 04 and both coordinates, or compressed.
  let generator: [UInt8]
  /// n, the order of G.
  let order: [UInt8]
  /// h; absent in some keys.
  let cofactor: [UInt8]?

  /// prime-field, 1.2.840.10045.1.1 (RFC 3279 §2.3.5).
  private static let primeField: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x01, 0x01]

  /// `SEQUENCE { version, fieldID { prime-field, p }, curve { a, b, seed OPTIONAL }, base, order, cofactor OPTIONAL }`.
  init(_ parameters: TLV) throws(TLVError) {
    var outer = TLVCursor(parameters.encoded)
    var fields = try outer.next(DER.sequence).contents
    _ = try fields.nextNumber()
    var field = try fields.next(DER.sequence).contents
    let kind = try field.next(DER.objectIdentifier)
    guard kind.value.elementsEqual(Self.primeField) else {
      throw .invalidValue(tag: DER.objectIdentifier)
    }
    prime = try field.nextUnsigned()
    try field.finish()
    var curve = try fields.next(DER.sequence).contents
    a = try curve.next(DER.octetString).bytes.withoutLeadingZeros
    b = try curve.next(DER.octetString).bytes.withoutLeadingZeros
    if !curve.isAtEnd { _ = try curve.next(DER.bitString) }
    try curve.finish()
    generator = try fields.next(DER.octetString).bytes
    order = try fields.nextUnsigned()
    cofactor = fields.isAtEnd ? nil : try fields.nextUnsigned()
    try fields.finish()
  }
}
