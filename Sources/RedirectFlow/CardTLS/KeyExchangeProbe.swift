internal import CCurl
internal import COpenSSL

/// Finds the reason why a server and the card's TLS have no common algorithms: RSA key exchange as its only one. It is
/// sent no request and no certificate.
final class KeyExchangeProbe {
  /// True if the server asked for a certificate, and therefore had accepted the key exchange.
  private var wasAsked = false

  /// Checks whether a server whose certificate is trusted accepts RSA key exchange in TLS 1.2.
  static func takesRSA(_ url: String, _ settings: HTTPSettings) -> Bool {
    let probe = KeyExchangeProbe()
    defer { withExtendedLifetime(probe) {} }
    do throws(HTTPError) {
      let handle = try CurlHandle()
      try settings.apply(to: handle)
      try handle.set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2 | CURL_SSLVERSION_MAX_TLSv1_2)
      try handle.set(CURLOPT_SSL_CIPHER_LIST, "kRSA")
      try handle.set(CURLOPT_CONNECT_ONLY, 1)
      try probe.attach(to: handle)
      _ = try handle.send(HTTPRequest(url: url, method: .get), settings)
      return true
    } catch {
      // A server that requires a certificate ends the handshake without it.
      return probe.wasAsked
    }
  }

  private func attach(to handle: borrowing CurlHandle) throws(HTTPError) {
    try handle.set(CURLOPT_SSL_CTX_DATA, Unmanaged.passUnretained(self).toOpaque())
    try handle.check(
      curl_set_ssl_context(handle.pointer) { _, context, probe in
        let context = context.map(OpaquePointer.init)
        SSL_CTX_set_keylog_callback(context, nil)
        SSL_CTX_set_cert_cb(
          context,
          { connection, probe in
            guard let connection, let probe, let cipher = SSL_get_pending_cipher(connection) else {
              return 1
            }
            // A proxy may ask, too.
            if SSL_CIPHER_get_kx_nid(cipher) == NID_kx_rsa {
              Unmanaged<KeyExchangeProbe>.fromOpaque(probe).takeUnretainedValue().wasAsked = true
            }
            return 1
          }, probe)
        return CURLE_OK
      })
  }
}
