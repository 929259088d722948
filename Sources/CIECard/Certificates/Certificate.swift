internal import COpenSSL

/// An X.509 certificate (RFC 5280): the holder's, a document signer's, a CSCA's.
///
/// A plain value: the encoding and the fields parsed from it. Nothing is verified yet: a
/// `TrustStore` judges the issuer, `notBefore` and `notAfter` the validity.
public struct Certificate: Sendable {
  /// The DER encoding, exactly the certificate.
  public let der: [UInt8]
  /// The holder's name.
  public let subject: DistinguishedName
  /// The issuer's name.
  public let issuer: DistinguishedName
  /// The issuer's serial number, lower-case hexadecimal, two digits per byte.
  public let serial: String
  /// Start of validity.
  public let notBefore: UTCTime
  /// End of validity (inclusive).
  public let notAfter: UTCTime
  package let publicKey: PublicKey
  /// The identifier that the certificate gives its own key (subjectKeyIdentifier, RFC 5280
  /// §4.2.1.2); `nil` if absent.
  public let keyIdentifier: [UInt8]?
  /// The identifier of the key that signed it (authorityKeyIdentifier, RFC 5280 §4.2.1.1); `nil` if
  /// absent.
  public let issuerKeyIdentifier: [UInt8]?

  /// Decoded once, because that takes longer than most uses.
  let handle: X509Handle

  package enum PublicKey: Sendable, Hashable {
    /// Also one that may only sign with RSASSA-PSS (id-RSASSA-PSS, RFC 4055 §1.2).
    case rsa(RSAPublicKey)
    /// A key of another kind, with the short name or object identifier of its algorithm.
    case other(algorithm: String)
  }

  /// Parses a certificate that is the whole input.
  ///
  /// - Throws: `Certificate.Malformation`.
  public init(der: [UInt8]) throws(Malformation) {
    try self.init(cutting: der)
    guard self.der.count == der.count else {
      throw .trailingBytes(count: der.count - self.der.count)
    }
  }

  /// Parses the certificate at the start of a file and drops what follows.
  ///
  /// EF.Cert_CIE of a CIE is longer than its content and padded with zeros; the outer DER length
  /// gives the end of the certificate (CIE 3.0 chip specification annex A).
  ///
  /// - Throws: `Certificate.Malformation.malformed`, also if the length points past the end of the
  ///   file.
  public init(cutting file: [UInt8]) throws(Malformation) {
    do throws(CryptoError) {
      let parsed = try X509Handle(prefixOf: file)
      handle = parsed
      der = [UInt8](file.prefix(parsed.consumed))
      let pointer = parsed.pointer
      subject = try DistinguishedName(X509_get_subject_name(pointer))
      issuer = try DistinguishedName(X509_get_issuer_name(pointer))
      guard let number = X509_get0_serialNumber(pointer),
        let start = X509_get0_notBefore(pointer).flatMap({ X509Value.time($0) }),
        let end = X509_get0_notAfter(pointer).flatMap({ X509Value.time($0) })
      else { throw .fromQueue("fields of a certificate") }
      serial = X509Value.hex(X509Value.octets(number))
      (notBefore, notAfter) = (start, end)
      publicKey = try parsed.publicKey()
      defer { CryptoError.clearQueue() }
      keyIdentifier = X509_get0_subject_key_id(pointer).map { X509Value.octets($0) }
      issuerKeyIdentifier = X509_get0_authority_key_id(pointer).map { X509Value.octets($0) }
    } catch {
      throw .malformed(reason: error.reason)
    }
  }

  /// The textual encoding, `-----BEGIN CERTIFICATE-----` and so on (RFC 7468 §5).
  public var pem: String { X509Value.pem(der) }

  /// True if the private key can be computed from the certified one (ROCA, CVE-2017-15361).
  package var hasRecoverableKey: Bool {
    if case .rsa(let key) = publicKey { key.hasROCAFingerprint } else { false }
  }

  /// All fields, in English; control characters are escaped.
  public var text: String {
    get throws(CryptoError) { try handle.text() }
  }

  /// Verifies an RSASSA-PKCS1-v1_5 signature with the certified RSA key (RFC 8017 §8.2.2).
  ///
  /// - Parameters:
  ///   - signature: as long as the modulus.
  ///   - digest: the hash of the signed message, of the algorithm's length.
  ///   - algorithm: the hash function named in the signature's DigestInfo.
  /// - Returns: `false` as well if the key is not an RSA key or a length does not match.
  package func verify(signature: [UInt8], digest: [UInt8], algorithm: HashAlgorithm) -> Bool {
    defer { CryptoError.clearQueue() }
    guard digest.count == algorithm.length, let key = X509_get0_pubkey(handle.pointer),
      EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA,
      let context = EVP_PKEY_CTX_new(key, nil)
    else { return false }
    defer { EVP_PKEY_CTX_free(context) }
    return EVP_PKEY_verify_init(context) == 1
      && EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
      && EVP_PKEY_CTX_set_signature_md(context, algorithm.evp) == 1
      && EVP_PKEY_verify(context, signature, signature.count, digest, digest.count) == 1
  }
}

extension Certificate {
  /// True if the certified key is too short to be trusted: RSA below 2048 bits, others below 224 (NIST SP 800-131A rev. 2 §3;
  /// ETSI TS 119 312 §6.2 and §8.4 ask for more).
  package var hasWeakKey: Bool {
    defer { CryptoError.clearQueue() }
    return X509_get0_pubkey(handle.pointer).map { Self.isWeak($0) } ?? false
  }

  static func isWeak(_ key: OpaquePointer) -> Bool {
    EVP_PKEY_get_bits(key) < (isRSA(key) ? 2048 : 224)
  }

  /// True for an RSA key under either of its identifiers, rsaEncryption and id-RSASSA-PSS (RFC 4055 §1.2).
  static func isRSA(_ key: OpaquePointer) -> Bool {
    [EVP_PKEY_RSA, EVP_PKEY_RSA_PSS].contains(EVP_PKEY_get_base_id(key))
  }

  /// The name of a key that is neither an RSA key nor on a known curve; nil for the others.
  package var unsupportedKey: String? {
    guard case .other(let algorithm) = publicKey else { return nil }
    guard let encoded = encodedFields?.publicKeyInfo, let key = SubjectPublicKey(encoded) else {
      return algorithm
    }
    return if case .other(let name) = key.kind() { name } else { nil }
  }

  /// True if the key signed the DigestInfo of a digest without the parameters of its algorithm (RFC 8017 §9.2 note 2).
  package func signedWithoutNULL(
    _ signature: [UInt8], digest: [UInt8], _ hash: HashAlgorithm
  ) -> Bool {
    defer { CryptoError.clearQueue() }
    guard let key = X509_get0_pubkey(handle.pointer), EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA,
      let context = EVP_PKEY_CTX_new(key, nil)
    else { return false }
    defer { EVP_PKEY_CTX_free(context) }
    let algorithm = TLV.encode(
      DER.sequence, TLV.encode(DER.objectIdentifier, hash.objectIdentifier))
    let expected = TLV.encode(DER.sequence, algorithm + TLV.encode(DER.octetString, digest))
    var recovered = [UInt8](repeating: 0, count: Int(max(0, EVP_PKEY_get_size(key))))
    var length = recovered.count
    guard EVP_PKEY_verify_recover_init(context) == 1,
      EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1,
      EVP_PKEY_verify_recover(context, &recovered, &length, signature, signature.count) == 1
    else { return false }
    return recovered.prefix(length).elementsEqual(expected)
  }

  /// Verifies an RSASSA-PSS signature with the certified RSA key (RFC 8017 §8.1.2).
  ///
  /// - Parameters:
  ///   - digest: the hash of the signed message, by the hash function of the algorithm.
  ///   - algorithm: the AlgorithmIdentifier with its parameters (RFC 4055 §3.1).
  /// - Returns: `false` as well for parameters that the key or OpenSSL does not allow.
  package func verifyPSS(signature: [UInt8], digest: [UInt8], algorithm: [UInt8]) -> Bool {
    defer { CryptoError.clearQueue() }
    guard
      case .pss(let hash, let mask)? = SignatureAlgorithm(algorithmIdentifier: algorithm),
      let salt = SignatureAlgorithm.saltLength(algorithmIdentifier: algorithm),
      digest.count == hash.length, let key = X509_get0_pubkey(handle.pointer),
      let context = EVP_PKEY_CTX_new(key, nil)
    else { return false }
    defer { EVP_PKEY_CTX_free(context) }
    return EVP_PKEY_verify_init(context) == 1
      && EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1
      && EVP_PKEY_CTX_set_signature_md(context, hash.evp) == 1
      && EVP_PKEY_CTX_set_rsa_mgf1_md(context, mask.evp) == 1
      && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, CInt(salt)) == 1
      && EVP_PKEY_verify(context, signature, signature.count, digest, digest.count) == 1
  }
}

extension Certificate: Hashable {
  /// Certificates are equal if their encodings are.
  public static func == (left: Certificate, right: Certificate) -> Bool { left.der == right.der }

  /// Hashes the encoding.
  public func hash(into hasher: inout Hasher) {
    der.withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}

extension Certificate {
  /// The reason why bytes are not a certificate.
  public enum Malformation: Error, Sendable, Equatable {
    /// The bytes are not the DER encoding of an X.509 certificate; with OpenSSL's reason.
    case malformed(reason: String)
    /// The certificate is followed by this many more bytes.
    case trailingBytes(count: Int)
  }
}
