internal import CIECard

/// Finds the service of a trusted list that vouches for a certificate (ETSI TS 119 615 §4.3).
struct ServiceJudge: Sendable {
  let services: TrustedServices
  /// The time of judging, by which a list is old.
  let present: UTCTime

  enum Finding {
    /// A path that ends at a certificate of a service which was allowed to issue it.
    case vouched([Certificate], SignatureReport.TrustedBy)
    /// The services that have its issuer were not allowed to, or the index cannot be read.
    case refused(SignatureVerdict.Obstacle)
    case unknown
  }

  /// A certificate that stands for a service: one of the list's, or one of the document with its name and key.
  private struct Anchor {
    let certificate: Certificate
    let service: TrustedService
  }

  /// - Parameters:
  ///   - others: certificates of the document.
  ///   - time: that of a stamp, or the time at which a signature existed.
  func finding(
    for certificate: Certificate, through others: [Certificate], as purpose: SignerJudge.Purpose,
    at time: UTCTime
  ) -> Finding {
    do throws(ServiceIndexError) {
      let anchors = try anchors(for: certificate, others, purpose)
      let ends = anchors.reduce(into: [Certificate]()) { ends, anchor in
        if !ends.contains(anchor.certificate) { ends.append(anchor.certificate) }
      }
      // A renewed certificate is as good as the one before it, so a valid one is preferred.
      let ordered = ends.filter { $0.isValid(at: time) } + ends.filter { !$0.isValid(at: time) }
      for end in ordered.prefix(Self.mostAnchors) {
        guard
          case .found(let path) = CertificationPath(from: certificate, to: [end], through: others)
        else { continue }
        let own = anchors.filter {
          $0.certificate == end || $0.certificate.isOfSameHolder(as: end)
        }.reduce(into: [TrustedService]()) { own, anchor in
          if !own.contains(anchor.service) { own.append(anchor.service) }
        }
        return try ServiceStanding(own, of: services, certificate, present: present)
          .finding(path, as: purpose, at: time)
      }
      return .unknown
    } catch { return .refused(.servicesUnreadable) }
  }

  private static let mostAnchors = 16

  /// The certificates of services that signed the certificate or one on its way up, the nearest first; for a time stamp those
  /// with its own identity, too.
  private func anchors(
    for certificate: Certificate, _ others: [Certificate], _ purpose: SignerJudge.Purpose
  ) throws(ServiceIndexError) -> [Anchor] {
    let kinds = purpose.kinds
    let way = Self.way(from: certificate, others)
    var anchors: [Anchor] = []
    func add(_ service: TrustedService, _ certificates: [Certificate]) {
      guard service.periods.contains(where: { kinds.contains($0.kind) }) else { return }
      anchors += certificates.map { Anchor(certificate: $0, service: service) }
    }
    for (index, one) in way.enumerated() {
      if index > 0 || purpose == .timeStamps {
        for service in try services.services(named: one.subjectHash) {
          // The names in the document are a stranger's: a renewed issuer must have signed itself with the listed key, a time
          // stamper's certificate is bound by its signature.
          let isOwn = service.certificates.contains { listed in
            listed == one
              || listed.isOfSameHolder(as: one) && (index == 0 || one.isSigned(by: listed))
          }
          if isOwn { add(service, [one]) }
        }
        if let digest = one.keyDigest {
          for service in try services.services(withKey: digest) { add(service, [one]) }
        }
      }
      for service in try services.services(named: one.issuerHash) {
        add(service, service.certificates.filter { $0 != one && one.isSigned(by: $0) })
      }
    }
    return anchors
  }

  /// The certificate, and those of the document that may have issued it.
  private static func way(from certificate: Certificate, _ others: [Certificate]) -> [Certificate] {
    var way = [certificate]
    var index = 0
    while index < way.count, way.count < longestWay {
      let one = way[index]
      way += others.filter { !way.contains($0) && $0.subject == one.issuer && one.isSigned(by: $0) }
        .prefix(longestWay - way.count)
      index += 1
    }
    return way
  }

  private static let longestWay = 8

  /// The certificates of the services with the names of issuers, which may have said something about revocations.
  func issuers(of certificates: [Certificate]) -> [Certificate] {
    Set(certificates.prefix(Self.mostNames).map(\.issuerHash)).flatMap { hash in
      ((try? services.services(named: hash)) ?? []).flatMap(\.certificates)
    }
  }

  private static let mostNames = 64
}

extension SignerJudge.Purpose {
  /// The kinds of services that vouch for the purpose.
  var kinds: Set<TrustedService.Kind> {
    switch self {
    case .signatures: [.certificates, .advancedSignatures]
    case .timeStamps: [.timeStamps]
    }
  }
}
