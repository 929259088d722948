import CIECard

/// Judges both sides of a card in one contact: the travel document behind PACE or Basic Access Control, then the IAS
/// application, which a SELECT in clear goes back to.
///
/// A document that cannot be opened ends it: half a verification is none.
struct BothSidesJob: CardJob, ~Copyable {
  var access: AwaitedAccess
  /// The data groups that are wanted besides those that serve the proof.
  let groups: Set<DataGroup>
  /// What is asked of the IAS side.
  var ias: EvidenceJob

  mutating func run<Channel: CardChannel & ~Copyable>(
    on card: consuming IdentityCard<Channel>, random: inout some RandomSource,
    in session: Session
  ) throws(Failure) -> Verification {
    let groups = groups
    let opening = try access.resolve(in: session)
    let zone = opening.zone
    var document = try card.opened(with: opening, random: &random)
    let rest: IdentityCard<Channel>
    let finding: Verification.Document
    do throws(CardError) {
      let evidence = try document.gatherEvidence(
        groups, openedWith: zone, random: &random)
      finding = Verification.Document(
        access: document.access, evidence: evidence,
        report: AuthenticityReport(
          judging: evidence, trust: ias.trust, at: session.time, isOfCIE: true),
        validity: Validity(evidence, at: session.time))
      rest = try document.endSession()
    } catch { throw .card(error) }
    return Verification(
      document: finding, ias: try ias.run(on: rest, random: &random, in: session))
  }
}
