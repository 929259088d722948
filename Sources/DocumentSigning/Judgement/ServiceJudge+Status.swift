internal import CIECard

/// The services of trusted lists that speak about revocations, for the judgement of their answers.
extension ServiceJudge {
  /// The services that may answer for an issuer, and the date since which its own keep ended certificates.
  ///
  /// They are those of the issuer's own provider on the same list: TS 119 612 and TS 119 615 leave that open, and EN
  /// 319 102-1 to policy, but a provider answers for its own certificates, and a state vouches for its own providers. A
  /// service of another provider or state could else revoke a certificate, or call it good.
  ///
  /// - Throws: for an index that cannot be read: one of them may have revoked the certificate.
  func delegates(of issuer: Certificate) throws(ServiceIndexError) -> StatusDelegates {
    let own = try services.services(of: issuer)
    guard !own.isEmpty else { return StatusDelegates() }
    let providers = own.reduce(into: [TrustedService]()) { providers, service in
      if !providers.contains(where: service.isOfSameProvider) { providers.append(service) }
    }
    var beside: [TrustedService] = []
    for provider in providers { beside += try services.statusServices(beside: provider) }
    return StatusDelegates(
      responders: Self.delegates(beside, [.statusAnswers, .otherStatusAnswers]),
      listSigners: Self.delegates(beside, [.statusLists, .otherStatusLists]),
      keepsExpired: { time in
        let states = own.compactMap { $0.period(at: time) }.filter { state in
          SignerJudge.Purpose.signatures.kinds.contains(state.kind) && state.speaks(at: time)
        }
        // All of them must say so.
        let dates = states.compactMap(\.keepsExpiredSince)
        return dates.count == states.count ? dates.max() : nil
      })
  }

  private static func delegates(
    _ services: [TrustedService], _ kinds: Set<TrustedService.Kind>
  ) -> [StatusDelegates.Delegate] {
    services.filter { $0.periods.contains { kinds.contains($0.kind) } }.flatMap { service in
      service.certificates.map { certificate in
        StatusDelegates.Delegate(certificate) { time in
          service.period(at: time).map { kinds.contains($0.kind) && $0.speaks(at: time) } ?? false
        }
      }
    }
  }
}

extension ServiceJudge? {
  /// The same for some issuers, without any if there are no trusted lists.
  ///
  /// - Returns: nil if the index cannot be read.
  func delegates(of issuers: some Sequence<Certificate>) -> [Certificate: StatusDelegates]? {
    guard let self else { return [:] }
    return try? issuers.reduce(into: [:]) { known, issuer in
      known[issuer] = try self.delegates(of: issuer)
    }
  }
}

extension TrustedService.Period {
  /// True if the service was granted at a time, or recognised as one that is not qualified, and nothing is unclear
  /// about it.
  fileprivate func speaks(at time: UTCTime) -> Bool {
    (isGranted(at: time) || !kind.isQualified && status.isRecognised) && !hasUnknownExtension
  }
}
