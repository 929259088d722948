package import CIECard

/// An HTTP exchange did not happen, or its answer is not usable.
///
/// No case carries a URL, a header or a body: all of them may hold secrets.
package enum HTTPError: Error, Sendable, Equatable {
  /// The URL is not one of http or https in plain ASCII without user name.
  case unusableURL
  /// The name of the server leads to no address.
  case resolve(host: String)
  /// Nobody listens there.
  case connect(host: String)
  /// The way goes over a proxy, and ended there; where it listens, without what its URL may hold besides.
  case proxy(ProxyProblem, host: String)
  /// The connection ended before the answer was complete.
  case disconnected
  /// The server was too slow.
  case timeout
  /// `CancellationToken.cancel` was called.
  case cancelled
  /// The file of trusted authorities is missing or holds no certificate.
  case trustFile(path: String)
  /// The server's certificate is not trusted. Nothing was sent, nothing was signed.
  case serverCertificate(ServerCertificateProblem)
  /// TLS failed for another reason; the server's alert (RFC 8446 §6), if it sent one.
  case handshake(alert: UInt8?)
  /// The server speaks TLS 1.3 alone, whose RSA signatures are PSS (RFC 8446 §4.2.3); the card makes PKCS #1 v1.5.
  case serverDemandsTLS13
  /// The server knows no key exchange in which it proves its key before the card would sign: it speaks TLS 1.2 with
  /// RSA key exchange alone (RFC 5246 §7.4.7.1).
  case serverWithoutForwardSecrecy
  /// The server takes PSS signatures and no PKCS #1 v1.5 ones; the card makes PKCS #1 v1.5 alone.
  case serverDemandsPSS
  /// The server takes neither PSS nor the card's PKCS #1 v1.5 with SHA-256, SHA-384 or SHA-512.
  case serverDemandsOtherSignature
  /// The server answered with this status without having asked for the card's certificate.
  case certificateNotRequested(status: Int)
  /// The server asked for a second signature in the same call.
  case secondSignatureRefused
  /// The server says that the card's certificate has expired (alert 45).
  case cardCertificateExpired
  /// The server says that the card's certificate was revoked (alert 44).
  case cardCertificateRevoked
  /// The server does not know who issued the card's certificate (alert 48).
  case cardCertificateUnknownAuthority
  /// The server did not take the card's certificate or signature, with another alert (RFC 8446 §6.2).
  case cardCertificateRefused(alert: UInt8)
  /// The card did not sign.
  case card(CardError)
  /// What came back is not HTTP.
  case malformedResponse
  /// The header fields together are longer than this many bytes.
  case headersTooLong(limit: Int)
  /// The body is longer than this many bytes.
  case bodyTooLarge(limit: Int)
  /// libcurl refused for a reason that none of the others covers; its CURLcode.
  case library(code: Int)
}

/// Why a server's certificate is not trusted (RFC 5280 §6, RFC 9525).
package enum ServerCertificateProblem: Sendable, Equatable {
  /// It, or one above it, has expired.
  case expired
  /// It, or one above it, is not valid yet.
  case notYetValid
  /// It belongs to another host.
  case wrongHost
  /// Nobody who is trusted issued it.
  case unknownAuthority
  /// Another reason; OpenSSL's X509_V_ERR code.
  case other(code: Int)
}

/// What went wrong between this machine and the server, at the proxy.
package enum ProxyProblem: Error, Sendable, Equatable {
  /// What the environment names is no proxy that can be used.
  case unusable
  /// Its name leads to no address.
  case resolve
  /// Nobody listens there.
  case connect
  /// It did not answer in time.
  case timeout
  /// It wants to know who asks (RFC 9110 §15.5.8), or did not believe it.
  case authenticationRequired
  /// It refuses to connect to the server; its status.
  case refused(status: Int)
  /// Its certificate is not trusted.
  case certificate(ServerCertificateProblem)
  /// It ended the connection, or what it says is no answer of a proxy.
  case failed
}
