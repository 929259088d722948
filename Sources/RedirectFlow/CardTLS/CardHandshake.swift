internal import CCurl
package import CIECard
internal import COpenSSL

/// One call's TLS, in which the card authenticates its holder (RFC 5246 §7.4.8).
///
/// The order matters. OpenSSL verifies the server's chain *and host* while it reads the server's certificate; libcurl
/// alone would compare the host after the handshake, when the card has signed already. Only then comes the server's
/// request, and only there the certificate and the key are handed over.
final class CardHandshake {
  /// The card's signature algorithms in TLS 1.2: PKCS #1 v1.5 with these hash functions, the first that the server
  /// accepts.
  static let signatureAlgorithms = "rsa_pkcs1_sha256:rsa_pkcs1_sha384:rsa_pkcs1_sha512"
  /// Key exchanges that the server signs (RFC 5246 §7.4.3), ephemeral Diffie-Hellman. With RSA key exchange it would
  /// prove its key by its Finished alone, when the card has signed already (§7.3).
  static let cipherSuites = "kECDHE:kDHE:!aNULL:!eNULL:!aDSS"

  let key: any LoginKey
  private let host: String
  private let cancellation: CancellationToken
  private let method: CardRSAMethod
  /// The reason why this side broke off.
  private var refusal: LoginError?
  /// The server's last fatal alert.
  private var alert: UInt8?
  /// True if the certificate was handed over.
  private(set) var wasRequested = false
  /// The number of signatures asked of the card: at most one.
  private(set) var signatures = 0
  /// True if the first connection to be set up is the one to a proxy that speaks TLS itself. If this were wrong, the
  /// server would be offered no certificate, or the proxy would have to prove that it is the server.
  private var isBeforeProxy: Bool

  init(
    host: String, key: any LoginKey, cancellation: CancellationToken, proxy: HTTPProxy? = nil
  ) throws(HTTPError) {
    self.host = host
    self.key = key
    self.cancellation = cancellation
    isBeforeProxy = proxy?.isSecure == true
    method = try CardRSAMethod()
  }

  /// The cause of the transfer's failure, in the light of the events in TLS.
  func reason(for error: HTTPError) -> LoginError {
    refusal ?? LoginError(reason(of: error), at: .cardCall)
  }

  private func reason(of error: HTTPError) -> HTTPError {
    guard let alert else { return error }
    guard wasRequested else {
      // protocol_version: TLS 1.2, which this side offers, is too old for the server.
      return alert == 70 ? .serverDemandsTLS13 : .handshake(alert: alert)
    }
    return switch alert {
    case 44: .cardCertificateRevoked
    case 45: .cardCertificateExpired
    case 48: .cardCertificateUnknownAuthority
    default: .cardCertificateRefused(alert: alert)
    }
  }

  /// Signs, once.
  ///
  /// - Returns: `nil` after every failure, which is kept.
  func sign(_ digest: Digest) -> [UInt8]? {
    guard signatures == 0 else { return refuse(.secondSignatureRefused) }
    guard !cancellation.isCancelled else { return refuse(.cancelled) }
    signatures = 1
    do { return try key.sign(digest).signature } catch { return refuse(LoginError(.card(error))) }
  }

  private func refuse<Nothing>(_ error: HTTPError) -> Nothing? {
    refuse(LoginError(error, at: .cardCall))
  }

  private func refuse<Nothing>(_ error: LoginError) -> Nothing? {
    refusal = refusal ?? error
    return nil
  }
}

extension CardHandshake {
  /// Makes libcurl and OpenSSL call this object. It must live as long as the handle.
  func attach(to handle: borrowing CurlHandle) throws(HTTPError) {
    try handle.set(
      CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2 | CURL_SSLVERSION_MAX_TLSv1_2)
    try handle.set(CURLOPT_SSL_CTX_DATA, Unmanaged.passUnretained(self).toOpaque())
    try handle.check(
      curl_set_ssl_context(handle.pointer) { _, context, handshake in
        guard let context, let handshake else { return CURLE_SSL_CONNECT_ERROR }
        return CardHandshake.from(handshake).prepare(OpaquePointer(context))
          ? CURLE_OK : CURLE_SSL_CONNECT_ERROR
      })
  }

  static func from(_ pointer: UnsafeMutableRawPointer) -> CardHandshake {
    Unmanaged<CardHandshake>.fromOpaque(pointer).takeUnretainedValue()
  }

  private func prepare(_ context: OpaquePointer) -> Bool {
    SSL_CTX_set_keylog_callback(context, nil)
    guard !isBeforeProxy else {
      isBeforeProxy = false
      return true
    }
    let pointer = Unmanaged.passUnretained(self).toOpaque()
    var algorithms = [UInt8](Self.signatureAlgorithms.utf8) + [0]
    guard SSL_CTX_ctrl(context, SSL_CTRL_SET_CLIENT_SIGALGS_LIST, 0, &algorithms) == 1,
      SSL_CTX_set_cipher_list(context, Self.cipherSuites) == 1,
      demandHost(of: context),
      // Index 0 belongs to the application (SSL_CTX_set_app_data), and libcurl leaves it alone.
      SSL_CTX_set_ex_data(context, 0, pointer) == 1
    else { return false }
    SSL_CTX_set_cert_cb(
      context,
      { connection, handshake in
        guard let connection, let handshake else { return 0 }
        return CardHandshake.from(handshake).answerRequest(on: connection) ? 1 : 0
      }, pointer)
    SSL_CTX_set_info_callback(context) { connection, event, value in
      guard event & SSL_CB_READ_ALERT == SSL_CB_READ_ALERT, value >> 8 == SSL3_AL_FATAL,
        let handshake = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(connection), 0)
      else { return }
      CardHandshake.from(handshake).alert = UInt8(truncatingIfNeeded: value)
    }
    return true
  }

  /// Makes OpenSSL verify the host, too. Subject alternative names count, the common name does not, nor does a wildcard
  /// in the middle of a label (RFC 9525 §6.3).
  private func demandHost(of context: OpaquePointer) -> Bool {
    guard let parameters = SSL_CTX_get0_param(context) else { return false }
    X509_VERIFY_PARAM_set_hostflags(
      parameters,
      CUnsignedInt(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT))
    return X509_VERIFY_PARAM_set1_ip_asc(parameters, host) == 1
      || X509_VERIFY_PARAM_set1_host(parameters, host, 0) == 1
  }

  private func answerRequest(on connection: OpaquePointer) -> Bool {
    defer { ERR_clear_error() }
    // OpenSSL does not call this otherwise, but the precondition is critical and is checked again.
    guard SSL_version(connection) == TLS1_2_VERSION, SSL_get0_peer_certificate(connection) != nil,
      SSL_get_verify_result(connection) == Int(X509_V_OK), Self.hasForwardSecrecy(connection)
    else { return refuse(.serverCertificate(.other(code: 0))) ?? false }
    guard signatures == 0 else { return refuse(.secondSignatureRefused) ?? false }
    let offered = Self.algorithms(demandedOn: connection)
    guard offered.contains(where: { [0x0401, 0x0501, 0x0601].contains($0) }) else {
      return refuse(
        offered.contains { 0x0804...0x080B ~= $0 && !(0x0807...0x0808).contains($0) }
          ? .serverDemandsPSS : .serverDemandsOtherSignature) ?? false
    }
    guard method.use(certificate: key.certificate.der, on: connection, signer: self) else {
      return refuse(.handshake(alert: nil)) ?? false
    }
    wasRequested = true
    return true
  }

  /// Checks whether the server has signed its part of the key exchange.
  private static func hasForwardSecrecy(_ connection: OpaquePointer) -> Bool {
    guard let cipher = SSL_get_pending_cipher(connection) else { return false }
    return [NID_kx_ecdhe, NID_kx_dhe].contains(SSL_CIPHER_get_kx_nid(cipher))
  }

  /// The code points of the server's CertificateRequest (RFC 8446 §4.2.3): 0401, 0501, 0601 are PKCS #1 v1.5, 0804 to
  /// 0806 and 0809 to 080B PSS.
  private static func algorithms(demandedOn connection: OpaquePointer) -> [UInt16] {
    let count = SSL_get_sigalgs(connection, 0, nil, nil, nil, nil, nil)
    return (0..<max(0, count)).map { index in
      var low: UInt8 = 0
      var high: UInt8 = 0
      SSL_get_sigalgs(connection, index, nil, nil, nil, &low, &high)
      return UInt16(high) << 8 | UInt16(low)
    }
  }
}

/// The card's part in a login: the certificate, and signatures that are already checked against it.
package protocol LoginKey {
  var certificate: Certificate { get }

  /// Signs a digest with the holder's key.
  func sign(_ digest: Digest) throws(CardError) -> SignedAssertion
}

/// The key of a card whose PIN is verified. It lives as long as the login and closes the card with it.
package final class CardLoginKey<Channel: CardChannel & ~Copyable>: LoginKey {
  package let certificate: Certificate
  private var card: VerifiedCard<Channel>

  package init(_ card: consuming VerifiedCard<Channel>) throws(CardError) {
    certificate = try card.readCertificate()
    self.card = card
  }

  /// Signs with key 81 and checks the signature.
  package func sign(_ digest: Digest) throws(CardError) -> SignedAssertion {
    try card.sign(digest)
  }
}
