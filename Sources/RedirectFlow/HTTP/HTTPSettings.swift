internal import Synchronization

/// Which authorities may vouch for servers. There is no way not to ask.
public enum HTTPTrust: Sendable, Hashable {
  /// The authorities of the operating system.
  case system
  /// The authorities of a PEM file and no others: for an environment with its own certificate authority.
  case file(path: String)
}

/// What all exchanges of a client have in common.
struct HTTPSettings: Sendable {
  /// Who vouches for servers.
  var trust: HTTPTrust
  /// The header field of this name (RFC 9110 §10.1.5).
  var userAgent: String
  /// How long an exchange may take: name look-up, TCP, TLS with the card's signature, and the whole answer.
  var timeout = Duration.seconds(60)
  /// Where proxies are named: an environment variable's value by its name.
  var environment: @Sendable (String) -> String? = HTTPProxy.processEnvironment
  /// Who vouches for a proxy that speaks TLS itself; an environment's own authority has no say in that.
  var proxyTrust = HTTPTrust.system
  /// Ends all exchanges.
  var cancellation = CancellationToken()
}

/// Ends a login from another thread.
///
/// A running exchange hears of it within a second; the card is not asked for anything afterwards.
public final class CancellationToken: Sendable {
  private let cancelled = Atomic(false)

  /// A token that is not cancelled.
  public init() {}

  /// Whether `cancel` was called.
  public var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// Ends what runs with this token, for good.
  public func cancel() { cancelled.store(true, ordering: .releasing) }
}
