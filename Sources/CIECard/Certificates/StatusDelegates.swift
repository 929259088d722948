internal import COpenSSL

/// Signers of revocation answers for whom a third party vouches, as a trusted list does, beside an issuer and the
/// responders that it certified.
///
/// Each is for the certificates of one issuer: RFC 6960 §4.2.2.2 (1) takes a responder by local configuration only with
/// "the set of CAs for which each signing authority is trusted".
package struct StatusDelegates: Sendable {
  /// A signer, known by its certificate.
  package struct Delegate: Sendable {
    let certificate: Certificate
    /// True if it was allowed to sign at a time.
    let isAllowed: @Sendable (UTCTime) -> Bool

    /// - Parameters:
    ///   - certificate: that of the key, which must be valid at the time of an answer.
    ///   - isAllowed: true for the times at which it was allowed to sign.
    package init(_ certificate: Certificate, isAllowed: @escaping @Sendable (UTCTime) -> Bool) {
      (self.certificate, self.isAllowed) = (certificate, isAllowed)
    }
  }

  /// Signers of OCSP responses.
  let responders: [Delegate]
  /// Signers of CRLs.
  let listSigners: [Delegate]
  /// The date since which the issuer's services keep the revocations of certificates that ended, by the third party's
  /// word about a time; nil if they do not.
  let keepsExpired: @Sendable (UTCTime) -> UTCTime?

  /// - Parameters:
  ///   - responders: signers of OCSP responses.
  ///   - listSigners: signers of CRLs.
  ///   - keepsExpired: the date since which ended certificates stay in answers of a time; nil if they do not.
  package init(
    responders: [Delegate] = [], listSigners: [Delegate] = [],
    keepsExpired: @escaping @Sendable (UTCTime) -> UTCTime? = { _ in nil }
  ) {
    (self.responders, self.listSigners) = (responders, listSigners)
    self.keepsExpired = keepsExpired
  }

  /// True if a word that a certificate is not revoked means anything: an authority may forget a certificate after its
  /// end, but for one whose answers keep it (ETSI TS 119 612 §5.5.9.1).
  ///
  /// - Parameters:
  ///   - own: the date since which the answer itself keeps ended certificates; nil if it does not say.
  ///   - time: the time for which the answer speaks.
  func isKept(_ certificate: Certificate, by own: UTCTime?, at time: UTCTime) -> Bool {
    let end = certificate.notAfter
    return time <= end || [own, keepsExpired(time)].contains { $0.map { $0 <= end } ?? false }
  }
}

extension StatusDelegates.Delegate {
  /// True for a delegate whose certificate is valid, is for a use, and has a key that is long enough.
  func maySign(as use: Use, at time: UTCTime) -> Bool {
    guard certificate.isValid(at: time), !certificate.hasWeakKey, isAllowed(time),
      let own = certificate.ownStatements
    else { return false }
    switch use {
    // RFC 6960 §4.2.2.2: id-kp-OCSPSigning; §4.2.2.1 has no bit of keyUsage but those of signatures.
    case .responses:
      return own.extendedKeyUsages.contains("1.3.6.1.5.5.7.3.9")
        && (own.keyUsage.isEmpty || !own.keyUsage.isDisjoint(with: [0, 1]))
    // RFC 5280 §6.3.3 (f): cRLSign.
    case .lists: return own.keyUsage.contains(6)
    }
  }

  /// Uses of a delegate's key.
  enum Use { case responses, lists }
}
