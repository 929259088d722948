internal import Synchronization

/// The authorities that are trusted to certify servers. Verification cannot be switched off.
package enum HTTPTrust: Sendable, Hashable {
  case system
  /// The authorities of a PEM file and no others: for an environment with its own certificate authority.
  case file(path: String)
}

/// The settings that all exchanges of a client share.
package struct HTTPSettings: Sendable {
  package var trust: HTTPTrust
  /// The header field of this name (RFC 9110 §10.1.5).
  package var userAgent: String
  /// The time limit of an exchange: name look-up, TCP, TLS with the card's signature, and the whole answer.
  package var timeout = Duration.seconds(60)
  /// The source of the proxy variables: an environment variable's value by its name.
  package var environment: @Sendable (String) -> String? = HTTPProxy.processEnvironment
  /// The authorities for a proxy that speaks TLS itself; an environment's own authority is not one of them.
  var proxyTrust = HTTPTrust.system
  package var cancellation = CancellationToken()

  package init(trust: HTTPTrust, userAgent: String) {
    self.trust = trust
    self.userAgent = userAgent
  }

  /// The settings of a client that is no browser.
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
/// A running exchange ends within a second; no command is sent to the card afterwards.
package final class CancellationToken: Sendable {
  private let cancelled = Atomic(false)

  package init() {}

  package var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// Ends everything that runs with this token, for good.
  package func cancel() { cancelled.store(true, ordering: .releasing) }
}
