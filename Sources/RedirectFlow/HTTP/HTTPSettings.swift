/// Which authorities may vouch for servers. There is no way not to ask.
public enum HTTPTrust: Sendable, Hashable {
  /// The authorities of the operating system.
  case system
  /// The authorities of a PEM file and no others: for an environment with its own certificate authority.
  case file(path: String)
}

/// How long an exchange may take.
struct HTTPTimeouts: Sendable, Hashable {
  /// Name look-up, TCP and TLS, the card's signature included.
  var connect = Duration.seconds(15)
  /// The whole exchange.
  var total = Duration.seconds(60)
  /// How long the server may send nothing; whole seconds.
  var silence = Duration.seconds(15)
}

/// What all exchanges of a client have in common.
struct HTTPSettings: Sendable {
  /// Who vouches for servers.
  var trust: HTTPTrust
  /// The header field of this name (RFC 9110 §10.1.5).
  var userAgent: String
  /// How long an exchange may take.
  var timeouts = HTTPTimeouts()
  /// Ends all exchanges.
  var cancellation = CancellationToken()
}
