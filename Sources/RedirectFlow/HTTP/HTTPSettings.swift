internal import Synchronization

/// Which authorities are trusted to certify servers. Verification cannot be switched off.
package enum HTTPTrust: Sendable, Hashable {
  /// The authorities of the operating system.
  case system
  /// The authorities of a PEM file and no others: for an environment with its own certificate authority.
  case file(path: String)
}

/// What all exchanges of a client have in common.
struct HTTPSettings: Sendable {
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
}

/// Ends a login from another thread.
///
/// A running exchange hears of it within a second; the card is not asked for anything afterwards.
final class CancellationToken: Sendable {
  private let cancelled = Atomic(false)

  /// A token that is not cancelled.
  init() {}

  /// Whether `cancel` was called.
  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// Ends what runs with this token, for good.
  func cancel() { cancelled.store(true, ordering: .releasing) }
}
