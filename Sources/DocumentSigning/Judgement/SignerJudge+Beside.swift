internal import CIECard
internal import Primitives

/// Judges what stands beside a signature and is not signed: time stamps, evidence of revocations, certificates.
extension SignerJudge {
  /// The verdict on the time stamps of a signature, and the time that they prove.
  ///
  /// An archive time stamp proves when the time stamps existed that it covers: their own certificates had to be valid then.
  func stamp(
    of signer: SignerInfo, in data: SignedData, _ hashing: Hashing
  ) throws(DocumentError) -> (verdict: Verdict, time: UTCTime?)? {
    let judged = [
      CMSObject.timeStampToken, CMSObject.archiveTimeStamp, CMSObject.archiveIndex,
    ]
    if let other = signer.unsignedAttributes.first(where: { !judged.contains($0.type) }) {
      return (.couldNotCheck(.unknownAttribute(CMSObject.dotted(other.type))), nil)
    }
    // Without trusted authorities a stamp proves no time, and harms nothing but when it is damaged.
    guard let found = try provedTime(of: signer, in: data, hashing),
      found.isTrusted || found.verdict != .proved
    else { return nil }
    return (found.verdict, found.time)
  }

  private func provedTime(
    of signer: SignerInfo, in data: SignedData, _ hashing: Hashing
  ) throws(DocumentError) -> TimeStampJudge.Finding? {
    func judge(at time: UTCTime, notBefore earliest: UTCTime? = nil) -> TimeStampJudge {
      TimeStampJudge(
        trust: authorities, services: services, at: time, notBefore: earliest, store)
    }
    var stamps = judge(at: time, notBefore: earliest)
    var result: TimeStampJudge.Finding?
    var archives: [ArchiveTimeStamp] = []
    for encoded in signer.values(of: CMSObject.archiveTimeStamp).prefix(16) {
      do throws(DocumentError) { archives.append(try ArchiveTimeStamp(encoded)) } catch {
        guard case .otherType(let type) = error else {
          return TimeStampJudge.Finding(.false(.malformedTimeStamp))
        }
        return TimeStampJudge.Finding(.couldNotCheck(.unknownAttribute(type)))
      }
    }
    // The newest first, because each proves the time of the older ones.
    for archive in archives.sorted(by: { $0.token.time > $1.token.time }) {
      let found = try verdict(on: archive, by: stamps, for: signer, in: data, hashing)
      guard found.verdict == .proved, let time = found.time else { return found }
      if found.isTrusted || result == nil { result = found }
      if found.isTrusted { stamps = judge(at: min(time, self.time)) }
    }
    guard let token = signer.timeStamp else { return result }
    for archive in archives where try !archive.index.covers(token) {
      stamps = judge(at: time)
    }
    guard let token = try? TimeStampToken(token) else {
      return TimeStampJudge.Finding(.false(.malformedTimeStamp))
    }
    let own = stamps.verdict(token, of: signer.signature)
    // An archive time stamp that is trusted proves a time although nothing vouches for what it covers.
    return own.verdict == .proved && !own.isTrusted ? result ?? own : own
  }

  /// The verdict on an archive time stamp, and its time if it is proved.
  private func verdict(
    on archive: ArchiveTimeStamp, by judge: TimeStampJudge, for signer: SignerInfo,
    in data: SignedData, _ hashing: Hashing
  ) throws(DocumentError) -> TimeStampJudge.Finding {
    guard try archive.index.isComplete(for: signer, in: data) else {
      return TimeStampJudge.Finding(.false(.archiveAltered))
    }
    guard let algorithm = archive.token.algorithm, let content = try hashing(algorithm) else {
      return TimeStampJudge.Finding(.couldNotCheck(.noContents))
    }
    let message = try archive.index.message(for: signer, in: data, content: content)
    return judge.verdict(archive.token, of: message)
  }

  /// The verdict on the revocation of the certificates on a path; nil if no evidence for this time is there
  /// for all of them, and no service was given.
  ///
  /// A revocation disproves a signature that claims a later time, and no other: a time stamp proves that it is not newer
  /// than itself (EN 319 102-1 §5.5.4).
  func revocation(
    on path: Path, in data: SignedData, at time: UTCTime, claiming claimed: UTCTime?,
    asking service: inout AuthorityExchanges?
  ) -> Verdict? {
    guard case .found(let path, _) = path else { return nil }
    func revoked(_ name: Certificate.DistinguishedName, at end: UTCTime) -> Verdict {
      claimed.map { $0 >= end } == true
        ? .false(.revoked(at: end))
        : .couldNotCheck(.revokedSince(end, isAuthority: name != path.first?.subject))
    }
    var evidence = store.evidence
    let known = services.delegates(of: path.dropFirst())
    func delegates(_ issuer: Certificate) -> StatusDelegates {
      known?[issuer] ?? StatusDelegates()
    }
    do throws(DocumentError) {
      let new = try service?.evidence(
        for: path, known: evidence, at: time, beside: delegates)
      if let new { evidence.add(new) }
    } catch {
      if case .revocation(.revoked(let name, at: let end)) = error {
        return revoked(name, at: end)
      }
    }
    for (certificate, issuer) in zip(path, path.dropFirst()) {
      let status = evidence.status(
        of: certificate, issuer: issuer, beside: delegates(issuer))
      if let end = status?.revokedAt, end <= time {
        return revoked(certificate.subject, at: end)
      }
      guard known != nil || evidence.isEmpty else { return .couldNotCheck(.servicesUnreadable) }
      guard status?.covers(time) == true else {
        guard service == nil else {
          return .couldNotCheck(.revocationUnknown(certificate.subject))
        }
        return isWhole(data) ? nil : strayEvidence
      }
    }
    guard isWhole(data) else { return strayEvidence }
    // An anchor alone needs no word.
    return path.count > 1 ? .proved : nil
  }

  /// The verdict on evidence that is not whole: the reason is the limit of a list that is not complete.
  private var strayEvidence: Verdict {
    .couldNotCheck(store.evidence.limit.map(Verdict.Obstacle.init) ?? .strayEvidence)
  }

  /// True if all evidence beside the signature is about certificates of the file or trusted ones; else it was changed, or
  /// proves nothing.
  private func isWhole(_ data: SignedData) -> Bool {
    let evidence = RevocationEvidence(choices: data.revocation)
    return store.isWhole && evidence.choices.count == data.revocation.count
      && concerns(evidence, data.allCertificates)
  }

  /// True if each word is about a certificate that is known.
  func concerns(_ evidence: RevocationEvidence, _ known: [Certificate]) -> Bool {
    let known = known + (trust ?? []) + (authorities ?? [])
    return evidence.isEmpty || evidence.concerns(known)
      || services.map { services in
        evidence.concerns(known + services.issuers(of: known)) {
          (try? services.delegates(of: $0)) ?? StatusDelegates()
        }
      } ?? false
  }

  /// True if one of the certificates has the name of a known issuer that did not sign it: it was changed.
  func hasForged(_ certificates: [Certificate], among known: [Certificate]) -> Bool {
    let all = known + (trust ?? []) + (authorities ?? [])
    return certificates.contains { one in
      let issuers = all.filter { $0.subject == one.issuer }
      return !issuers.isEmpty && !issuers.contains { one.isSigned(by: $0) }
    }
  }

  /// True if a certificate of the file is neither a signer's, which is judged with the signature, nor signed by one that
  /// is known: it was changed, or proves nothing.
  ///
  /// - Parameter known: trusted ones and the path to them; nil without trust, so that an issuer may be missing.
  static func hasStray(_ data: SignedData, known: [Certificate]?) -> Bool {
    let all = (known ?? []) + data.certificates
    return data.certificates.count < data.certificateSet.count
      || data.certificates.contains { one in
        known?.contains(one) != true
          && !data.signers.contains { $0.certificate(among: [one]) != nil }
          && (known != nil || all.contains { $0.subject == one.issuer })
          && !all.contains { one.isSigned(by: $0) }
      }
  }
}

extension SignedData {
  /// The certificates inside, and those of the time stamps beside the signatures.
  var allCertificates: [Certificate] {
    let tokens = signers.flatMap { $0.timeStamps }.compactMap { try? TimeStampToken($0) }
    return certificates + tokens.flatMap { $0.data.certificates }
  }
}
