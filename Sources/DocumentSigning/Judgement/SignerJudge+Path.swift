internal import CIECard

/// Judges the path from a signer's certificate to a trusted one.
extension SignerJudge {
  /// A path to a trusted certificate, or the verdict on the lack of one.
  enum Path {
    case found([Certificate], by: SignatureReport.TrustedBy?)
    case missing(Verdict)

    var verdict: Verdict {
      switch self {
      case .found: .proved
      case .missing(let verdict): verdict
      }
    }

    var trustedBy: SignatureReport.TrustedBy? {
      if case .found(_, let service) = self { service } else { nil }
    }

    func validity(at time: UTCTime, notBefore earliest: UTCTime?) -> Verdict {
      guard case .found(let path, _) = self else { return .couldNotCheck(.noChain) }
      let moment = JudgementTime(time, notBefore: earliest)
      if let issued = moment.isBefore(path.map(\.notBefore)) {
        return .couldNotCheck(.clockEarly(issued: issued))
      }
      if let late = path.first(where: { $0.notBefore > time }) {
        return .couldNotCheck(.notYetValid(notBefore: late.notBefore))
      }
      if let past = path.first(where: { $0.notAfter < time }) {
        return .couldNotCheck(.expired(notAfter: past.notAfter))
      }
      return .proved
    }
  }

  /// - Parameter moment: the time at which services of trusted lists must have been allowed to do what they did.
  func path(
    from certificate: Certificate?, _ data: SignedData, at moment: UTCTime,
    asking service: inout AuthorityExchanges?
  ) -> Path {
    guard let certificate else { return .missing(.couldNotCheck(.noCertificate)) }
    let uses = certificate.signingUses
    switch purpose {
    case .signatures:
      guard uses.signs || uses.commits, !uses.isForServices else {
        return .missing(.couldNotCheck(.notASigner))
      }
    case .timeStamps: guard uses.stamps else { return .missing(.couldNotCheck(.notATimeStamper)) }
    }
    guard !certificate.hasRecoverableKey else { return .missing(.couldNotCheck(.recoverableKey)) }
    guard trust != nil || services != nil else { return .missing(.couldNotCheck(.noTrustStore)) }
    var others = data.certificates + store.certificates
    var found = services?.finding(for: certificate, through: others, as: purpose, at: moment)
    if found?.needsMore(beside: trust) ?? true {
      // Without an answer, the verdict on the path names the missing certificate.
      let more = (try? service?.path(from: certificate, to: trust, through: others)) ?? []
      others += more
      if let services, !more.isEmpty {
        found = services.finding(for: certificate, through: others, as: purpose, at: moment)
      }
    }
    let own = path(from: certificate, data, others)
    switch found {
    case nil, .unknown?: return own
    case .vouched(let path, let service)?:
      if case .found(let path, _) = own { return .found(path, by: service) }
      return checked(path, data, by: service)
    case .refused(let obstacle)?:
      if case .found = own { return own }
      return .missing(.couldNotCheck(obstacle))
    }
  }

  /// The path to a certificate that a person trusts.
  private func path(
    from certificate: Certificate, _ data: SignedData, _ others: [Certificate]
  ) -> Path {
    switch CertificationPath(from: certificate, to: trust ?? [], through: others) {
    case .found(let path): return checked(path, data, by: nil)
    case .issuerUnknown:
      let lists = services?.services.territories ?? []
      return .missing(.couldNotCheck(.issuerUnknown(certificate.issuer, lists: lists)))
    case .notIssued: return .missing(.false(.notIssued))
    case .refused(let reason): return .missing(.couldNotCheck(.chainRefused(reason: reason)))
    case .unsupported(let algorithm):
      return .missing(.couldNotCheck(.unsupportedAlgorithm(algorithm)))
    case .notBuilt: return .missing(.couldNotCheck(.noMemory))
    }
  }

  private func checked(
    _ path: [Certificate], _ data: SignedData, by service: SignatureReport.TrustedBy?
  ) -> Path {
    if path.contains(where: { $0.hasRecoverableKey }) {
      return .missing(.couldNotCheck(.recoverableKey))
    }
    if let weak = path.first(where: { $0.hasWeakKey }) {
      return .missing(.couldNotCheck(.weakKey(weak.subject)))
    }
    return Self.hasStray(data, known: path + (trust ?? []))
      ? .missing(.couldNotCheck(.strayCertificate)) : .found(path, by: service)
  }
}

extension ServiceJudge.Finding {
  /// True if missing issuers may change it.
  fileprivate func needsMore(beside trust: [Certificate]?) -> Bool {
    switch self {
    case .vouched: false
    case .refused: trust != nil
    case .unknown: true
    }
  }
}
