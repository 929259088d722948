import CIECard

/// Opens the travel document, reads it and judges it.
struct DocumentJob: CardJob, ~Copyable {
  var access: AwaitedAccess
  /// What is wanted. What the proof takes besides is read anyway: DG1, DG14, DG15, the signed hashes.
  let groups: Set<DataGroup>
  /// Whether the list of groups is read too, which proves nothing.
  let wantsCommonData: Bool
  let trust: TrustStore?

  /// What was read.
  struct Reading: Sendable {
    let access: AccessCode.AccessProtocol
    let evidence: AuthenticityEvidence.Document
    let report: AuthenticityReport
    /// When it is judged: now, or the time of a recording.
    let time: UTCTime
  }

  mutating func run<Channel: CardChannel & ~Copyable>(
    on card: consuming IdentityCard<Channel>, random: inout some RandomSource,
    in session: Session
  ) throws(Failure) -> Reading {
    let (groups, wantsCommonData, trust) = (groups, wantsCommonData, trust)
    let opening = try access.resolve(in: session)
    let zone = opening.zone
    var document = try card.opened(with: opening, random: &random)
    let evidence: AuthenticityEvidence.Document
    do throws(CardError) {
      evidence = try document.gatherEvidence(
        groups.union([.dg1]), includingCommonData: wantsCommonData, openedWith: zone,
        random: &random)
    } catch { throw .card(error) }
    return Reading(
      access: document.access, evidence: evidence,
      report: AuthenticityReport(judging: evidence, trust: trust, at: session.time),
      time: session.time)
  }
}
