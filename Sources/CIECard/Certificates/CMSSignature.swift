internal import COpenSSL

/// The signed attributes of a signer (RFC 5652 §5.3, §11).
struct CMSSignedAttributes: Sendable {
  /// contentType (RFC 5652 §11.1), dotted.
  let contentType: String
  /// messageDigest (RFC 5652 §11.2).
  let messageDigest: [UInt8]
  /// signingTime (RFC 5652 §11.3), if present: merely the signer's claim.
  let signingTime: UTCTime?
  /// The signed bytes: the attributes as an explicit SET OF instead of the implicit `[0]` (RFC 5652
  /// §5.4), in their original order.
  let encoded: [UInt8]
  /// The same in DER order, which the signature covers even if the file has another (RFC 5652
  /// §5.4).
  let sorted: [UInt8]

  /// - Throws: `signedAttributes` if one of the two required ones is absent, repeated or has more
  ///   than one value.
  init(of signer: OpaquePointer) throws(CMSSignedData.Failure) {
    /// OpenSSL's flag for "the only attribute of its type, with a single value".
    let only: CInt = -3
    guard
      let type = CMS_signed_get0_data_by_OBJ(
        signer, OBJ_nid2obj(NID_pkcs9_contentType), only, V_ASN1_OBJECT),
      let digest = CMS_signed_get0_data_by_OBJ(
        signer, OBJ_nid2obj(NID_pkcs9_messageDigest), only, V_ASN1_OCTET_STRING)
    else { throw .signedAttributes }
    contentType = X509Value.dotted(OpaquePointer(type))
    messageDigest = X509Value.octets(digest.assumingMemoryBound(to: ASN1_OCTET_STRING.self))
    let times = [V_ASN1_UTCTIME, V_ASN1_GENERALIZEDTIME].compactMap { kind in
      CMS_signed_get0_data_by_OBJ(signer, OBJ_nid2obj(NID_pkcs9_signingTime), only, kind)
    }
    signingTime = times.first.flatMap {
      X509Value.time($0.assumingMemoryBound(to: ASN1_TIME.self))
    }

    var parts: [[UInt8]] = []
    for index in 0..<max(0, CMS_signed_get_attr_count(signer)) {
      let attribute = CMS_signed_get_attr(signer, index)
      let encoding = X509Value.der { i2d_X509_ATTRIBUTE(attribute, $0) }
      guard !encoding.isEmpty else { throw .signedAttributes }
      parts.append(encoding)
    }
    guard parts.joined().count <= UInt16.max else { throw .signedAttributes }
    encoded = TLV.encode(DER.set, parts)
    sorted = TLV.encode(DER.set, TLV.ordered(parts))
  }
}

/// Verification of one signature value with the algorithm stated beside it.
enum CMSSignature {
  /// Verifies a signature over `message` with the key of `certificate`.
  ///
  /// The hash is that of the signature algorithm, which may differ from the signer's digest
  /// algorithm: cards have been signed with sha1WithRSAEncryption over SHA-256 hashes. Only the
  /// bare key algorithms (rsaEncryption, RFC 3370 §3.2) use the digest algorithm.
  static func check(
    _ message: [UInt8], signature: UnsafePointer<ASN1_OCTET_STRING>?,
    algorithm: UnsafePointer<X509_ALGOR>, digest: UnsafePointer<X509_ALGOR>,
    certificate: X509Handle
  ) -> CMSSignedData.Signature {
    defer { CryptoError.clearQueue() }
    switch SignatureAlgorithm(algorithmIdentifier: X509Value.encoding(of: algorithm)) {
    case nil: return .unsupported
    case .ecdsaPlain(let hash): return verifyPlain(message, signature, hash, certificate)
    case .pkcs1, .pss, .ecdsa, .keyAlone: break
    }
    let given = OBJ_obj2nid(algorithm.pointee.algorithm)
    if OBJ_find_sigid_algs(given, nil, nil) == 1 {
      return verify(message, signature, algorithm, certificate)
    }
    var combined: CInt = 0
    guard
      OBJ_find_sigid_by_algs(&combined, OBJ_obj2nid(digest.pointee.algorithm), given) == 1,
      let substitute = X509_ALGOR_new()
    else { return .unsupported }
    defer { X509_ALGOR_free(substitute) }
    guard X509_ALGOR_set0(substitute, OBJ_nid2obj(combined), V_ASN1_NULL, nil) == 1 else {
      return .unsupported
    }
    return verify(message, signature, substitute, certificate)
  }

  /// OpenSSL does not know ecdsa-plain-signatures (BSI TR-03111 §5.2.1).
  private static func verifyPlain(
    _ message: [UInt8], _ signature: UnsafePointer<ASN1_OCTET_STRING>?, _ hash: HashAlgorithm,
    _ certificate: X509Handle
  ) -> CMSSignedData.Signature {
    guard let signature,
      let parsed = try? Certificate(der: X509Handle.encoding(of: certificate.pointer)),
      let encoded = parsed.encodedFields?.publicKeyInfo, let key = SubjectPublicKey(encoded),
      let digest = try? hash.hash(message)
    else { return .unsupported }
    guard case .curve = key.kind() else { return .unsupported }
    return key.verifyPlainECDSA(X509Value.octets(signature), digest: digest) ? .valid : .wrong
  }

  private static func verify(
    _ message: [UInt8], _ signature: UnsafePointer<ASN1_OCTET_STRING>?,
    _ algorithm: UnsafePointer<X509_ALGOR>, _ certificate: X509Handle
  ) -> CMSSignedData.Signature {
    guard let (parsed, length) = parsedPrefix(of: message, by: d2i_ASN1_TYPE) else {
      return .wrong
    }
    defer { ASN1_TYPE_free(parsed) }
    // Only the parsed object is verified below, so no unsigned bytes may follow it.
    guard length == message.count else { return .wrong }
    guard let signature, let key = X509_get0_pubkey(certificate.pointer),
      KnownCurve.isKnown(of: key), RSAPublicKey.isBounded(key)
    else { return .unsupported }
    return ASN1_item_verify(ASN1_ANY_it(), algorithm, signature, parsed, key) == 1
      ? .valid : .wrong
  }
}
