/// A CIE after verification of the PIN: it returns the certificate and signs.
public struct VerifiedCard<Channel: CardChannel & ~Copyable>: ~Copyable {
  private var channel: SecureChannel<Channel>
  private let report: @Sendable (CardError.Step) -> Void
  private var certificate: Certificate?

  init(
    over channel: consuming SecureChannel<Channel>,
    report: @escaping @Sendable (CardError.Step) -> Void
  ) {
    self.channel = channel
    self.report = report
  }

  /// The number of the document (EF.Seriale).
  public mutating func readDocumentNumber() throws(CardError) -> DocumentNumber {
    report(.readDocumentNumber)
    let bytes = try FileReader.read(.documentNumber, through: &channel)
    guard let number = DocumentNumber(bytes) else {
      throw CardError(.readDocumentNumber, .malformed(.characters))
    }
    return number
  }

  /// The holder's certificate (EF.Cert_CIE), read once and then cached.
  public mutating func readCertificate() throws(CardError) -> Certificate {
    if let certificate { return certificate }
    report(.readCertificate)
    let bytes = try FileReader.read(.certificate, through: &channel)
    let read = try mapError(try Certificate(der: bytes)) {
      CardError.unparsed(.certificate($0), at: .readCertificate)
    }
    certificate = read
    return read
  }

  /// Signs a digest with the holder's key 81 and verifies the signature with the certificate.
  ///
  /// - Returns: a verified signature.
  /// - Throws: `CardError`: `.signatureFalse` if the card's signature does not verify; it is then
  ///   not returned.
  public mutating func sign(_ digest: Digest) throws(CardError) -> SignedAssertion {
    let certificate = try readCertificate()
    let signature = try authenticate(digest.information)
    let assertion = try CardError.crypto(
      at: .sign,
      try CryptoError.heedingMemory("check of a signature") {
        SignedAssertion(certificate: certificate, digest: digest, signature: signature)
      })
    guard let assertion else { throw CardError(.sign, .signatureFalse) }
    return assertion
  }

  /// Signs evidence with the holder's key 81, over all that is there: after the sides of the card, before the terminal.
  ///
  /// - Throws: `CardError`: `.signatureFalse` if the card's signature does not verify.
  public mutating func sign(_ evidence: inout CardEvidence) throws(CardError) {
    evidence.holder = CardEvidence.Holder(
      certificate: try readCertificate().der, signature: [])
    guard let digest = try CardError.crypto(at: .sign, try evidence.holderDigest()) else {
      throw CardError(.sign, .signatureFalse)
    }
    let assertion = try sign(digest)
    evidence.holder?.signature = assertion.signature
  }

  /// Signs bytes unchanged with the holder's key 81, and checks that the certificate's key recovers
  /// them.
  ///
  /// - Returns: RSA PKCS#1 v1.5 (RFC 8017 §8.2), as long as the modulus; verified.
  /// - Throws: `CardError`: `.signatureFalse` if the card's signature does not verify; it is then
  ///   not returned.
  package mutating func sign(_ input: RawSigningInput) throws(CardError) -> [UInt8] {
    let certificate = try readCertificate()
    let signature = try authenticate(input.bytes)
    let isRight = try CardError.crypto(at: .sign) { () throws(CryptoError) in
      try CryptoError.heedingMemory("check of a signature") {
        guard case .rsa(let key) = certificate.publicKey else { return false }
        return key.openPKCS1Type1(signature) == input.bytes
      }
    }
    guard isRight else { throw CardError(.sign, .signatureFalse) }
    return signature
  }

  /// Signs with key 81: two commands.
  private mutating func authenticate(_ bytes: [UInt8]) throws(CardError) -> [UInt8] {
    report(.sign)
    try channel.require(KeyUsage.select(KeyUsage.holderKey), at: .sign)
    return try channel.require(.internalAuthenticate(bytes, expected: .whole), at: .sign)
  }
}

/// Bytes that the holder's key signs unchanged, with only PKCS#1 v1.5 padding, for protocols that
/// require it, such as old versions of TLS. Prefer a `Digest` wherever possible.
package struct RawSigningInput: Sendable {
  /// The most bytes that a CIE signs: 40 % of the modulus (IAS ECC §9.5.4).
  package static let maximumLength = AuthorityKey.modulusLength * 2 / 5

  let bytes: [UInt8]

  /// - Returns: `nil` unless there are 1 to `maximumLength` bytes.
  package init?(_ bytes: [UInt8]) {
    guard (1...Self.maximumLength).contains(bytes.count) else { return nil }
    self.bytes = bytes
  }
}

/// A verified signature: this digest was signed by the key of this certificate.
///
/// It can only be created after the signature was verified with the certificate.
public struct SignedAssertion: Sendable, Equatable {
  /// The signer: the holder's certificate as read from the card.
  public let certificate: Certificate
  /// The signed digest.
  public let digest: Digest
  /// RSA PKCS#1 v1.5 (RFC 8017 §8.2), big-endian, 256 bytes.
  public let signature: [UInt8]

  init?(certificate: Certificate, digest: Digest, signature: [UInt8]) {
    guard
      certificate.verify(
        signature: signature, digest: digest.bytes, algorithm: digest.algorithm.hash)
    else { return nil }
    self.certificate = certificate
    self.digest = digest
    self.signature = signature
  }
}
