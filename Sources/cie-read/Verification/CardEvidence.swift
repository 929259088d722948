import CIECard

/// The evidence from the IAS side of a card for its authenticity, and its judgement.
struct CardEvidence: Sendable {
  let number: ServicesNumber
  let evidence: AuthenticityReport.Evidence
  let report: AuthenticityReport
}

extension SessionCard {
  /// Collects the evidence of the IAS side, and judges it.
  ///
  /// - Parameter challenge: the challenge for the chip to sign; nil for fresh random bytes.
  mutating func evidence(
    _ scope: AuthenticityReport.Evidence.Scope, challenge: [UInt8]? = nil, trust: TrustStore?,
    random: inout SessionRandom, at time: UTCTime
  ) throws(Failure) -> CardEvidence {
    let bytes: [UInt8]
    do throws(CryptoError) {
      bytes =
        if let challenge { challenge } else {
          try random.bytes(AuthenticityReport.Evidence.challengeLength)
        }
    } catch { throw .crypto(error) }
    do throws(CardError) {
      let evidence = try gatherEvidence(scope, challenge: bytes)
      // A card that withheld the number now reports the reason.
      let number = if let read = evidence.servicesNumber { read } else { try readServicesNumber() }
      return CardEvidence(
        number: number, evidence: evidence,
        report: AuthenticityReport(judging: evidence, trust: trust, at: time))
    } catch { throw .card(error) }
  }
}

extension Verification {
  /// Judges both sides of a card in one contact: the travel document behind PACE or Basic Access Control, then the IAS
  /// application, selected again in clear.
  ///
  /// Throws if the document cannot be opened; there is no partial result.
  init(
    ofBothSidesOf card: consuming SessionCard, openedWith access: inout AwaitedAccess,
    groups: Set<DataGroup>, challenge: [UInt8]?, trust: TrustStore?,
    random: inout SessionRandom, in session: Session
  ) throws(Failure) {
    let opening = try access.resolve(in: session)
    let zone = opening.zone
    var document = try card.opened(with: opening, random: &random)
    var rest: SessionCard
    let finding: Document
    do throws(CardError) {
      let evidence = try document.gatherEvidence(groups, openedWith: zone, random: &random)
      finding = Document(
        access: document.access, evidence: evidence,
        report: AuthenticityReport(
          judging: evidence, trust: trust, at: session.time, isOfCIE: true),
        validity: Validity(evidence, at: session.time))
      rest = try document.endSession()
    } catch { throw .card(error) }
    self.init(
      document: finding,
      ias: try rest.evidence(
        .everythingFree, challenge: challenge, trust: trust, random: &random, at: session.time))
  }
}
