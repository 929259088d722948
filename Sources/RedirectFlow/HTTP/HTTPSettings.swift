internal import Synchronization

/// Which authorities are trusted to certify servers. Verification cannot be switched off.
package enum HTTPTrust: Sendable, Hashable {
  /// The authorities of the operating system.
  case system
  /// The authorities of a PEM file and no others: for an environment with its own certificate authority.
  case file(path: String)
}

/// What all exchanges of a client have in common.
package struct HTTPSettings: Sendable {
  /// The authorities for servers.
  var trust: HTTPTrust
  /// The header field of this name (RFC 9110 §10.1.5).
  var userAgent: String
  /// How long an exchange may take: name look-up, TCP, TLS with the card's signature, and the whole answer.
  var timeout = Duration.seconds(60)
  /// Where proxies are named: an environment variable's value by its name.
  var environment: @Sendable (String) -> String? = HTTPProxy.processEnvironment
  /// The authorities for a proxy that speaks TLS itself; an environment's own authority is not one of them.
  var proxyTrust = HTTPTrust.system
  /// Ends all exchanges.
  var cancellation = CancellationToken()

  /// The usual ones.
  init(trust: HTTPTrust, userAgent: String) {
    self.trust = trust
    self.userAgent = userAgent
  }

  /// Those of a client that is no browser.
  package init(
    trust: HTTPTrust, userAgent: String, timeout: Duration, cancellation: CancellationToken
  ) {
    self.init(trust: trust, userAgent: userAgent)
    self.timeout = timeout
    self.cancellation = cancellation
  }
}

/// Ends a login from another thread.
///
/// A running exchange hears of it within a second; the card is not asked for anything afterwards.
package final class CancellationToken: Sendable {
  private let cancelled = Atomic(false)

  /// A token that is not cancelled.
  package init() {}

  /// Whether `cancel` was called.
  package var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// Ends what runs with this token, for good.
  package func cancel() { cancelled.store(true, ordering: .releasing) }
}
