import CIECard

/// The data read from a travel document, and its judgement.
struct DocumentReading: Sendable {
  let access: AccessCode.AccessProtocol
  let evidence: AuthenticityReport.Evidence.Document
  let report: AuthenticityReport
  /// The time of the judgement: now, or the time of a recording.
  let time: UTCTime

  /// Opens the travel document, reads it and judges it.
  ///
  /// - Parameters:
  ///   - groups: the requested groups. The files needed for the proof are read anyway: DG1, DG14, DG15, the signed
  ///     hashes.
  ///   - wantsCommonData: `true` to read the list of groups too, which proves nothing.
  init(
    of card: consuming SessionCard, openedWith access: inout AwaitedAccess,
    groups: Set<DataGroup>, wantsCommonData: Bool, trust: TrustStore?,
    random: inout SessionRandom, in session: Session
  ) throws(Failure) {
    let opening = try access.resolve(in: session)
    let zone = opening.zone
    var document = try card.opened(with: opening, random: &random)
    do throws(CardError) {
      evidence = try document.gatherEvidence(
        groups.union([.dg1]), includingCommonData: wantsCommonData, openedWith: zone,
        random: &random)
    } catch { throw .card(error) }
    self.access = document.access
    report = AuthenticityReport(judging: evidence, trust: trust, at: session.time)
    time = session.time
  }

  /// Every file that was read, in the order of `DocumentFile`.
  var files: [(file: DocumentFile, bytes: [UInt8])] {
    DocumentFile.allCases.compactMap { file in
      let bytes =
        switch file {
        case .cardAccess: evidence.cardAccess
        case .cardSecurity: evidence.cardSecurity
        case .common: evidence.commonData
        case .securityObject: evidence.securityObject
        case .group(let group): evidence.files[group]
        }
      return bytes.map { (file, $0) }
    }
  }
}

extension SessionCard {
  /// Opens the travel document, once; a wrong code that the card answered slowly has a separate error.
  consuming func opened(
    with opening: consuming AwaitedAccess.Opening, random: inout SessionRandom
  ) throws(Failure) -> TravelDocument<SessionChannel> {
    let clock = ContinuousClock()
    let start = clock.now
    do throws(CardError) {
      return try openTravelDocument(with: opening.code, random: &random)
    } catch {
      // PACE itself takes a second, three over a bad link: a card that takes longer has slowed down after wrong codes.
      if case .wrongAccessCode = error.reason, clock.now - start >= .seconds(5) {
        throw .slowAccess(error)
      }
      throw .card(error)
    }
  }
}
