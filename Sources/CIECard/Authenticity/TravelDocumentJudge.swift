/// Judges points beyond signature and hashes: the chip's proofs, and the consistency of the files.
struct TravelDocumentJudge {
  let evidence: AuthenticityReport.Evidence.Document
  let object: SecurityObject?
  let chain: TrustStore.Chain?
  let trust: TrustStore?
  let time: UTCTime
  /// The data groups whose hash matches the signed one.
  let proved: Set<DataGroup>
  /// True if the card also has the IAS side of a CIE.
  let isOfCIE: Bool

  typealias Verdict = AuthenticityReport.Verdict

  /// The validity of the certificates on the day of issue; of several paths, one valid then.
  func validityAtIssue() -> Verdict {
    guard let object, let signer = object.signer, let trust, case .path = chain else {
      return .couldNotCheck(.noChain)
    }
    guard let issue = dateOfIssue(object) else { return .couldNotCheck(.noDateOfIssue) }
    let then = trust.chain(of: signer, at: issue.upperBound)
    return AuthenticityReport.judgeValidity(then, at: issue)
  }

  private func dateOfIssue(_ object: SecurityObject) -> ClosedRange<UTCTime>? {
    let details = file(.dg12).flatMap { try? DataGroup.DocumentDetails(dataGroup12: $0) }
    return details?.dateOfIssue?.seconds ?? object.signingTime.map { $0...$0 }
  }

  /// A data group whose hash matches the signed one.
  private func file(_ group: DataGroup) -> [UInt8]? {
    proved.contains(group) ? evidence.files[group] : nil
  }

  func chipAuthentication() -> Verdict {
    switch evidence.chipAuthentication {
    case .notOffered: .couldNotCheck(.notOffered)
    case .notTried: .couldNotCheck(.notTried)
    case .unsupported: .couldNotCheck(.unsupportedKey)
    case .refused(let status): .couldNotCheck(.refused(status))
    case .channelEnded(let status): .couldNotCheck(.channelEnded(status))
    case .lengthNotCarried: .couldNotCheck(.lengthNotCarried)
    case .failed: .false(.chipKeyWrong)
    case .proved: proved.contains(.dg14) ? .proved : .couldNotCheck(.keyNotProved)
    case .provedByMapping: mapping()
    case .toldByTerminal: .couldNotCheck(.toldByTerminal)
    }
  }

  /// Judges chip-authentication mapping. It proves the key in EF.CardSecurity, whose signer must be
  /// of the issuing state; and the key must be one of DG14, because the chip of one document could
  /// otherwise stand behind the data of another.
  private func mapping() -> Verdict {
    guard let file = evidence.cardSecurity else { return .couldNotCheck(.keyNotProved) }
    do throws(AuthenticityReport.SecurityObjectError) {
      let security = try CardSecurity(file: file)
      switch security.signed.signature {
      case .contentsAltered: return .false(.contentsAltered)
      case .wrong: return .false(.signatureWrong)
      case .unsupported, .noCertificate: return .couldNotCheck(.keyNotProved)
      case .valid:
        return isTrusted(security) && isBound(security) ? .proved : .couldNotCheck(.keyNotProved)
      }
    } catch {
      return .false(.malformedSecurityObject(error))
    }
  }

  /// Verifies signature and issuer. SHA-1 is refused, because no genuine EF.CardSecurity uses it:
  /// mapping is younger.
  private func isTrusted(_ security: CardSecurity) -> Bool {
    guard security.signed.signature == .valid, !security.signed.usesSHA1, let trust, let issuer
    else {
      return false
    }
    let chain = trust.chain(of: security.signer, at: time)
    return AuthenticityReport.judgeState(issuer, chain) == .proved
  }

  /// True if all keys that EF.CardSecurity could refer to are in DG14, which is signed.
  private func isBound(_ security: CardSecurity) -> Bool {
    let signed = file(.dg14).flatMap { try? SecurityInfos(dataGroup14: $0) }
    guard let signed, let mapped = try? SecurityInfos(security.signed.content) else { return false }
    let keys = Self.keys(in: mapped)
    return !keys.isEmpty && keys.isSubset(of: Self.keys(in: signed))
  }

  private static func keys(in infos: SecurityInfos) -> Set<[UInt8]> {
    Set(
      infos.chipAuthenticationKeys.compactMap { key in
        let parsed = try? KeyAgreementPublicKey(subjectPublicKeyInfo: key.subjectPublicKeyInfo)
        return parsed?.publicValue
      })
  }

  func activeAuthentication() -> Verdict {
    guard let key = evidence.files[.dg15] else {
      let isListed = object?.contents.hash(of: DataGroup.dg15.number) != nil
      return .couldNotCheck(isListed ? .notRead : .notOffered)
    }
    guard let challenge = evidence.challenge, let response = evidence.response else {
      return .couldNotCheck(.notTried)
    }
    guard challenge.count >= ActiveAuthentication.challengeLength else {
      return .couldNotCheck(.challengeTooShort)
    }
    let verdict = ActiveAuthentication.verify(
      response, challenge: challenge, dataGroup15: key, signatureAlgorithm: signatureAlgorithm())
    return verdict == .proved && !proved.contains(.dg15) ? .couldNotCheck(.keyNotProved) : verdict
  }

  /// From the ActiveAuthenticationInfo in DG14.
  private func signatureAlgorithm() -> [UInt8]? {
    let infos = file(.dg14).flatMap { try? SecurityInfos(dataGroup14: $0) }?.infos ?? []
    for case .activeAuthentication(let info) in infos { return info.signatureAlgorithm }
    return nil
  }

  /// Compares EF.CardAccess, which is read in clear before key agreement, with its copies in DG14
  /// and EF.CardSecurity (Doc 9303-11 §4.4.1 and §9.2.11). An entry only in the signed copy was
  /// removed by an attacker who wants a weaker protocol. The reverse is accepted, because it is not
  /// known whether every state repeats all entries.
  func announcement() -> Verdict {
    guard let file = evidence.cardAccess else { return .couldNotCheck(.notRead) }
    guard let announced = try? SecurityInfos(file) else { return .false(.malformedFile) }
    let copies = signedInfos().map(\.variantsOfPACE).filter { !$0.isEmpty }
    guard !copies.isEmpty else { return .couldNotCheck(.noCopy) }
    let variants = announced.variantsOfPACE
    let isComplete = copies.allSatisfy { $0.allSatisfy(variants.contains) }
    return isComplete ? .proved : .false(.announcementDiffers)
  }

  private func signedInfos() -> [SecurityInfos] {
    let group = file(.dg14).flatMap { try? SecurityInfos(dataGroup14: $0) }
    let security = evidence.cardSecurity.flatMap { try? CardSecurity(file: $0) }
      .flatMap { isTrusted($0) ? try? SecurityInfos($0.signed.content) : nil }
    return [group, security].compactMap { $0 }
  }

  /// Detects the DG1 of another document, which is possible if an attacker reads one chip and shows
  /// another.
  func openedZone(_ information: MRZ.Information) -> Verdict {
    guard let file = evidence.files[.dg1] else { return .couldNotCheck(.notRead) }
    guard let zone = try? MRZ(dataGroup1: file) else { return .false(.malformedFile) }
    return MRZ.Information(zone) == information ? .proved : .false(.otherZone)
  }

  /// Judges the issuing state in DG1; for a CIE it must be Italy, whether DG1 is signed or not.
  func issuingState() -> Verdict {
    guard let file = evidence.files[.dg1] else { return .couldNotCheck(.notRead) }
    let zone = try? MRZ(dataGroup1: file)
    if let zone, isOfCIE, zone.issuingState != IssuingState.italy {
      return .false(.zoneOfOtherState(zone.issuingState))
    }
    guard proved.contains(.dg1) else {
      return .couldNotCheck(object == nil ? .noChain : .zoneNotProved)
    }
    guard let zone else { return .false(.malformedFile) }
    return AuthenticityReport.judgeState(zone.issuingState, chain)
  }

  /// The issuing state, as far as it is signed.
  private var issuer: String? { zone?.issuingState }

  /// The zone of a DG1 whose hash matches the signed one.
  private var zone: MRZ? { file(.dg1).flatMap { try? MRZ(dataGroup1: $0) } }

  func documentType() -> Verdict {
    AuthenticityReport.judgeDocumentType(
      object, code: zone?.documentCode,
      missing: evidence.files[.dg1] == nil ? .notRead : .zoneNotProved)
  }

  /// Separates faults that the state has published from forgeries. Everything else that files can
  /// prove must be proved.
  func tellingKnownFaults(in points: [AuthenticityReport.Point]) -> [AuthenticityReport.Point] {
    let fault = AuthenticityReport.Kind.dataGroup(.dg12)
    let isOnlyFault = points.allSatisfy { point in
      switch point.kind {
      case fault: point.verdict == .false(.hashDiffers)
      case .signature, .signerChain, .dataGroup, .issuingState: point.verdict == .proved
      default: true
      }
    }
    guard isOnlyFault, let object, let zone, let details = evidence.files[.dg12],
      ProductionFault(zone: zone, details: details, object: object).isPublished
    else { return points }
    return points.map { point in
      point.kind == fault
        ? AuthenticityReport.Point(kind: fault, verdict: .knownFault(.dataGroup12)) : point
    }
  }
}

extension SecurityInfos {
  /// The PACE entries of the set.
  fileprivate var variantsOfPACE: [SecurityInfo] {
    infos.filter { info in
      switch info {
      case .pace, .paceDomainParameter: true
      case .chipAuthentication, .chipAuthenticationPublicKey, .terminalAuthentication,
        .activeAuthentication, .directory, .unknown:
        false
      }
    }
  }
}
