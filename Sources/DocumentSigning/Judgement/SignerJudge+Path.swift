internal import CIECard

/// Judges the path from a signer's certificate to a trusted one.
extension SignerJudge {
  /// A path to a trusted certificate, or the verdict on the lack of one.
  enum Path {
    case found([Certificate])
    case missing(Verdict)

    var verdict: Verdict {
      switch self {
      case .found: .proved
      case .missing(let verdict): verdict
      }
    }

    func validity(at time: UTCTime, notBefore earliest: UTCTime?) -> Verdict {
      guard case .found(let path) = self else { return .couldNotCheck(.noChain) }
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

  func path(
    from certificate: Certificate?, _ data: SignedData, asking service: inout AuthorityExchanges?
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
    guard let trust else { return .missing(.couldNotCheck(.noTrustStore)) }
    var others = data.certificates + store.certificates
    // Without an answer, the verdict on the path names the missing certificate.
    others += (try? service?.path(from: certificate, to: trust, through: others)) ?? []
    switch CertificationPath(from: certificate, to: trust, through: others) {
    case .found(let path) where path.contains { $0.hasRecoverableKey }:
      return .missing(.couldNotCheck(.recoverableKey))
    case .found(let path):
      if let weak = path.first(where: { $0.hasWeakKey }) {
        return .missing(.couldNotCheck(.weakKey(weak.subject)))
      }
      return Self.hasStray(data, known: path + trust)
        ? .missing(.couldNotCheck(.strayCertificate)) : .found(path)
    case .issuerUnknown: return .missing(.couldNotCheck(.issuerUnknown(certificate.issuer)))
    case .notIssued: return .missing(.false(.notIssued))
    case .refused(let reason): return .missing(.couldNotCheck(.chainRefused(reason: reason)))
    case .unsupported(let algorithm):
      return .missing(.couldNotCheck(.unsupportedAlgorithm(algorithm)))
    case .notBuilt: return .missing(.couldNotCheck(.noMemory))
    }
  }
}
