internal import CIECard

/// One of the three objects of a token.
struct TokenObject: Equatable {
  /// The three objects; the raw value is the handle, the same for every token.
  enum Kind: UInt, CaseIterable {
    case certificate = 1
    case publicKey = 2
    case privateKey = 3

    /// CKA_CLASS.
    fileprivate var objectClass: UInt { rawValue }
  }

  let kind: Kind
  private var attributes: [AttributeType: AttributeValue]

  /// The value of an attribute; `nil` if this object has no such attribute.
  func value(of type: UInt) -> AttributeValue? {
    AttributeType(rawValue: type).flatMap { attributes[$0] }
  }

  /// The bytes of all values together.
  var size: Int {
    attributes.values.reduce(0) { sum, value in
      guard case .bytes(let bytes) = value else { return sum }
      return sum + bytes.count
    }
  }

  /// The attributes common to all three (§4.4, storage objects).
  fileprivate init(_ kind: Kind, _ attributes: [AttributeType: AttributeValue]) {
    self.kind = kind
    let storage: [AttributeType: AttributeValue] = [
      .objectClass: .number(kind.objectClass), .token: .flag(true),
      .isPrivate: .flag(kind == .privateKey), .modifiable: .flag(false),
      .label: .text(Self.label), .copyable: .flag(false), .destroyable: .flag(false),
    ]
    self.attributes = storage.merging(attributes) { _, own in own }
  }

  /// CKA_LABEL of all three.
  private static let label = "CIE"
}

/// The objects made from the holder's certificate: certificate, public key, private key.
struct TokenObjects: Equatable {
  /// The three, by handle.
  let all: [TokenObject]
  /// Length of a signature, in bytes.
  let signatureLength: Int

  /// - Returns: `nil` if the certificate has no RSA key, as every CIE's does.
  init?(_ certificate: Certificate) {
    guard case .rsa(let key) = certificate.publicKey, let fields = certificate.encodedFields,
      let identifier = try? HashAlgorithm.sha1.hash(key.modulus),
      let fingerprint = try? HashAlgorithm.sha1.hash(certificate.der)
    else { return nil }
    let common: [AttributeType: AttributeValue] = [
      .subject: .bytes(fields.subject), .id: .bytes(identifier),
      .startDate: .bytes([]), .endDate: .bytes([]), .publicKeyInfo: .bytes(fields.publicKeyInfo),
    ]
    let ofKeys = common.merging(Self.attributes(ofKeyWith: key)) { $1 }
    signatureLength = key.modulus.count
    all = [
      TokenObject(
        .certificate,
        common.merging([
          // CKC_X_509; CK_CERTIFICATE_CATEGORY_TOKEN_USER; CK_SECURITY_DOMAIN_UNSPECIFIED.
          .certificateType: .number(0), .certificateCategory: .number(1),
          .javaMIDPSecurityDomain: .number(0), .trusted: .flag(false),
          .issuer: .bytes(fields.issuer), .serialNumber: .bytes(fields.serialNumber),
          .value: .bytes(certificate.der), .checkValue: .bytes(Array(fingerprint.prefix(3))),
        ]) { $1 }),
      TokenObject(
        .publicKey,
        ofKeys.merging(Self.ofPublicKey) { $1 }
          .merging([.modulusBits: .number(UInt(key.modulus.bitLength))]) { $1 }),
      TokenObject(.privateKey, ofKeys.merging(Self.ofPrivateKey) { $1 }),
    ]
  }

  private static func attributes(
    ofKeyWith key: RSAPublicKey
  ) -> [AttributeType: AttributeValue] {
    [
      // CKK_RSA; CK_UNAVAILABLE_INFORMATION, because the key was made elsewhere by an unknown
      // mechanism.
      .keyType: .number(0), .keyGenMechanism: .number(.max), .local: .flag(false),
      .derive: .flag(false), .modulus: .bytes(key.modulus),
      .publicExponent: .bytes(key.exponent),
    ]
  }

  private static let ofPublicKey: [AttributeType: AttributeValue] = [
    .encrypt: .flag(false), .verify: .flag(true),
    .verifyRecover: .flag(false), .wrap: .flag(false), .trusted: .flag(false),
  ]

  private static let ofPrivateKey: [AttributeType: AttributeValue] = [
    .sensitive: .flag(true), .alwaysSensitive: .flag(true), .extractable: .flag(false),
    .neverExtractable: .flag(true), .sign: .flag(true), .signRecover: .flag(false),
    .decrypt: .flag(false), .unwrap: .flag(false), .alwaysAuthenticate: .flag(false),
    .wrapWithTrusted: .flag(false),
    .allowedMechanisms: .bytes(
      SigningMechanism.allCases.flatMap { mechanism in
        withUnsafeBytes(of: mechanism.rawValue) { Array($0) }
      }),
    .privateExponent: .sensitive, .prime1: .sensitive, .prime2: .sensitive,
    .exponent1: .sensitive, .exponent2: .sensitive, .coefficient: .sensitive,
  ]
}

/// The mechanisms of the token (PKCS #11 v2.40 mechanisms, §2.1.6 and §2.1.8): only those that a
/// CIE supports.
///
/// Neither CKM_RSA_X_509 nor PSS, because hosts choose from this list, and one entry too many
/// breaks them.
enum SigningMechanism: UInt, CaseIterable {
  /// CKM_RSA_PKCS: any bytes, padded by PKCS#1 v1.5.
  case rsaPKCS = 0x01
  case sha256RSAPKCS = 0x40
  case sha384RSAPKCS = 0x41
  case sha512RSAPKCS = 0x42

  /// The hash function; `nil` if the bytes are signed as they are.
  var digest: Digest.Algorithm? {
    switch self {
    case .rsaPKCS: nil
    case .sha256RSAPKCS: .sha256
    case .sha384RSAPKCS: .sha384
    case .sha512RSAPKCS: .sha512
    }
  }
}
