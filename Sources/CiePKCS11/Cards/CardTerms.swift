internal import CIECard

struct CardTerms: Sendable {
  /// Time for which a card is held after a login without being used: enough to choose a
  /// certificate.
  var idleAfterLogin = Duration.seconds(60)
  /// Time for which a card is held after a signature.
  var idleAfterSignature = Duration.seconds(10)
  var trust: TrustStore? = .italian
  /// True to send PIN and PUK to any chip, not only to one that passes the genuineness check: a
  /// host has no person to ask.
  var skipsGenuineCheck = false
  /// Longest time without a look at the readers after which a card still counts as the same: no
  /// reader is unplugged and plugged in with another card in less.
  var longestGap = Duration.seconds(2)

  /// The genuineness check, as of now.
  var check: GenuineCheck { skipsGenuineCheck ? .skipped : .required(trust, at: .now) }
}
