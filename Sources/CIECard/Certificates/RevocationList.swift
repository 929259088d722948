internal import COpenSSL

/// A CRL (RFC 5280 §5), parsed once for several certificates: it may have megabytes.
package final class RevocationList {
  private let pointer: OpaquePointer
  private let thisUpdate: UTCTime
  private let nextUpdate: UTCTime?
  private let scope: Scope
  /// The limit by which it proves nothing about a certificate; nil for a complete list.
  package var limit: Limit? { scope.limit }
  /// The issuers that were asked about, and whether the signature is theirs.
  private var signers: [(issuer: Certificate, isSigner: Bool)] = []

  /// - Returns: nil if the bytes are no CRL.
  package init?(_ encoded: [UInt8]) {
    defer { CryptoError.clearQueue() }
    guard (try? Self.hasOneAlgorithm(encoded)) == true,
      let pointer = CertificateStatus.parse(encoded, d2i_X509_CRL)
    else { return nil }
    guard let time = X509_CRL_get0_lastUpdate(pointer).flatMap({ X509Value.time($0) }) else {
      X509_CRL_free(pointer)
      return nil
    }
    (self.pointer, thisUpdate) = (pointer, time)
    nextUpdate = X509_CRL_get0_nextUpdate(pointer).flatMap { X509Value.time($0) }
    scope = Self.scope(of: pointer)
  }

  deinit { X509_CRL_free(pointer) }

  /// True if a newer list was due before a time.
  package func isReplaced(at time: UTCTime) -> Bool {
    nextUpdate.map { $0 < time } ?? false
  }

  /// True if the algorithm beside the signed part is the one inside (RFC 5280 §5.1.1.2): OpenSSL compares those of
  /// certificates only.
  private static func hasOneAlgorithm(_ list: [UInt8]) throws(TLVError) -> Bool {
    var outer = TLVCursor(list)
    var fields = try outer.next(DER.sequence).contents
    var signed = try fields.next(DER.sequence).contents
    var inside = try signed.next()
    if inside.tag == DER.integer { inside = try signed.next() }
    return try fields.next().encoded == inside.encoded
  }

  /// The status by this list, which the issuer or a delegate signed.
  ///
  /// - Parameter delegates: others who may list revoked certificates for the issuer, in its name.
  /// - Returns: nil if the CRL is neither's, or says nothing about the certificate.
  package func status(
    of certificate: Certificate, issuer: Certificate, beside delegates: StatusDelegates = .init()
  ) -> CertificateStatus? {
    defer { CryptoError.clearQueue() }
    guard limit == nil, isAbout(certificate) else { return nil }
    var entry: OpaquePointer?
    let isRevoked = X509_CRL_get0_by_cert(pointer, &entry, certificate.handle.pointer) == 1
    guard isRevoked || delegates.isKept(certificate, by: scope.keepsExpired, at: thisUpdate),
      isVerified(for: certificate, by: issuer, isRevoked)
        || isSigned(for: certificate, by: delegates)
    else { return nil }
    let end = isRevoked ? X509_REVOKED_get0_revocationDate(entry) : nil
    return CertificateStatus(
      revokedAt: isRevoked ? end.flatMap { X509Value.time($0) } ?? thisUpdate : nil,
      thisUpdate: thisUpdate, nextUpdate: nextUpdate)
  }

  /// OpenSSL checks the signature, the distribution point, and the issuer's right to sign a CRL; the limit and the
  /// subjects are judged here.
  private func isVerified(
    for certificate: Certificate, by issuer: Certificate, _ isRevoked: Bool
  ) -> Bool {
    guard isSigned(by: issuer), let lists = OPENSSL_sk_new_null() else { return false }
    defer { OPENSSL_sk_free(lists) }
    guard let store = X509_STORE_new() else { return false }
    defer { X509_STORE_free(store) }
    guard let context = X509_STORE_CTX_new() else { return false }
    defer { X509_STORE_CTX_free(context) }
    // At its own time, because whether it is new enough depends on the question; of a certificate that is newer than
    // the list, which covers it all the same, at the certificate's beginning. One that has ended by then may be in it,
    // so that OpenSSL does not look at times.
    let time = max(thisUpdate, certificate.notBefore)
    guard issuer.isValid(at: time), !isReplaced(at: time),
      OPENSSL_sk_push(lists, UnsafeRawPointer(pointer)) > 0,
      CertificateStatus.prepare(
        store, issuer.handle, at: nil, UInt(X509_V_FLAG_CRL_CHECK | X509_V_FLAG_NO_CHECK_TIME)),
      X509_STORE_CTX_init(context, store, certificate.handle.pointer, nil) == 1
    else { return false }
    X509_STORE_CTX_set0_crls(context, lists)
    return X509_verify_cert(context) == 1
      ? !isRevoked : isRevoked && X509_STORE_CTX_get_error(context) == X509_V_ERR_CERT_REVOKED
  }

  /// True for a list that a delegate signed in the issuer's name: of another name it would be an indirect one (RFC 5280
  /// §5.2.5), and its serial numbers those of others. One that names a distribution point may be a part.
  private func isSigned(for certificate: Certificate, by delegates: StatusDelegates) -> Bool {
    guard let name = X509_CRL_get_issuer(pointer), !scope.hasPoint,
      X509_NAME_cmp(name, X509_get_issuer_name(certificate.handle.pointer)) == 0
    else { return false }
    return delegates.listSigners.contains { delegate in
      X509_NAME_cmp(name, X509_get_subject_name(delegate.certificate.handle.pointer)) == 0
        && delegate.maySign(as: .lists, at: thisUpdate) && isSigned(by: delegate.certificate)
    }
  }

  private func isAbout(_ certificate: Certificate) -> Bool {
    let isAuthority = X509_get_extension_flags(certificate.handle.pointer) & UInt32(EXFLAG_CA) != 0
    switch scope.subjects {
    case .all: return true
    case .users: return !isAuthority
    case .authorities: return isAuthority
    case .none: return false
    }
  }

  /// Looked for once with each issuer, because all of the CRL is hashed for it.
  private func isSigned(by issuer: Certificate) -> Bool {
    if let known = signers.first(where: { $0.issuer == issuer }) { return known.isSigner }
    let isSigner = X509_CRL_verify(pointer, X509_get0_pubkey(issuer.handle.pointer)) == 1
    signers.append((issuer, isSigner))
    return isSigner
  }
}
