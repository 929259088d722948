internal import COpenSSL

/// Results of the verification of one signature with the algorithm stated beside it (RFC 5652 §5.4, §5.6).
enum CMSSignature: Sendable {
  /// The contents are what the signer signed.
  case valid
  /// The contents do not have the signed hash, or the signed type.
  case contentsAltered
  case wrong
  /// There is no certificate to verify it with.
  case noCertificate
  /// Documents may not use the hash function, the signature algorithm or the curve, or the key
  /// has an unusable size.
  case unsupported

  /// Verifies a signature over `message` with the key of `certificate`.
  ///
  /// The hash is that of the signature algorithm, which may differ from the signer's digest
  /// algorithm: cards have been signed with sha1WithRSAEncryption over SHA-256 hashes. Only the
  /// bare key algorithms (rsaEncryption, RFC 3370 §3.2) use the digest algorithm.
  ///
  /// - Parameter algorithm: the encoding of the AlgorithmIdentifier.
  init(
    _ signature: [UInt8], of message: [UInt8], algorithm encoded: [UInt8], digest: HashAlgorithm,
    certificate: Certificate
  ) {
    defer { CryptoError.clearQueue() }
    let scheme = SignatureAlgorithm(algorithmIdentifier: encoded)
    if case .ecdsaPlain(let hash)? = scheme {
      self = Self.plain(signature, message, hash, certificate)
      return
    }
    guard let scheme, let (algorithm, _) = parsedPrefix(of: encoded, by: d2i_X509_ALGOR) else {
      self = .unsupported
      return
    }
    defer { X509_ALGOR_free(algorithm) }
    if scheme == .keyAlone {
      var combined: CInt = 0
      guard
        OBJ_find_sigid_by_algs(
          &combined, EVP_MD_get_type(digest.evp), OBJ_obj2nid(algorithm.pointee.algorithm)) == 1,
        X509_ALGOR_set0(algorithm, OBJ_nid2obj(combined), V_ASN1_NULL, nil) == 1
      else {
        self = .unsupported
        return
      }
    }
    self = Self.verify(signature, message, algorithm, certificate)
  }

  /// OpenSSL does not know ecdsa-plain-signatures (BSI TR-03111 §5.2.1).
  private static func plain(
    _ signature: [UInt8], _ message: [UInt8], _ hash: HashAlgorithm, _ certificate: Certificate
  ) -> CMSSignature {
    guard let encoded = certificate.encodedFields?.publicKeyInfo,
      let key = SubjectPublicKey(encoded), case .curve = key.kind(),
      let digest = try? hash.hash(message)
    else { return .unsupported }
    return key.verifyPlainECDSA(signature, digest: digest) ? .valid : .wrong
  }

  private static func verify(
    _ signature: [UInt8], _ message: [UInt8], _ algorithm: UnsafePointer<X509_ALGOR>,
    _ certificate: Certificate
  ) -> CMSSignature {
    guard let (parsed, length) = parsedPrefix(of: message, by: d2i_ASN1_TYPE) else {
      return .wrong
    }
    defer { ASN1_TYPE_free(parsed) }
    // Only the parsed object is verified below, so no unsigned bytes may follow it.
    guard length == message.count else { return .wrong }
    guard let octets = ASN1_OCTET_STRING_new() else { return .unsupported }
    defer { ASN1_OCTET_STRING_free(octets) }
    guard ASN1_OCTET_STRING_set(octets, signature, CInt(clamping: signature.count)) == 1,
      let key = X509_get0_pubkey(certificate.handle.pointer),
      KnownCurve.isKnown(of: key), RSAPublicKey.isBounded(key)
    else { return .unsupported }
    return ASN1_item_verify(ASN1_ANY_it(), algorithm, octets, parsed, key) == 1 ? .valid : .wrong
  }
}
