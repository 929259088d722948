/// An HTTP exchange did not happen, or its answer is not usable.
///
/// No case carries a URL, a header or a body: all of them may hold secrets.
package enum HTTPError: Error, Sendable, Equatable {
  /// The URL is not one of http or https in plain ASCII without user name.
  case unusableURL
  case resolve(host: String)
  case connect(host: String)
  /// The connection ended at a proxy; the proxy's address, without any other part of its URL.
  case proxy(ProxyProblem, host: String)
  case disconnected
  case timeout
  case cancelled
  /// The file of trusted authorities is missing or holds no certificate.
  case trustFile(path: String)
  /// The server's certificate is not trusted. Nothing was sent, nothing was signed.
  case serverCertificate(ServerCertificateProblem)
  /// TLS failed for another reason; the server's alert (RFC 8446 §6), if it sent one.
  case handshake(alert: UInt8?)
  /// The server speaks only TLS 1.3, whose RSA signatures are PSS (RFC 8446 §4.2.3); the card makes PKCS #1 v1.5.
  case serverDemandsTLS13
  /// The server knows no key exchange in which it proves its key before the card would sign: it speaks TLS 1.2 with RSA
  /// key exchange only (RFC 5246 §7.4.7.1).
  case serverWithoutForwardSecrecy
  /// The server accepts PSS signatures and no PKCS #1 v1.5 ones; the card makes only PKCS #1 v1.5.
  case serverDemandsPSS
  /// The server accepts neither PSS nor the card's PKCS #1 v1.5 with SHA-256, SHA-384 or SHA-512.
  case serverDemandsOtherSignature
  /// The server answered with this status without asking for the card's certificate.
  case certificateNotRequested(status: Int)
  /// The server asked for a second signature in the same call.
  case secondSignatureRefused
  /// The server reports that the card's certificate has expired (alert 45).
  case cardCertificateExpired
  /// The server reports that the card's certificate was revoked (alert 44).
  case cardCertificateRevoked
  /// The server does not know the issuer of the card's certificate (alert 48).
  case cardCertificateUnknownAuthority
  /// The server rejected the card's certificate or signature, with another alert (RFC 8446 §6.2).
  case cardCertificateRefused(alert: UInt8)
  case malformedResponse
  case headersTooLong(limit: Int)
  case bodyTooLarge(limit: Int)
  /// libcurl failed for a reason that no other case covers; its CURLcode.
  case library(code: Int)
}

/// The reason why a server's certificate is not trusted (RFC 5280 §6, RFC 9525).
package enum ServerCertificateProblem: Sendable, Equatable {
  /// It, or one above it, has expired.
  case expired
  /// It, or one above it, is not valid yet.
  case notYetValid
  case wrongHost
  case unknownAuthority
  /// Another reason; OpenSSL's X509_V_ERR code.
  case other(code: Int)
}

/// A failure between this machine and the server, at the proxy.
package enum ProxyProblem: Sendable, Equatable {
  /// The environment's value is not a usable proxy address.
  case unusable
  case resolve
  case connect
  case timeout
  /// It requires credentials (RFC 9110 §15.5.8), or rejected them.
  case authenticationRequired
  /// It refuses to connect to the server; its status.
  case refused(status: Int)
  /// Its certificate is not trusted.
  case certificate(ServerCertificateProblem)
  /// It ended the connection, or its reply is no answer of a proxy.
  case failed
}
