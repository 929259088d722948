internal import Primitives
internal import Synchronization

package struct HTTPSettings: Sendable {
  /// A PEM file with the only authorities that may certify servers, for an environment with its own; `nil` for the
  /// system's. Verification cannot be switched off.
  var trust: String?
  /// The header field of this name (RFC 9110 §10.1.5).
  package var userAgent: String
  /// The time limit of an exchange: name look-up, TCP, TLS with the card's signature, and the whole answer.
  var timeout: Duration
  /// The longest time for a connection, and in which no byte comes, for servers of large files; `nil` for the time limit.
  package var silence: Duration?
  /// The source of the proxy variables: an environment variable's value by its name.
  package var environment: @Sendable (String) -> String? = { Environment.value(of: $0) }
  /// The same for a proxy that speaks TLS itself; an environment's own authority is not one of them.
  var proxyTrust: String?
  package var cancellation: CancellationToken

  package init(
    trust: String?, userAgent: String, timeout: Duration = .seconds(60),
    cancellation: CancellationToken = CancellationToken()
  ) {
    self.trust = trust
    self.userAgent = userAgent
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
