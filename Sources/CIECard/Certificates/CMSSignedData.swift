internal import Primitives
internal import COpenSSL

/// A CMS SignedData with one signer (RFC 5652 §5), as plain values.
struct CMSSignedData: Sendable {
  /// eContentType, dotted.
  let contentType: String
  let content: [UInt8]
  /// The DER encoding of the signer's certificate.
  let signerCertificate: [UInt8]
  /// The hash function of the messageDigest attribute; `nil` if documents do not use it.
  let digestAlgorithm: HashAlgorithm?
  /// The signed attributes; `nil` if the signature covers the contents themselves.
  let attributes: CMSSignedAttributes?
  /// The signature algorithm, dotted.
  let signatureAlgorithm: String
  /// The signature algorithm, if documents may use it.
  let scheme: SignatureAlgorithm?
  let signature: Signature
  /// True if a version is not the one that RFC 5652 §5 requires.
  let hasOddVersion: Bool

  /// Results of the verification with the embedded signer's key (RFC 5652 §5.4, §5.6).
  enum Signature: Sendable {
    /// The contents are what the signer signed.
    case valid
    /// The contents do not have the signed hash, or the signed type.
    case contentsAltered
    case wrong
    /// Documents may not use the hash function, the signature algorithm or the curve, or the key
    /// has an unusable size.
    case unsupported
  }

  /// The reason why bytes are not such a SignedData.
  enum Failure: Error, Equatable {
    case malformed(reason: String)
    case signerCount(Int)
    case noSignerCertificate
    case signedAttributes
  }

  /// Parses a ContentInfo that is the whole input and verifies the signature with the signer's own
  /// certificate.
  ///
  /// BER is accepted (Doc 9303-10 §4.6.2 requires DER, but old documents do not comply). There must
  /// be one signer. Its certificate is the one named by the signer identifier; if none matches and
  /// there is only one, that one: issuers have written the two names differently.
  init(_ input: [UInt8]) throws(Failure) {
    defer { CryptoError.clearQueue() }
    hasOddVersion = Self.hasOddVersion(input)
    let cms = try CMSHandle(input)
    guard OBJ_obj2nid(CMS_get0_type(cms.pointer)) == NID_pkcs7_signed else {
      throw .malformed(reason: "not SignedData")
    }
    guard let type = CMS_get0_eContentType(cms.pointer),
      let content = CMS_get0_content(cms.pointer)?.pointee
    else { throw .malformed(reason: "no contents") }
    contentType = X509Value.dotted(type)
    self.content = X509Value.octets(content)

    let signers = CMS_get0_SignerInfos(cms.pointer)
    let count = OPENSSL_sk_num(signers)
    guard count == 1, let signer = OPENSSL_sk_value(signers, 0).map({ OpaquePointer($0) }) else {
      throw .signerCount(Int(max(0, count)))
    }
    // Contents of another type than data must have signed attributes (RFC 5652 §5.3); old security
    // objects have been signed without. Contents and attributes cannot be confused: one is a
    // SEQUENCE, the other a SET.
    attributes = CMS_signed_get_attr_count(signer) > 0 ? try CMSSignedAttributes(of: signer) : nil

    var digest: UnsafeMutablePointer<X509_ALGOR>?
    var signing: UnsafeMutablePointer<X509_ALGOR>?
    CMS_SignerInfo_get0_algs(signer, nil, nil, &digest, &signing)
    guard let digest, let signing else { throw .malformed(reason: "algorithms") }
    digestAlgorithm = HashAlgorithm(
      objectIdentifier: X509Value.contentOctets(digest.pointee.algorithm))
    signatureAlgorithm = X509Value.dotted(signing.pointee.algorithm)
    scheme = SignatureAlgorithm(algorithmIdentifier: X509Value.encoding(of: signing))

    let certificate = try cms.certificate(of: signer)
    signerCertificate = X509Handle.encoding(of: certificate.pointer)
    guard let hash = digestAlgorithm else {
      signature = .unsupported
      return
    }
    if let attributes,
      (try? hash.hash(self.content)) != attributes.messageDigest
        || attributes.contentType != contentType
    {
      signature = .contentsAltered
      return
    }
    let messages = attributes.map { [$0.encoded, $0.sorted] } ?? [self.content]
    let verdicts = messages.map { message in
      CMSSignature.check(
        message, signature: CMS_SignerInfo_get0_signature(signer), algorithm: signing,
        digest: digest, certificate: certificate)
    }
    signature = verdicts.first { $0 == .valid } ?? verdicts.first ?? .unsupported
  }

  /// True if SHA-1 is used in the digest of the contents or in the signature.
  var usesSHA1: Bool {
    digestAlgorithm == .sha1 || scheme?.usesSHA1(digest: digestAlgorithm) == true
  }
}

/// Owner of one parsed ContentInfo of OpenSSL.
struct CMSHandle: ~Copyable {
  let pointer: OpaquePointer

  init(_ input: [UInt8]) throws(CMSSignedData.Failure) {
    guard let (parsed, length) = parsedPrefix(of: input, by: d2i_CMS_ContentInfo) else {
      throw .malformed(reason: CryptoError.fromQueue("parsing of CMS").reason)
    }
    guard length == input.count else {
      CMS_ContentInfo_free(parsed)
      throw .malformed(reason: "trailing bytes")
    }
    pointer = parsed
  }

  /// The certificate named by the signer identifier, or the only one.
  borrowing func certificate(
    of signer: OpaquePointer
  ) throws(CMSSignedData.Failure) -> X509Handle {
    let all = CMS_get1_certs(pointer)
    defer {
      for index in 0..<max(0, OPENSSL_sk_num(all)) {
        if let one = OPENSSL_sk_value(all, index) { X509_free(OpaquePointer(one)) }
      }
      OPENSSL_sk_free(all)
    }
    let certificates = (0..<max(0, OPENSSL_sk_num(all))).compactMap { index in
      OPENSSL_sk_value(all, index).map { OpaquePointer($0) }
    }
    let named = certificates.first { CMS_SignerInfo_cert_cmp(signer, $0) == 0 }
    guard let chosen = named ?? (certificates.count == 1 ? certificates.first : nil) else {
      throw .noSignerCertificate
    }
    return try mapError(try X509Handle(sharing: chosen)) { (error: CryptoError) in
      CMSSignedData.Failure.malformed(reason: error.reason)
    }
  }

  deinit { CMS_ContentInfo_free(pointer) }
}
