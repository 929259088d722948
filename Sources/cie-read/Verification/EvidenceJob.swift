import CIECard

/// Collects what is needed to judge a card's authenticity, and judges it.
struct EvidenceJob: CardJob {
  let scope: AuthenticityEvidence.Scope
  /// What the chip is to sign; nil for fresh random bytes.
  let challenge: [UInt8]?
  let trust: TrustStore?

  struct Finding: Sendable {
    let number: ServicesNumber
    let evidence: AuthenticityEvidence
    let report: AuthenticityReport
  }

  mutating func run<Channel: CardChannel & ~Copyable>(
    on card: consuming IdentityCard<Channel>, random: inout some RandomSource,
    in session: Session
  ) throws(Failure) -> Finding {
    let bytes: [UInt8]
    if let challenge {
      bytes = challenge
    } else {
      do throws(CryptoError) {
        bytes = try random.bytes(AuthenticityEvidence.challengeLength)
      } catch {
        throw .crypto(error)
      }
    }
    do throws(CardError) {
      let evidence = try card.gatherEvidence(scope, challenge: bytes)
      // A card that kept the number to itself now says why.
      let number =
        if let read = evidence.servicesNumber { read } else { try card.readServicesNumber() }
      let report = AuthenticityReport(judging: evidence, trust: trust, at: session.time)
      return Finding(number: number, evidence: evidence, report: report)
    } catch { throw .card(error) }
  }
}
