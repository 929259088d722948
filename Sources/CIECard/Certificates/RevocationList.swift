internal import COpenSSL

/// A CRL (RFC 5280 §5), parsed once for several certificates: it may have megabytes.
package final class RevocationList {
  private let pointer: OpaquePointer
  private let thisUpdate: UTCTime
  /// The limit by which it proves nothing about a certificate; nil for a complete list.
  package let limit: Limit?
  private let subjects: Subjects
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
    (limit, subjects) = Self.scope(of: pointer)
  }

  deinit { X509_CRL_free(pointer) }

  /// True if a newer list was due before a time.
  package func isReplaced(at time: UTCTime) -> Bool {
    X509_CRL_get0_nextUpdate(pointer).flatMap { X509Value.time($0) }.map { $0 < time } ?? false
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

  /// The limit and the subjects are judged here; OpenSSL checks the signature, the distribution point, and the issuer's
  /// right to sign a CRL.
  ///
  /// - Returns: nil if the CRL is not the issuer's, or says nothing about the certificate.
  package func status(of certificate: Certificate, issuer: Certificate) -> CertificateStatus? {
    defer { CryptoError.clearQueue() }
    guard limit == nil, isAbout(certificate), isSigned(by: issuer),
      let lists = OPENSSL_sk_new_null()
    else { return nil }
    defer { OPENSSL_sk_free(lists) }
    guard let store = X509_STORE_new() else { return nil }
    defer { X509_STORE_free(store) }
    guard let context = X509_STORE_CTX_new() else { return nil }
    defer { X509_STORE_CTX_free(context) }
    // At its own time, because whether it is new enough depends on the question; of a certificate that is newer than the
    // list, which covers it all the same, at the certificate's beginning.
    let time = max(thisUpdate, certificate.notBefore)
    guard OPENSSL_sk_push(lists, UnsafeRawPointer(pointer)) > 0,
      CertificateStatus.prepare(
        store, issuer.handle, at: time, UInt(X509_V_FLAG_CRL_CHECK)),
      X509_STORE_CTX_init(context, store, certificate.handle.pointer, nil) == 1
    else { return nil }
    X509_STORE_CTX_set0_crls(context, lists)
    let isVerified = X509_verify_cert(context) == 1
    guard isVerified || X509_STORE_CTX_get_error(context) == X509_V_ERR_CERT_REVOKED else {
      return nil
    }
    var entry: OpaquePointer?
    let isRevoked = X509_CRL_get0_by_cert(pointer, &entry, certificate.handle.pointer) == 1
    guard isRevoked != isVerified else { return nil }
    let end = isRevoked ? X509_REVOKED_get0_revocationDate(entry) : nil
    return CertificateStatus(
      revokedAt: isRevoked ? end.flatMap { X509Value.time($0) } ?? thisUpdate : nil,
      thisUpdate: thisUpdate,
      nextUpdate: X509_CRL_get0_nextUpdate(pointer).flatMap { X509Value.time($0) })
  }

  private func isAbout(_ certificate: Certificate) -> Bool {
    let isAuthority = X509_get_extension_flags(certificate.handle.pointer) & UInt32(EXFLAG_CA) != 0
    switch subjects {
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
