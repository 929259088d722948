internal import COpenSSL

/// The path from any signer's certificate to certificates that a person named (RFC 5280 §6).
package enum CertificationPath: Sendable, Equatable {
  /// The path, from the signer to the anchor; validity periods are not checked.
  case found([Certificate])
  /// Neither an anchor nor an accompanying certificate issued it.
  case issuerUnknown
  /// A certificate has the issuer's name, but did not sign it.
  case notIssued
  /// A rule of X.509 forbids the path; with OpenSSL's reason.
  case refused(reason: String)
  /// A certificate on the path was signed with a refused algorithm; dotted.
  case unsupported(algorithm: String)
  /// OpenSSL could not build the path: the certificates are whole, so it lacked memory.
  case notBuilt(CryptoError)

  /// Builds and verifies a path.
  ///
  /// - Parameters:
  ///   - signer: the certificate at its beginning.
  ///   - anchors: trusted ones; the path may end at one that is not self-signed.
  ///   - others: those that came with the signature; they are not trusted.
  package init(from signer: Certificate, to anchors: [Certificate], through others: [Certificate]) {
    do throws(CryptoError) {
      self = try CryptoError.heedingMemory("certification path") { () throws(CryptoError) in
        try Self.build(signer, anchors, others)
      }
    } catch {
      self = .notBuilt(error)
    }
  }

  /// Maximum number of further paths: a hostile file may have any number of certificates of one name.
  private static let mostAlternatives = 16

  /// OpenSSL follows one path and never turns back: where several certificates have one name, as those of an authority under two
  /// roots, a path that fails is tried again with each of them alone.
  private static func build(
    _ signer: Certificate, _ anchors: [Certificate], _ others: [Certificate]
  ) throws(CryptoError) -> CertificationPath {
    let first = try attempt(signer, anchors, others)
    if case .found = first { return first }
    for chosen in namesakes(others).prefix(mostAlternatives) {
      let fewer = others.filter { $0.subject != chosen.subject || $0 == chosen }
      let next = try attempt(signer, anchors, fewer)
      if case .found = next { return next }
    }
    return first
  }

  /// The certificates whose name another one has as well.
  private static func namesakes(_ others: [Certificate]) -> [Certificate] {
    let bySubject = Dictionary(grouping: Set(others), by: \.subject)
    return others.filter { bySubject[$0.subject].map { $0.count > 1 } ?? false }
  }

  private static func attempt(
    _ signer: Certificate, _ anchors: [Certificate], _ others: [Certificate]
  ) throws(CryptoError) -> CertificationPath {
    let (path, code) = try X509Chain.verify(
      signer, anchors, through: others, flags: X509_V_FLAG_PARTIAL_CHAIN)
    return code == X509_V_OK ? judge(path) : failure(code)
  }

  private static func judge(_ path: [Certificate]) -> CertificationPath {
    for (index, handle) in path.map(\.handle).enumerated() {
      // OpenSSL accepts keyUsage for signing certificates alone.
      guard index == 0 || X509_check_ca(handle.pointer) == 1 else {
        return failure(X509_V_ERR_INVALID_CA)
      }
      guard handle.hasKnownCurve() else { return .refused(reason: "unknown elliptic curve") }
      let (algorithm, scheme) = X509Chain.signature(of: handle)
      if index < path.count - 1, scheme?.usesSHA1(digest: nil) ?? true {
        return .unsupported(algorithm: algorithm)
      }
    }
    return .found(path)
  }

  private static func failure(_ code: CInt) -> CertificationPath {
    switch code {
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
      X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
      X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
      .issuerUnknown
    case X509_V_ERR_CERT_SIGNATURE_FAILURE: .notIssued
    default: .refused(reason: String(cString: X509_verify_cert_error_string(Int(code))))
    }
  }
}

extension Certificate {
  /// True if the issuer's key signed it; nothing else is checked.
  package func isSigned(by issuer: Certificate) -> Bool {
    X509Chain.isSigned(handle, by: issuer.handle)
  }

  /// Uses of a key that concern signatures of documents (keyUsage, RFC 5280 §4.2.1.3).
  package struct SigningUses: Sendable, Equatable {
    /// digitalSignature, or no restriction at all.
    package let signs: Bool
    /// nonRepudiation, or no restriction at all.
    package let commits: Bool
    /// timeStamping, critical, and nothing else (extKeyUsage; RFC 3161 §2.3).
    package let stamps: Bool
    /// timeStamping or OCSPSigning, and nothing else: not for documents.
    package let isForServices: Bool
  }

  /// The uses of the certified key.
  package var signingUses: SigningUses {
    let pointer = handle.pointer
    let usage = X509_get_key_usage(pointer)
    return SigningUses(
      signs: usage & UInt32(KU_DIGITAL_SIGNATURE) != 0,
      commits: usage & UInt32(KU_NON_REPUDIATION) != 0,
      stamps: X509_get_extended_key_usage(pointer) == UInt32(XKU_TIMESTAMP)
        && X509_EXTENSION_get_critical(
          X509_get_ext(pointer, X509_get_ext_by_NID(pointer, NID_ext_key_usage, -1))) == 1,
      isForServices: isForServices
    )
  }

  /// True if extKeyUsage has no purpose but timeStamping and OCSPSigning (RFC 5280 §4.2.1.12).
  private var isForServices: Bool {
    defer { CryptoError.clearQueue() }
    guard let raw = X509_get_ext_d2i(handle.pointer, NID_ext_key_usage, nil, nil) else {
      return false
    }
    let purposes = OpaquePointer(raw)
    defer {
      while let purpose = OPENSSL_sk_pop(purposes) { ASN1_OBJECT_free(OpaquePointer(purpose)) }
      OPENSSL_sk_free(purposes)
    }
    return (0..<OPENSSL_sk_num(purposes)).allSatisfy { index in
      let purpose = OBJ_obj2nid(OPENSSL_sk_value(purposes, index).map { OpaquePointer($0) })
      return [NID_time_stamp, NID_OCSP_sign].contains(purpose)
    }
  }
}
