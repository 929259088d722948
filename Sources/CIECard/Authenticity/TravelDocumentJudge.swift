/// Judges what goes beyond signature and hashes: the chip's proofs, and whether the files agree with one another.
struct TravelDocumentJudge {
  let evidence: TravelDocumentEvidence
  let object: SecurityObject?
  let chain: TrustStore.Chain?
  let trust: TrustStore?
  let time: Int64
  /// The data groups whose hash is the signed one.
  let proved: Set<DataGroup>

  typealias Verdict = AuthenticityReport.Verdict

  /// The certificates on the day of issue; of several paths one in force then.
  func validityAtIssue() -> Verdict {
    guard let object, let trust, case .path = chain else { return .couldNotCheck(.noChain) }
    guard let issue = dateOfIssue(object) else { return .couldNotCheck(.noDateOfIssue) }
    let then = trust.chain(of: object.signer, at: issue.upperBound)
    return AuthenticityReport.judgeValidity(then, at: issue)
  }

  private func dateOfIssue(_ object: SecurityObject) -> ClosedRange<Int64>? {
    let details = file(.dg12).flatMap { try? DocumentDetails(dataGroup12: $0) }
    return details?.dateOfIssue?.seconds ?? object.signingTime.map { $0...$0 }
  }

  /// A data group whose hash is the signed one.
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
    }
  }

  /// The mapping proves the key in EF.CardSecurity, whose signer has to be the state's as well.
  private func mapping() -> Verdict {
    guard let file = evidence.cardSecurity else { return .couldNotCheck(.keyNotProved) }
    do throws(SecurityObjectError) {
      let security = try CardSecurity(file: file)
      switch security.signature {
      case .contentsAltered: return .false(.contentsAltered)
      case .wrong: return .false(.signatureWrong)
      case .unsupported: return .couldNotCheck(.keyNotProved)
      case .valid: return isTrusted(security) ? .proved : .couldNotCheck(.keyNotProved)
      }
    } catch {
      return .false(.malformedSecurityObject(error))
    }
  }

  private func isTrusted(_ security: CardSecurity) -> Bool {
    guard security.signature == .valid, let trust else { return false }
    if case .path = trust.chain(of: security.signer, at: time) { return true }
    return false
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
    return switch verdict {
    case .proved: proved.contains(.dg15) ? .proved : .couldNotCheck(.keyNotProved)
    case .wrong: .false(.answerWrong)
    case .malformedKey: .false(.malformedFile)
    case .unsupported(let name): .couldNotCheck(.unsupportedAlgorithm(name))
    }
  }

  /// Of the ActiveAuthenticationInfo in DG14.
  private func signatureAlgorithm() -> [UInt8]? {
    let infos = file(.dg14).flatMap { try? SecurityInfos(dataGroup14: $0) }?.infos ?? []
    for case .activeAuthentication(let info) in infos { return info.signatureAlgorithm }
    return nil
  }

  /// EF.CardAccess comes in clear before there are keys; DG14 and EF.CardSecurity may repeat it (Doc 9303-11 §4.4.1
  /// and §9.2.11). What the signed copy has and the announcement has not was taken away by somebody who wants a
  /// weaker way; whether every state repeats all of it is not known, so more is no reason.
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
      .flatMap { isTrusted($0) ? try? SecurityInfos($0.securityInfos) : nil }
    return [group, security].compactMap { $0 }
  }

  /// Another document's DG1 is possible when somebody reads one chip and shows another.
  func openedZone(_ information: MRZInformation) -> Verdict {
    guard let file = evidence.files[.dg1] else { return .couldNotCheck(.notRead) }
    guard let zone = try? MRZ(dataGroup1: file) else { return .false(.malformedFile) }
    return MRZInformation(zone) == information ? .proved : .false(.otherZone)
  }

  func issuingState() -> Verdict {
    guard let file = evidence.files[.dg1] else { return .couldNotCheck(.notRead) }
    guard let zone = try? MRZ(dataGroup1: file) else { return .false(.malformedFile) }
    guard case .path(let path) = chain else { return .couldNotCheck(.noChain) }
    let countries = IssuingState.countries(of: zone.issuingState)
    guard !countries.isEmpty else { return .couldNotCheck(.stateUnknown(zone.issuingState)) }
    guard let country = path.last?.subject.country?.uppercased() else {
      return .couldNotCheck(.stateUnknown(""))
    }
    return countries.contains(country)
      ? .proved : .false(.otherState(issuing: zone.issuingState, signing: country))
  }
}

extension SecurityInfos {
  /// What the set says of PACE.
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
