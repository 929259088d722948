package import CIECard

/// `verify`: judges the authenticity of a card, point by point.
package struct VerificationJob: CardJob {
  /// The key to the travel document; without it no file is read there.
  package var key: DocumentKey?
  /// The selected groups; `nil` for all that the card returns.
  package var groups: Set<DataGroup>?
  package var challenge: [UInt8]?
  package let demand: ValidityDemand
  package let trust: TrustStore?

  package init(
    key: DocumentKey? = nil, groups: Set<DataGroup>? = nil, challenge: [UInt8]? = nil,
    demand: ValidityDemand, trust: TrustStore?
  ) {
    self.key = key
    self.groups = groups
    self.challenge = challenge
    self.demand = demand
    self.trust = trust
  }

  private var ias: EvidenceJob {
    EvidenceJob(scope: .everythingFree, challenge: challenge, trust: trust)
  }

  package func run(on card: Conversation, in session: RunContext) throws(Failure) -> Verification {
    guard let key else {
      guard groups == nil else {
        throw .usage(
          "groups-without-access-code", key: "document-option.groups-without-access-code")
      }
      return Verification(
        document: nil, ias: try ias.run(on: card, in: session), demand: demand)
    }
    var code = try key.awaited(in: session)
    return try card.perform(in: session) { (card, random, session) throws(Failure) in
      try bothSides(of: card, openedWith: &code, random: &random, in: session)
    }
  }

  /// Judges both sides of a card in one contact: the travel document behind PACE or Basic Access Control, then the IAS
  /// application, selected again in clear.
  ///
  /// Throws if the document cannot be opened; there is no partial result.
  private func bothSides(
    of card: consuming SessionCard, openedWith code: inout AwaitedAccess,
    random: inout SessionRandom, in session: RunContext
  ) throws(Failure) -> Verification {
    // The named groups, with the zone that identifies the document, and the date of issue.
    let groups =
      groups?.union([.dg1, .dg12]) ?? Set(DataGroup.allCases).subtracting(DataGroup.ofTheState)
    let opening = try code.resolve(in: session)
    let zone = opening.zone
    var document = try card.opened(with: opening, random: &random)
    let rest: SessionCard
    let finding: Verification.Document
    do throws(CardError) {
      let evidence = try document.gatherEvidence(groups, openedWith: zone, random: &random)
      finding = Verification.Document(
        access: document.access, evidence: evidence,
        report: AuthenticityReport(
          judging: evidence, trust: trust, at: session.time, isOfCIE: true),
        isTest: session.isTest,
        validity: Validity(evidence, at: session.time))
      rest = try document.endSession()
    } catch { throw .card(error) }
    return Verification(
      document: finding, ias: try ias.evidence(of: rest, random: &random, in: session),
      demand: demand)
  }
}
