internal import COpenSSL

/// The status of a certificate by an authority's signed word: a CRL (`RevocationList`) or an OCSP response (RFC 6960 §4.2).
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
  /// A store in which the issuer is trusted.
  ///
  /// - Parameter time: nil to leave times to the flags.
  static func prepare(
    _ store: OpaquePointer, _ issuer: X509Handle, at time: UTCTime?, _ flags: UInt
  ) -> Bool {
    guard X509_STORE_add_cert(store, issuer.pointer) == 1,
      let parameters = X509_STORE_get0_param(store),
      X509_VERIFY_PARAM_set_flags(parameters, flags | UInt(X509_V_FLAG_PARTIAL_CHAIN)) == 1
    else { return false }
    if let time { X509_VERIFY_PARAM_set_time(parameters, time_t(time.seconds)) }
    return true
  }

  /// Parses an object that is all of the bytes.
  static func parse(
    _ bytes: [UInt8],
    _ parser: (
      UnsafeMutablePointer<OpaquePointer?>?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, Int
    ) -> OpaquePointer?
  ) -> OpaquePointer? {
    var object = TLVCursor(bytes)
    guard (try? object.next(DER.sequence)) != nil, object.isAtEnd else { return nil }
    return parsedPrefix(of: bytes, by: parser)?.object
  }

  /// A request for the status of a certificate, with a nonce (RFC 6960 §4.1, RFC 8954).
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
    let encoded = X509Value.der { i2d_OCSP_REQUEST(request, $0) }
    guard !encoded.isEmpty else { throw .fromQueue("i2d_OCSP_REQUEST") }
    return encoded
  }

  /// The status by an OCSP response that the issuer, a responder certified by it, or a delegate signed.
  ///
  /// - Parameters:
  ///   - response: OCSPResponse.
  ///   - request: if the response has a nonce, it must be that of the request.
  ///   - delegates: others who may answer for the issuer.
  /// - Returns: nil if the response says nothing about the certificate, or not with authority.
  package init?(
    of certificate: Certificate, issuer: Certificate, response: [UInt8], to request: [UInt8]? = nil,
    beside delegates: StatusDelegates = .init()
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
    guard Self.isDER(basic, in: response),
      let produced = OCSP_resp_get0_produced_at(basic).flatMap({ X509Value.time($0) }),
      Self.isSigned(basic, by: issuer.handle, at: produced)
        || delegates.responders.contains(where: {
          $0.maySign(as: .responses, at: produced)
            && Self.isSigned(
              basic, by: $0.certificate.handle, OCSP_NOINTERN | OCSP_NOVERIFY, at: produced)
        }),
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
    let kept = Self.archiveCutoff(of: single)
    guard revokedAt != nil || delegates.isKept(certificate, by: kept, at: thisUpdate) else {
      return nil
    }
  }

  /// The date since whose end certificates stay in the responder's answers (RFC 6960 §4.4.4); nil if it does not say.
  private static func archiveCutoff(of single: OpaquePointer) -> UTCTime? {
    let cutoff = OCSP_SINGLERESP_get1_ext_d2i(single, NID_id_pkix_OCSP_archiveCutoff, nil, nil)?
      .assumingMemoryBound(to: ASN1_TIME.self)
    defer { ASN1_TIME_free(cutoff) }
    return cutoff.flatMap { X509Value.time($0) }
  }

  /// Verifies the signature, and the right of the responder: the issuer itself, or a certificate of it for this purpose
  /// (RFC 6960 §4.2.2.2), valid when the response was made.
  ///
  /// - Parameter flags: those of OpenSSL by which the signature alone is verified, with the authority's key.
  private static func isSigned(
    _ basic: OpaquePointer, by authority: X509Handle, _ flags: CInt = 0, at produced: UTCTime
  ) -> Bool {
    guard let store = X509_STORE_new(), let others = OPENSSL_sk_new_null()
    else { return false }
    defer {
      X509_STORE_free(store)
      OPENSSL_sk_free(others)
    }
    return prepare(store, authority, at: produced, 0)
      && OPENSSL_sk_push(others, UnsafeRawPointer(authority.pointer)) > 0
      && OCSP_basic_verify(basic, others, store, UInt(flags)) == 1 && isWhole(basic, authority)
      && !isWeak(basic, others)
  }

  /// True if the responder's key is too short (`Certificate.hasWeakKey`).
  private static func isWeak(_ basic: OpaquePointer, _ others: OpaquePointer) -> Bool {
    var signer: OpaquePointer?
    guard OCSP_resp_get0_signer(basic, &signer, others) == 1,
      let key = signer.flatMap({ X509_get0_pubkey($0) })
    else { return true }
    return Certificate.isWeak(key)
  }

  /// True if the response is in DER, and its algorithm without parameters of another type than known ones: OpenSSL reads other
  /// tags too, and verifies what it encodes anew.
  private static func isDER(_ basic: OpaquePointer, in response: [UInt8]) -> Bool {
    var type: CInt = 0
    X509_ALGOR_get0(nil, &type, nil, OCSP_resp_get0_tbs_sigalg(basic))
    let encoded = X509Value.der { i2d_OCSP_BASICRESP(basic, $0) }
    return [V_ASN1_UNDEF, V_ASN1_NULL, V_ASN1_SEQUENCE].contains(type) && !encoded.isEmpty
      && response.suffix(encoded.count).elementsEqual(encoded)
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
