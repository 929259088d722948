import CIECard
import CardWork
import Messages
import Primitives

extension Validity {
  /// The members for scripts.
  var members: [JSON.Member] {
    [
      .init("expired", isExpired.map(JSON.bool) ?? .null), .init("validUntil", until?.description),
      .init("certificateValidUntil", certificateUntil?.description),
    ]
  }

  /// The expiries in one sentence, for people; nil without one.
  var text: Message? {
    guard let until, let isExpired else { return nil }
    if isExpired {
      return Message("validity.expired", ["until": until])
    }
    guard let certificateUntil, isCertificateEnded else { return nil }
    return Message("validity.signer-expired", ["until": until, "end": certificateUntil])
  }

  /// A judgement after the expiry, which comes first.
  func headline(_ judgement: Message) -> Message {
    guard let text else { return judgement }
    return Message("validity.headline", ["validity": text, "judgement": judgement])
  }
}
