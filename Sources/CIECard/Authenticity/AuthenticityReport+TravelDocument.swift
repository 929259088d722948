extension AuthenticityReport {
  /// Judges evidence of a travel document (Doc 9303-11 §5, §6). No card is needed: the same
  /// evidence gives the same report.
  ///
  /// - Parameters:
  ///   - evidence: the data read; malformed parts make their points false.
  ///   - trust: the trusted CSCA certificates; without them the chain could not be checked.
  ///   - time: the time of judging.
  ///   - isOfCIE: true if it was read from a card that also has the IAS side of a CIE: then the
  ///     issuing state must be Italy, whatever DG1 says.
  ///   - earliest: if the time is that of a clock, a time that the present cannot precede. Nothing is valid, expired or
  ///     not yet valid by a clock that is before it, or before the issue of a certificate on the path.
  public init(
    judging evidence: Evidence.Document, trust: TrustStore?, at time: UTCTime,
    isOfCIE: Bool = false, notBefore earliest: UTCTime? = nil
  ) {
    side = .travelDocument
    points = Self.heedingMemory {
      Self.points(
        of: evidence, trust: trust, at: JudgementTime(time, notBefore: earliest), isOfCIE: isOfCIE)
    }
  }

  private static func points(
    of evidence: Evidence.Document, trust: TrustStore?, at moment: JudgementTime, isOfCIE: Bool
  ) -> [Point] {
    let time = moment.time
    let signed = SignedFile(evidence.securityObject, knowing: trust)
    let chain = signed.object?.signer.flatMap { trust?.chain(of: $0, at: time) }
    let groups = DataGroup.allCases.filter {
      $0 == .dg1 || evidence.files[$0] != nil || evidence.unread.contains($0)
    }
    let hashes = groups.map { group in
      let verdict = Self.judgeHash(of: evidence.files[group], group, signed.object)
      return Point(
        kind: .dataGroup(group), verdict: verdict,
        remark: evidence.files[group].flatMap { Self.remark(on: group, $0) })
    }
    let judge = TravelDocumentJudge(
      evidence: evidence, object: signed.object, chain: chain, trust: trust, time: time,
      proved: Set(zip(groups, hashes).filter { $1.verdict == .proved }.map { $0.0 }),
      isOfCIE: isOfCIE)
    var points = [
      Self.signature(signed), Self.signerChain(signed, chain),
      Point(kind: .signerDocumentType, verdict: judge.documentType()),
      Point(kind: .signerValidity, verdict: Self.judgeValidity(chain, at: moment)),
      Point(kind: .signerValidityAtIssue, verdict: judge.validityAtIssue()),
    ]
    points += hashes
    points += [
      Point(kind: .chipAuthentication, verdict: judge.chipAuthentication()),
      Point(kind: .activeAuthentication, verdict: judge.activeAuthentication()),
      Point(kind: .announcement, verdict: judge.announcement()),
    ]
    if let information = evidence.mrzInformation {
      points.append(Point(kind: .openedZone, verdict: judge.openedZone(information)))
    }
    points.append(Point(kind: .issuingState, verdict: judge.issuingState()))
    return judge.tellingKnownFaults(in: points)
  }

  /// The remark on a data group, which the State has signed as it is.
  static func remark(on group: DataGroup, _ file: [UInt8]) -> Remark? {
    switch group {
    case .dg1:
      guard let zone = try? MRZ(dataGroup1: file) else { return nil }
      return !zone.wrongCheckDigits.isEmpty ? .checkDigits : zone.hasOddFields ? .oddZone : nil
    case .dg2: return PortraitHeaders.areOdd(in: file) ? .oddPortrait : nil
    case .dg14:
      return (try? SecurityInfos(dataGroup14: file))?.hasOddVersion == true ? .oddVersion : nil
    case .dg3, .dg4, .dg5, .dg6, .dg7, .dg8, .dg9, .dg10, .dg11, .dg12, .dg13, .dg15, .dg16:
      return nil
    }
  }

  /// The hash covers the data object without padding of the file; if a state hashed the padding as
  /// well, that hash is accepted too, because it is signed.
  static func judgeHash(
    of file: [UInt8]?, _ group: DataGroup, _ object: SecurityObject?
  ) -> Verdict {
    guard let file else { return .couldNotCheck(.notRead) }
    var cursor = TLVCursor(file)
    let content: [UInt8]
    do throws(TLVError) { content = [UInt8](try cursor.next(group.tag).encoded) } catch {
      return .false(.malformedFile)
    }
    return judgeHash(of: [content, file], number: group.number, object)
  }
}
