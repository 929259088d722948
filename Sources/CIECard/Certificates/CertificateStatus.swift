internal import COpenSSL

/// The status of a certificate by an authority's signed word: a CRL (RFC 5280 §5) or an OCSP response (RFC 6960 §4.2).
package struct CertificateStatus: Sendable, Equatable {
  /// The time at which the certificate was revoked; nil if it was not.
  package let revokedAt: UTCTime?
  /// thisUpdate: the status was right at this time.
  package let thisUpdate: UTCTime
  /// nextUpdate: the authority states a newer status by this time; nil if it does not say.
  package let nextUpdate: UTCTime?

  /// Seconds by which clocks may differ.
  package static let tolerance: Int64 = 300

  /// True if the status is about a time, or about a later one.
  package func covers(_ time: UTCTime) -> Bool {
    thisUpdate.seconds >= time.seconds - Self.tolerance
      || nextUpdate.map { $0 >= time } ?? false
  }
}

extension CertificateStatus {
  /// The status by a CRL that the issuer signed.
  ///
  /// OpenSSL checks the CRL's signature, its scope (issuingDistributionPoint), its critical extensions, and the issuer's
  /// right to sign it.
  ///
  /// - Returns: nil if the CRL is not the issuer's, or says nothing about the certificate.
  package init?(of certificate: Certificate, issuer: Certificate, list: [UInt8]) {
    defer { CryptoError.clearQueue() }
    guard let crl = Self.parse(list, d2i_X509_CRL), let lists = OPENSSL_sk_new_null() else {
      return nil
    }
    defer {
      X509_CRL_free(crl)
      OPENSSL_sk_free(lists)
    }
    guard let thisUpdate = X509_CRL_get0_lastUpdate(crl).flatMap({ X509Value.time($0) }),
      let store = X509_STORE_new()
    else { return nil }
    defer { X509_STORE_free(store) }
    guard let context = X509_STORE_CTX_new() else { return nil }
    defer { X509_STORE_CTX_free(context) }
    // At its own time, because whether it is new enough depends on the question.
    guard OPENSSL_sk_push(lists, UnsafeRawPointer(crl)) > 0,
      Self.prepare(store, issuer.handle, at: thisUpdate, UInt(X509_V_FLAG_CRL_CHECK)),
      X509_STORE_CTX_init(context, store, certificate.handle.pointer, nil) == 1
    else { return nil }
    X509_STORE_CTX_set0_crls(context, lists)
    let isVerified = X509_verify_cert(context) == 1
    guard isVerified || X509_STORE_CTX_get_error(context) == X509_V_ERR_CERT_REVOKED else {
      return nil
    }
    var entry: OpaquePointer?
    // 1: revoked; 2: taken off a list on which it was held.
    let isRevoked = X509_CRL_get0_by_cert(crl, &entry, certificate.handle.pointer) == 1
    guard isRevoked != isVerified else { return nil }
    self.thisUpdate = thisUpdate
    nextUpdate = X509_CRL_get0_nextUpdate(crl).flatMap { X509Value.time($0) }
    revokedAt =
      isRevoked
      ? X509_REVOKED_get0_revocationDate(entry).flatMap { X509Value.time($0) } ?? thisUpdate : nil
  }

  /// A store in which the issuer is trusted.
  private static func prepare(
    _ store: OpaquePointer, _ issuer: X509Handle, at time: UTCTime, _ flags: UInt
  ) -> Bool {
    guard X509_STORE_add_cert(store, issuer.pointer) == 1,
      let parameters = X509_STORE_get0_param(store),
      X509_VERIFY_PARAM_set_flags(parameters, flags | UInt(X509_V_FLAG_PARTIAL_CHAIN)) == 1
    else { return false }
    X509_VERIFY_PARAM_set_time(parameters, time_t(time.seconds))
    return true
  }

  /// Parses an object that is all of the bytes.
  private static func parse(
    _ bytes: [UInt8],
    _ parser: (
      UnsafeMutablePointer<OpaquePointer?>?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, Int
    ) -> OpaquePointer?
  ) -> OpaquePointer? {
    var object = TLVCursor(bytes)
    guard (try? object.next(DER.sequence)) != nil, object.isAtEnd else { return nil }
    return bytes.withUnsafeBufferPointer { buffer in
      var cursor = buffer.baseAddress
      return parser(nil, &cursor, buffer.count)
    }
  }
}

extension CertificateStatus {
  /// A request for the status of a certificate, with a nonce (RFC 6960 §4.1, RFC 8954).
  ///
  /// - Throws: `CryptoError`.
  package static func request(
    about certificate: Certificate, issuer: Certificate
  ) throws(CryptoError) -> [UInt8] {
    guard let request = OCSP_REQUEST_new() else { throw .fromQueue("OCSP_REQUEST_new") }
    defer { OCSP_REQUEST_free(request) }
    // SHA-1 names the certificate, which every responder understands (RFC 5019 §2.1.1).
    guard
      let identifier = OCSP_cert_to_id(
        EVP_sha1(), certificate.handle.pointer, issuer.handle.pointer),
      OCSP_request_add0_id(request, identifier) != nil,
      OCSP_request_add1_nonce(request, nil, -1) == 1
    else { throw .fromQueue("OCSP_request_add0_id") }
    let length = i2d_OCSP_REQUEST(request, nil)
    guard length > 0 else { throw .fromQueue("i2d_OCSP_REQUEST") }
    var encoded = [UInt8](repeating: 0, count: Int(length))
    encoded.withUnsafeMutableBufferPointer { buffer in
      var cursor = buffer.baseAddress
      _ = i2d_OCSP_REQUEST(request, &cursor)
    }
    return encoded
  }

  /// The status by an OCSP response that the issuer, or a responder certified by it, signed.
  ///
  /// - Parameters:
  ///   - response: OCSPResponse.
  ///   - request: if the response has a nonce, it must be that of the request.
  /// - Returns: nil if the response says nothing about the certificate, or not with the issuer's authority.
  package init?(
    of certificate: Certificate, issuer: Certificate, response: [UInt8], to request: [UInt8]? = nil
  ) {
    defer { CryptoError.clearQueue() }
    guard let outer = Self.parse(response, d2i_OCSP_RESPONSE) else { return nil }
    defer { OCSP_RESPONSE_free(outer) }
    guard OCSP_response_status(outer) == OCSP_RESPONSE_STATUS_SUCCESSFUL,
      let basic = OCSP_response_get1_basic(outer)
    else { return nil }
    defer { OCSP_BASICRESP_free(basic) }
    if let request {
      guard let asked = Self.parse(request, d2i_OCSP_REQUEST) else { return nil }
      defer { OCSP_REQUEST_free(asked) }
      // 0: another nonce; responders that sign in advance have none (RFC 6960 §4.4.1).
      guard OCSP_check_nonce(asked, basic) != 0 else { return nil }
    }
    guard Self.isSigned(basic, by: issuer.handle),
      let single = Self.single(in: basic, about: certificate.handle, issuer.handle)
    else { return nil }
    var reason: CInt = -1
    var revoked: UnsafeMutablePointer<ASN1_TIME>?
    var this: UnsafeMutablePointer<ASN1_TIME>?
    var next: UnsafeMutablePointer<ASN1_TIME>?
    let status = OCSP_single_get0_status(single, &reason, &revoked, &this, &next)
    guard status == V_OCSP_CERTSTATUS_GOOD || status == V_OCSP_CERTSTATUS_REVOKED,
      let thisUpdate = this.flatMap({ X509Value.time($0) })
    else { return nil }
    self.thisUpdate = thisUpdate
    nextUpdate = next.flatMap { X509Value.time($0) }
    revokedAt =
      status == V_OCSP_CERTSTATUS_REVOKED
      ? revoked.flatMap { X509Value.time($0) } ?? thisUpdate : nil
  }

  /// Verifies the signature, and the right of the responder: the issuer itself, or a certificate of it for this purpose
  /// (RFC 6960 §4.2.2.2), valid when the response was made.
  private static func isSigned(
    _ basic: OpaquePointer, by authority: X509Handle
  ) -> Bool {
    guard let produced = OCSP_resp_get0_produced_at(basic).flatMap({ X509Value.time($0) }),
      let store = X509_STORE_new(), let others = OPENSSL_sk_new_null()
    else { return false }
    defer {
      X509_STORE_free(store)
      OPENSSL_sk_free(others)
    }
    return prepare(store, authority, at: produced, 0)
      && OPENSSL_sk_push(others, UnsafeRawPointer(authority.pointer)) > 0
      && OCSP_basic_verify(basic, others, store, 0) == 1 && isWhole(basic, authority)
  }

  /// True if each certificate inside is the issuer's, or signed by it or another one inside: no signature covers the list.
  private static func isWhole(_ basic: OpaquePointer, _ authority: X509Handle) -> Bool {
    let inside = OCSP_resp_get0_certs(basic)
    let indices = 0..<min(max(0, OPENSSL_sk_num(inside)), 16)
    func certificate(_ index: CInt) -> X509Handle? {
      guard let raw = OPENSSL_sk_value(inside, index) else { return nil }
      return try? X509Handle(sharing: OpaquePointer(raw))
    }
    for index in indices {
      guard let one = certificate(index) else { return false }
      if X509_cmp(one.pointer, authority.pointer) == 0 { continue }
      var isSigned = X509Chain.isSigned(one, by: authority)
      for other in indices where !isSigned {
        guard let issuer = certificate(other) else { return false }
        isSigned = X509Chain.isSigned(one, by: issuer)
      }
      guard isSigned else { return false }
    }
    return true
  }

  /// The part of a response about a certificate, whatever hash names it.
  private static func single(
    in basic: OpaquePointer, about leaf: X509Handle, _ authority: X509Handle
  ) -> OpaquePointer? {
    for index in 0..<min(max(0, OCSP_resp_count(basic)), 64) {
      guard let single = OCSP_resp_get0(basic, index),
        let named = OCSP_SINGLERESP_get0_id(single)
      else { continue }
      var object: OpaquePointer?
      guard OCSP_id_get0_info(nil, &object, nil, nil, named) == 1,
        let hash = EVP_get_digestbyname(OBJ_nid2sn(OBJ_obj2nid(object))),
        let expected = OCSP_cert_to_id(hash, leaf.pointer, authority.pointer)
      else { continue }
      defer { OCSP_CERTID_free(expected) }
      if OCSP_id_cmp(expected, named) == 0 { return single }
    }
    return nil
  }
}
