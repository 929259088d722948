internal import COpenSSL

extension X509Handle {
  /// Whether the certified RSA key confirms an RSASSA-PKCS1-v1_5 signature of a digest (RFC 8017 §8.2.2).
  ///
  /// - Returns: `false` as well when the key is no RSA key or a length does not fit.
  borrowing func verifyPKCS1(
    signature: [UInt8], digest: [UInt8], algorithm: HashAlgorithm
  ) -> Bool {
    defer { ERR_clear_error() }
    guard digest.count == algorithm.length, let key = X509_get0_pubkey(pointer),
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
