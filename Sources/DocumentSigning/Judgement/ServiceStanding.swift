internal import CIECard

/// The standing of the services with the identity of an issuer at the times that count.
struct ServiceStanding {
  private let services: [TrustedService]
  private let certificate: Certificate
  /// Those of the certificate; nil if they cannot be read.
  private let statements: CertificateStatements?
  private let index: TrustedServices
  private let present: UTCTime

  /// - Parameters:
  ///   - services: those of the issuer; a list may have it more than once, such as before and after a takeover.
  ///   - certificate: that of the signer or of the time stamp.
  init(
    _ services: [TrustedService], of index: TrustedServices, _ certificate: Certificate,
    present: UTCTime
  ) {
    (self.services, self.index, self.certificate) = (services, index, certificate)
    statements = certificate.ownStatements
    self.present = present
  }

  /// A service with its state at a time.
  private typealias State = (service: TrustedService, period: TrustedService.Period)

  /// A signer's certificate must have been issued, and used, while the service was granted (TS 119 615 §4.6); a time stamp
  /// made then (§4.7).
  func finding(
    _ path: [Certificate], as purpose: SignerJudge.Purpose, at time: UTCTime
  ) throws(ServiceIndexError) -> ServiceJudge.Finding {
    switch purpose {
    case .timeStamps:
      let granted = states(.timeStamps, at: time).filter { $0.period.vouches(at: time) }
      guard let state = granted.first else { return .refused(obstacle(.timeStamps, [time])) }
      return .vouched(path, try trustedBy(state, .timeStamp))
    case .signatures:
      let times = [certificate.notBefore, time]
      let all = times.map { time in (time, states(.certificates, at: time)) }
      let granted = all.map { time, states in states.filter { $0.period.vouches(at: time) } }
      if let issuing = granted.first?.first, let signing = granted.last, !signing.isEmpty {
        return .vouched(path, try trustedBy(issuing, qualification(all)))
      }
      // A state recognises some services without qualifying them. Only the time of signing counts, because their earlier
      // states are of another kind.
      let recognised = states(.advancedSignatures, at: time).first { state in
        state.period.status.isRecognised && !state.period.hasUnknownExtension
          && state.period.uses.contains(.signatures)
      }
      if let recognised {
        return .vouched(path, try trustedBy(recognised, .advanced, isNational: true))
      }
      let isQualified = services.contains { $0.periods.contains { $0.kind == .certificates } }
      return .refused(
        isQualified ? obstacle(.certificates, times) : obstacle(.advancedSignatures, [time]))
    }
  }

  /// The states of services of a kind; for certificates those that are about its use, if there are any.
  private func states(_ kind: TrustedService.Kind, at time: UTCTime) -> [State] {
    let states = services.compactMap { service in
      service.period(at: time).flatMap { $0.kind == kind ? State(service, $0) : nil }
    }
    guard kind == .certificates else { return states }
    let concerned = states.filter {
      CertificateQuality.concerns(statements, issued: certificate.notBefore, by: $0.period)
    }
    return concerned.isEmpty ? states : concerned
  }

  private func trustedBy(
    _ state: State, _ qualification: SignatureReport.Qualification, isNational: Bool = false
  ) throws(ServiceIndexError) -> SignatureReport.TrustedBy {
    let list = try index.list(of: state.service)
    return SignatureReport.TrustedBy(
      provider: state.service.provider, service: state.period.name, list: list,
      isListOld: list.isOld(at: present), issued: certificate.notBefore, isNational: isNational,
      qualification: qualification)
  }

  /// The reason why no service counts, at the first of the times at which this is so.
  private func obstacle(
    _ kind: TrustedService.Kind, _ times: [UTCTime]
  ) -> SignatureVerdict.Obstacle {
    for time in times {
      let states = states(kind, at: time)
      if states.contains(where: { $0.period.vouches(at: time) }) { continue }
      if let state = states.first(where: { $0.period.isGranted(at: time) }) {
        return .serviceUnclear(name: state.period.name, list: state.service.territory)
      }
      if let state = states.max(by: { $0.period.start < $1.period.start }) {
        return .serviceNotGranted(
          name: state.period.name, list: state.service.territory,
          status: state.period.status.rawValue, since: state.period.start)
      }
      let later = services.flatMap { service in
        service.periods.filter { $0.kind == kind && $0.start > time }.map { (service, $0) }
      }
      if let state = later.min(by: { $0.1.start < $1.1.start }) {
        return .serviceNotListedYet(
          name: state.1.name, list: state.0.territory, since: state.1.start)
      }
    }
    return .issuerUnknown(certificate.issuer, lists: index.territories)
  }

  /// The quality of the signature, if it is proved (TS 119 615 §4.6).
  ///
  /// - Parameter all: the states of services when the certificate was issued, and when it signed.
  private func qualification(
    _ all: [(time: UTCTime, states: [State])]
  ) -> SignatureReport.Qualification {
    let qualities = all.map { time, states in
      Set(
        states.map { state in
          // A service that is not granted says the contrary of one that is.
          state.period.vouches(at: time)
            ? CertificateQuality(statements, issued: certificate.notBefore, by: state.period)
            : CertificateQuality(withoutService: statements, issued: certificate.notBefore)
        })
    }
    // Several services that disagree prove nothing.
    guard qualities.allSatisfy({ $0.count == 1 }), let issued = qualities.first?.first,
      let signed = qualities.last?.first,
      case .known(let wasQualified, let firstUse, _) = issued,
      case .known(let isQualified, let use, let hasDevice) = signed
    else { return .undetermined }
    let holds = wasQualified && isQualified
    guard !holds || firstUse == use else { return .undetermined }
    switch use {
    case .signatures: return holds ? hasDevice ? .qualifiedSignature : .signature : .advanced
    case .seals: return holds ? hasDevice ? .qualifiedSeal : .seal : .advancedSeal
    case .webSites: return .other
    case nil: return holds ? .undetermined : .other
    }
  }
}

extension TrustedService.Period {
  /// True if the service was granted then, and nothing is unclear about it.
  fileprivate func vouches(at time: UTCTime) -> Bool {
    isGranted(at: time) && !hasUnknownExtension
  }
}
