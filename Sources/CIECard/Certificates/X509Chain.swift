internal import COpenSSL

/// The certification path from a signer's certificate to a trust anchor (RFC 5280 §6, Doc 9303-12
/// §7).
enum X509Chain {
  enum Result {
    /// The path, from the signer to the anchor; validity periods are not checked.
    case path([Certificate])
    /// No anchor signed it: their keys or names do not match, or the signature is wrong.
    case notIssued
    /// A rule of X.509 forbids the path; with OpenSSL's reason.
    case refused(reason: String)
  }

  /// Builds and verifies a path that ends in a self-signed certificate among the anchors.
  ///
  /// Only the anchors are trusted, and only they are used for the path: no certificate that came
  /// with the signature, no directory of the system. Signatures, names, key identifiers, basic
  /// constraints and key usage are checked; every purpose is allowed, because document signers have
  /// none of the usual ones. An unknown critical extension refuses the path: the document type list
  /// of Doc 9303-12 §7.1.1.6 is not critical.
  ///
  /// Explicit elliptic curve parameters, which OpenSSL would refuse, are accepted if they are those
  /// of a known curve: most CSCAs of other countries have them. An elliptic-curve key on any other
  /// curve, named or not, refuses the path (`KnownCurve`).
  static func build(
    from signer: Certificate, anchors: [Certificate]
  ) throws(CryptoError) -> Result {
    let (chain, code) = try verify(signer, anchors, flags: 0) { verdict, context in
      X509_STORE_CTX_get_error(context) == X509_V_ERR_EC_KEY_EXPLICIT_PARAMS ? 1 : verdict
    }
    guard code == X509_V_OK else { return failure(code) }
    // OpenSSL accepts keyUsage for signing certificates alone; Doc 9303-12 §7.1 requires
    // basicConstraints.
    guard chain.dropFirst().allSatisfy({ X509_check_ca($0.handle.pointer) == 1 }) else {
      return failure(X509_V_ERR_INVALID_CA)
    }
    guard chain.allSatisfy({ $0.handle.hasKnownCurve() }) else {
      return .refused(reason: unknownCurve)
    }
    return .path(chain)
  }

  /// Runs OpenSSL's verification for any purpose and without validity periods.
  ///
  /// - Parameters:
  ///   - others: certificates that may be on the path, but are not trusted.
  ///   - callback: may overrule OpenSSL's verdict on one certificate.
  /// - Returns: the path, and the error, or `X509_V_OK`.
  static func verify(
    _ signer: Certificate, _ anchors: [Certificate], through others: [Certificate] = [],
    flags: CInt, _ callback: X509_STORE_CTX_verify_cb? = nil
  ) throws(CryptoError) -> (path: [Certificate], error: CInt) {
    guard let store = X509_STORE_new(), let untrusted = OPENSSL_sk_new_null(),
      let context = X509_STORE_CTX_new()
    else { throw .fromQueue("X509_STORE_new") }
    defer {
      X509_STORE_CTX_free(context)
      X509_STORE_free(store)
      OPENSSL_sk_free(untrusted)
      CryptoError.clearQueue()
    }
    for anchor in anchors {
      guard X509_STORE_add_cert(store, anchor.handle.pointer) == 1 else {
        throw .fromQueue("X509_STORE_add_cert")
      }
    }
    for other in others {
      guard OPENSSL_sk_push(untrusted, UnsafeRawPointer(other.handle.pointer)) > 0 else {
        throw .fromQueue("OPENSSL_sk_push")
      }
    }
    guard X509_STORE_CTX_init(context, store, signer.handle.pointer, untrusted) == 1,
      let parameters = X509_STORE_CTX_get0_param(context),
      X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_ANY) == 1,
      X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_NO_CHECK_TIME | flags)) == 1
    else { throw .fromQueue("X509_STORE_CTX_init") }
    // Any policy is acceptable (user-initial-policy-set, RFC 5280 §6.1.1): without this OpenSSL accepts none.
    guard let anyPolicy = OBJ_nid2obj(NID_any_policy),
      X509_VERIFY_PARAM_add0_policy(parameters, anyPolicy) == 1
    else { throw .fromQueue("X509_VERIFY_PARAM_add0_policy") }
    if let callback { X509_STORE_CTX_set_verify_cb(context, callback) }
    guard X509_verify_cert(context) == 1 else { return ([], X509_STORE_CTX_get_error(context)) }
    let isPolicyChecked = flags & X509_V_FLAG_POLICY_CHECK != 0
    if !isPolicyChecked,
      elements(of: X509_STORE_CTX_get0_chain(context)).contains(where: limitsPolicies)
    {
      return try verify(
        signer, anchors, through: others, flags: flags | X509_V_FLAG_POLICY_CHECK, callback)
    }
    // In the certificates that were given.
    let given = [signer] + anchors + others
    let path = elements(of: X509_STORE_CTX_get0_chain(context)).compactMap { link in
      given.first { $0.handle.pointer == link }
    }
    return (path, X509_V_OK)
  }

  /// True if a certificate has policyConstraints, inhibitAnyPolicy or policyMappings (RFC 5280 §4.2.1.5, §4.2.1.11,
  /// §4.2.1.14). OpenSSL takes these as known when they are critical, but processes them on demand only; policies on a
  /// path without them limit nothing.
  private static func limitsPolicies(_ certificate: OpaquePointer) -> Bool {
    [NID_policy_constraints, NID_inhibit_any_policy, NID_policy_mappings].contains {
      X509_get_ext_by_NID(certificate, $0, -1) >= 0
    }
  }

  /// Checks directly that an anchor issued a signer, for names that differ only in the order of
  /// their attributes: OpenSSL treats these as different names, and states write them in both
  /// orders.
  ///
  /// The checks are those of `build`; the caller must check that the names match and the key is the
  /// right one.
  static func step(
    from signer: Certificate, to anchor: Certificate
  ) throws(CryptoError) -> Result {
    defer { CryptoError.clearQueue() }
    let (leaf, issuer) = (signer.handle, anchor.handle)
    guard X509_check_ca(issuer.pointer) == 1,
      X509_get_key_usage(issuer.pointer) & UInt32(KU_KEY_CERT_SIGN) != 0
    else { return failure(X509_V_ERR_INVALID_CA) }
    for flags in [leaf, issuer].map({ X509_get_extension_flags($0.pointer) }) {
      // Unknown critical extensions, and unreadable extensions.
      if flags & UInt32(EXFLAG_CRITICAL) != 0 {
        return failure(X509_V_ERR_UNHANDLED_CRITICAL_EXTENSION)
      }
      if flags & UInt32(EXFLAG_INVALID) != 0 { return failure(X509_V_ERR_INVALID_EXTENSION) }
    }
    guard leaf.hasKnownCurve(), issuer.hasKnownCurve() else {
      return .refused(reason: unknownCurve)
    }
    return .path([signer, anchor])
  }

  /// Verifies the signature of one certificate with the key of another, and nothing else.
  static func isSigned(
    _ certificate: X509Handle, by issuer: X509Handle
  ) -> Bool {
    defer { CryptoError.clearQueue() }
    if let hash = plainHash(of: certificate) { return isPlainSigned(certificate, hash, by: issuer) }
    guard let key = X509_get0_pubkey(issuer.pointer), RSAPublicKey.isBounded(key) else {
      return false
    }
    return X509_verify(certificate.pointer, key) == 1
  }

  /// The algorithm that a certificate was signed with: its identifier, dotted, and its parsed form
  /// if documents may use it.
  static func signature(
    of certificate: X509Handle
  ) -> (identifier: String, scheme: SignatureAlgorithm?) {
    var algorithm: UnsafePointer<X509_ALGOR>?
    X509_get0_signature(nil, &algorithm, certificate.pointer)
    guard let algorithm else { return ("", nil) }
    let scheme = SignatureAlgorithm(algorithmIdentifier: X509Value.encoding(of: algorithm))
    return (X509Value.dotted(algorithm.pointee.algorithm), scheme == .keyAlone ? nil : scheme)
  }

  private static let unknownCurve = "unknown elliptic curve"

  /// True if a certificate is signed with its own key, as at the end of every chain.
  static func isSelfSigned(_ certificate: X509Handle) -> Bool {
    defer { CryptoError.clearQueue() }
    if plainHash(of: certificate) != nil {
      return names(certificate, asIssuerOf: certificate) && isSigned(certificate, by: certificate)
    }
    return X509_self_signed(certificate.pointer, 1) == 1
  }

  /// True if the certificate's issuer name is the subject of the other one (RFC 5280 §7.1).
  static func names(
    _ issuer: X509Handle, asIssuerOf certificate: X509Handle
  ) -> Bool {
    X509_NAME_cmp(
      X509_get_subject_name(issuer.pointer), X509_get_issuer_name(certificate.pointer)) == 0
  }

  /// True if the key may sign data (keyUsage digitalSignature, or no keyUsage at all; RFC 5280
  /// §4.2.1.3).
  static func maySignData(_ certificate: X509Handle) -> Bool {
    X509_get_key_usage(certificate.pointer) & UInt32(KU_DIGITAL_SIGNATURE) != 0
  }

  /// The purposes of the key (extKeyUsage, RFC 5280 §4.2.1.12), dotted; empty if it is not
  /// restricted.
  ///
  /// - Returns: `nil` if the extension is unreadable or repeated.
  static func purposes(_ certificate: X509Handle) -> [String]? {
    defer { CryptoError.clearQueue() }
    /// OpenSSL's value for "there is no such extension".
    let absent: CInt = -1
    var critical: CInt = 0
    guard let usage = X509_get_ext_d2i(certificate.pointer, NID_ext_key_usage, &critical, nil)
    else { return critical == absent ? [] : nil }
    let stack = OpaquePointer(usage)
    defer { EXTENDED_KEY_USAGE_free(stack) }
    return elements(of: stack).map { X509Value.dotted($0) }
  }

  private static func elements(of chain: OpaquePointer?) -> [OpaquePointer] {
    (0..<max(0, OPENSSL_sk_num(chain))).compactMap { index in
      OPENSSL_sk_value(chain, index).map { OpaquePointer($0) }
    }
  }

  private static func failure(_ code: CInt) -> Result {
    switch code {
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
      X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
      X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_CERT_SIGNATURE_FAILURE:
      return .notIssued
    default:
      return .refused(reason: String(cString: X509_verify_cert_error_string(Int(code))))
    }
  }
}
