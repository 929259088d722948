internal import CCurl
internal import CIECard

extension HTTPClient {
  /// Posts a form over mutual TLS with the card's key, to this one URL.
  ///
  /// The connection is a fresh one of TLS 1.2 and knows no cookies; no redirect is followed. The card is asked for one
  /// signature at most, after the server's chain and host were verified, and nothing is ever repeated.
  ///
  /// - Throws: `HTTPError`; `card` when the card did not sign.
  func postWithCard(
    _ url: String, form: HTTPForm, key: any LoginKey,
    bodyLimit: Int = HTTPRequest.usualBodyLimit
  ) throws(HTTPError) -> HTTPResponse {
    guard CurlURL.isSecure(url), let host = CurlURL.host(of: url) else { throw .unusableURL }
    let proxy = try HTTPProxy(for: url, host: host, settings.environment)
    let handshake = try CardHandshake(
      host: host, key: key, cancellation: settings.cancellation, proxy: proxy)
    let response: HTTPResponse
    do throws(HTTPError) {
      response = try Self.post(
        HTTPRequest(url: url, method: .post(form), bodyLimit: bodyLimit), handshake, settings)
    } catch {
      let reason = handshake.reason(for: error)
      // handshake_failure has many reasons; this one can be found out, without the card.
      guard reason == .handshake(alert: 40), KeyExchangeProbe.takesRSA(url, settings) else {
        throw reason
      }
      throw .serverWithoutForwardSecrecy
    }
    guard handshake.wasRequested else { throw .certificateNotRequested(status: response.status) }
    return response
  }

  /// The handle, and with it the connection that points to the handshake, ends before the handshake.
  private static func post(
    _ request: HTTPRequest, _ handshake: CardHandshake, _ settings: HTTPSettings
  ) throws(HTTPError) -> HTTPResponse {
    let handle = try CurlHandle()
    try settings.apply(to: handle)
    try handle.set(CURLOPT_PROTOCOLS_STR, "https")
    try handle.set(CURLOPT_FRESH_CONNECT, 1)
    try handle.set(CURLOPT_FORBID_REUSE, 1)
    try handshake.attach(to: handle)
    return try handle.send(request, settings)
  }
}
