public import CIECard
internal import Primitives

/// The services of issuers at the addresses in their certificates: issuers' certificates, OCSP and CRLs (RFC 5280
/// §4.2.1.13, §4.2.2.1).
///
/// All addresses are asked in turn until one has a usable answer. The exchanges are the caller's, see `AuthorityExchanges`.
public struct RevocationService: Sendable {
  /// Limits for one file, whose certificates may be anybody's and name any addresses.
  public struct Budget: Sendable, Equatable {
    /// Number of requests.
    public var requests = 32
    /// Time from the first request on, after which no further one is begun.
    public var time = Duration.seconds(120)
    /// Number of bytes of all answers, after which no further request is begun.
    public var length = 64 << 20

    /// 32 requests, two minutes, 64 MiB.
    public init() {}
  }

  let time: UTCTime
  let budget: Budget

  /// - Parameters:
  ///   - time: the time of asking.
  ///   - budget: limits of requests.
  public init(at time: UTCTime = .now, budget: Budget = Budget()) {
    (self.time, self.budget) = (time, budget)
  }
}

extension AuthorityExchanges {
  /// The issuers that are missing between a certificate and its anchors, by the addresses in the certificates.
  ///
  /// - Parameter anchors: trusted ones; nil to end at any that is self-signed.
  /// - Returns: the path, from the certificate to the anchor.
  mutating func path(
    from certificate: Certificate, to anchors: [Certificate]?, through others: [Certificate]
  ) throws(DocumentError) -> [Certificate] {
    var others = others
    for _ in 0..<Self.longestPath {
      let ends = anchors ?? others.filter { $0.subject == $0.issuer }
      switch CertificationPath(from: certificate, to: ends, through: others) {
      case .found(let path): return path
      case .issuerUnknown, .notIssued:
        let last = Self.end(of: certificate, others)
        let found = try issuers(of: last).filter { !others.contains($0) }
        guard !found.isEmpty else { throw .revocation(.issuerUnknown(last.issuer)) }
        others += found
      case .refused, .unsupported: throw .revocation(.noPath(certificate.subject))
      case .notBuilt(let error): throw .crypto(error)
      }
    }
    throw .revocation(.noPath(certificate.subject))
  }

  private static let longestPath = 8

  /// The last certificate on the way up whose issuer is not known.
  private static func end(of certificate: Certificate, _ others: [Certificate]) -> Certificate {
    var last = certificate
    for _ in 0..<longestPath {
      guard
        let issuer = others.first(where: {
          $0.subject == last.issuer && $0 != last && last.isSigned(by: $0)
        })
      else {
        break
      }
      last = issuer
    }
    return last
  }

  /// The certificates of the first answer that has the issuer's, rather a valid one.
  ///
  /// - Throws: `unreachable` without any answer of an address.
  private mutating func issuers(of certificate: Certificate) throws(DocumentError) -> [Certificate]
  {
    guard certificate.subject != certificate.issuer else { return [] }
    var expired: [Certificate] = []
    var isUnreachable = false
    for address in certificate.addresses.issuers {
      guard let body = body(from: address).map(AuthorityBody.init) else {
        isUnreachable = true
        continue
      }
      let found = body.certificates
      let issuer = found.filter { $0.subject == certificate.issuer && certificate.isSigned(by: $0) }
      if issuer.contains(where: { $0.isValid(at: time) }) {
        note(.taken, at: address)
        return found
      }
      note(
        found.isEmpty ? body.obstacle : issuer.isEmpty ? .unfit : .outdated, at: address)
      if expired.isEmpty, !issuer.isEmpty { expired = found }
    }
    guard !expired.isEmpty || !isUnreachable else { throw .revocation(unreachable) }
    return expired
  }

  /// The evidence for each certificate of a path but the anchor.
  ///
  /// - Parameters:
  ///   - time: the time for which it must speak.
  ///   - delegates: others who may answer for an issuer.
  mutating func evidence(
    for path: [Certificate], known: RevocationEvidence, at time: UTCTime,
    beside delegates: (Certificate) -> StatusDelegates = { _ in StatusDelegates() }
  ) throws(DocumentError) -> RevocationEvidence {
    var evidence = RevocationEvidence()
    for (certificate, issuer) in zip(path, path.dropFirst()) {
      let delegates = delegates(issuer)
      var status = known.status(of: certificate, issuer: issuer, beside: delegates)
      if status.map({ !$0.covers(time) }) ?? true {
        status = try ask(about: certificate, issuer, delegates, at: time, &evidence)
        guard status != nil else { throw .revocation(.noAnswer(certificate.subject)) }
      }
      if let end = status?.revokedAt, end <= time {
        throw .revocation(.revoked(certificate.subject, at: end))
      }
    }
    return evidence
  }

  /// Asks the responders first, because their answers are newer and smaller than CRLs.
  private mutating func ask(
    about certificate: Certificate, _ issuer: Certificate, _ delegates: StatusDelegates,
    at time: UTCTime, _ evidence: inout RevocationEvidence
  ) throws(DocumentError) -> CertificateStatus? {
    let addresses = certificate.addresses
    guard !addresses.responders.isEmpty || !addresses.lists.isEmpty else {
      throw .revocation(.noAddress(certificate.subject))
    }
    let before = answers.count
    for url in addresses.responders {
      let request = try mapError(
        try CertificateStatus.request(about: certificate, issuer: issuer), DocumentError.crypto)
      guard let (asked, body) = body(of: .post(url: url, body: request)),
        case .post(_, let request) = asked
      else { continue }
      let found = usable(body, of: url, at: time) { response in
        CertificateStatus(
          of: certificate, issuer: issuer, response: response, to: request, beside: delegates)
      }
      guard let found else { continue }
      evidence.responses.append(found.object)
      return found.status
    }
    for url in addresses.lists {
      guard let body = body(from: url) else { continue }
      let found = usable(body, of: url, at: time) { list in
        RevocationList(list)?.status(of: certificate, issuer: issuer, beside: delegates)
      }
      guard let found else { continue }
      evidence.lists.append(found.object)
      return found.status
    }
    let isUnreachable = answers.dropFirst(before).contains { answer in
      if case .failed = answer.outcome { true } else { false }
    }
    guard !isUnreachable else { throw .revocation(unreachable) }
    return nil
  }

  /// The usable word in an answer; nil without one.
  private mutating func usable(
    _ answer: [UInt8], of address: String, at time: UTCTime,
    reading: ([UInt8]) -> CertificateStatus?
  ) -> (status: CertificateStatus, object: [UInt8])? {
    let body = AuthorityBody(answer)
    var outcome = body.objects.isEmpty ? body.obstacle : .unfit
    if body.objects.contains(where: { RevocationList($0)?.isReplaced(at: self.time) == true }) {
      outcome = .outdated
    }
    for object in body.objects {
      guard let status = reading(object) else { continue }
      guard status.covers(time), isFresh(status) else {
        outcome = .outdated
        continue
      }
      note(.taken, at: address)
      return (status, object)
    }
    note(outcome, at: address)
    return nil
  }

  /// Neither from the future, but for the clocks' difference, nor replaced by a newer one.
  private func isFresh(_ status: CertificateStatus) -> Bool {
    status.thisUpdate.seconds <= time.seconds + CertificateStatus.tolerance
      && status.nextUpdate.map { $0 >= time } ?? true
  }
}
