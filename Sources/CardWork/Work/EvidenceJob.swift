package import CIECard

/// The evidence from the IAS side of a card for its authenticity, and its judgement.
package struct IASReading: Sendable {
  package let number: ServicesNumber
  package let evidence: AuthenticityReport.Evidence
  package let report: AuthenticityReport
  /// True for a software card, of which nothing is proved but that it follows the protocol.
  package let isTest: Bool
  /// The time of the judgement.
  package let present: PresentTime
  /// The evidence for another machine, if that was asked for.
  package var portable: CardEvidence?
  /// The points to leave out: those of files that evidence from another machine does not hold.
  package var leavesOut: [AuthenticityReport.Kind] = []
}

/// Collects the evidence of the IAS side, and judges it.
package struct EvidenceJob: Sendable {
  let scope: AuthenticityReport.Evidence.Scope
  /// The challenge for the chip to sign; `nil` for fresh random bytes.
  var challenge: [UInt8]?
  /// The evidence to fill for another machine, whose request it has; `nil` for none.
  var portable: CardEvidence?
  let trust: TrustStore?

  package init(
    scope: AuthenticityReport.Evidence.Scope, challenge: [UInt8]? = nil,
    portable: CardEvidence? = nil, trust: TrustStore?
  ) {
    self.scope = scope
    self.challenge = challenge
    self.portable = portable
    self.trust = trust
  }

  package func run(on card: Conversation, in context: RunContext) throws(Failure) -> IASReading {
    try card.perform(in: context) { (card, random, context) throws(Failure) in
      try evidence(of: card, random: &random, in: context)
    }
  }

  /// The work with a card that is open already.
  func evidence(
    of card: consuming SessionCard, random: inout SessionRandom, in context: RunContext
  ) throws(Failure) -> IASReading {
    var portable = portable
    let bytes =
      if let challenge { challenge } else {
        try mapError(try random.bytes(AuthenticityReport.Evidence.challengeLength)) {
          Failure.crypto($0)
        }
      }
    do throws(CardError) {
      if var filled = portable {
        try card.gatherEvidence(scope, into: &filled)
        portable = filled
      }
      let evidence =
        if let filled = portable?.ias { filled } else {
          try card.gatherEvidence(scope, challenge: bytes)
        }
      // A card that withheld the number now reports the reason.
      let number =
        if let read = evidence.servicesNumber { read } else { try card.readServicesNumber() }
      return IASReading(
        number: number, evidence: evidence,
        report: AuthenticityReport(
          judging: evidence, trust: trust, at: context.time, notBefore: context.present.earliest),
        isTest: context.isTest, present: context.present, portable: portable)
    } catch { throw .card(error) }
  }
}
