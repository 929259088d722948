internal import CCurl
internal import CIECard
internal import Primitives

/// The card methods' use of HTTP: exchanges without any cookie of the pages.
///
/// `CardClient` is the real one; tests use a script.
protocol CardExchange: Sendable {
  /// Posts a form, without a certificate.
  func post(
    _ url: RedirectURL, _ form: HTTPForm, bodyLimit: Int
  ) throws(HTTPError) -> HTTPResponse

  /// Posts a form over a connection on which the card's key authenticates the client, after the server has proved
  /// itself.
  func post(
    _ url: RedirectURL, _ form: HTTPForm, bodyLimit: Int, with key: any LoginKey
  ) throws(LoginError) -> HTTPResponse
}

struct CardClient: CardExchange {
  private var settings: HTTPSettings

  /// - Parameter settings: the login's; the header field User-Agent is replaced.
  init(_ settings: HTTPSettings) {
    self.settings = settings
    // The value that io-cie-sdk and both curl-based iOS clients send with this call.
    self.settings.userAgent = "Mozilla/5.0"
  }

  func post(
    _ url: RedirectURL, _ form: HTTPForm, bodyLimit: Int
  ) throws(HTTPError) -> HTTPResponse {
    // A separate client, without cookies.
    try HTTPClient(settings).send(
      HTTPRequest(url: url.text, method: .post(form), bodyLimit: bodyLimit))
  }

  func post(
    _ url: RedirectURL, _ form: HTTPForm, bodyLimit: Int, with key: any LoginKey
  ) throws(LoginError) -> HTTPResponse {
    try settings.postWithCard(url.text, form: form, key: key, bodyLimit: bodyLimit)
  }
}

extension HTTPSettings {
  /// Posts a form over mutual TLS with the card's key, to this one URL.
  ///
  /// The connection is a fresh one of TLS 1.2 and knows no cookies; no redirect is followed. The card is asked for one
  /// signature at most, after the server's chain and host were verified, and no step is ever repeated.
  ///
  /// - Throws: `.http` of the card call; `.card` when the card did not sign.
  func postWithCard(
    _ url: String, form: HTTPForm, key: any LoginKey,
    bodyLimit: Int = HTTPRequest.usualBodyLimit
  ) throws(LoginError) -> HTTPResponse {
    let handshake = try handshake(for: url, key)
    let response: HTTPResponse
    do throws(HTTPError) {
      response = try post(
        HTTPRequest(url: url, method: .post(form), bodyLimit: bodyLimit), handshake)
    } catch {
      let reason = handshake.reason(for: error)
      // handshake_failure has many causes; this one can be found without the card.
      guard reason.cause == .http(.handshake(alert: 40), .cardCall),
        KeyExchangeProbe.takesRSA(url, self)
      else { throw reason }
      throw LoginError(.serverWithoutForwardSecrecy, at: .cardCall)
    }
    guard handshake.wasRequested else {
      throw LoginError(.certificateNotRequested(status: response.status), at: .cardCall)
    }
    return response
  }

  private func handshake(
    for url: String, _ key: any LoginKey
  ) throws(LoginError) -> CardHandshake {
    try LoginError.at(.cardCall) { () throws(HTTPError) in
      guard CurlURL.isSecure(url), let host = CurlURL.host(of: url) else { throw .unusableURL }
      let proxy = try HTTPProxy(for: url, host: host, environment)
      return try CardHandshake(
        host: host, key: key, cancellation: cancellation, proxy: proxy)
    }
  }

  /// The handle, and with it the connection that points to the handshake, ends before the handshake.
  private func post(
    _ request: HTTPRequest, _ handshake: CardHandshake
  ) throws(HTTPError) -> HTTPResponse {
    let handle = try CurlHandle()
    try apply(to: handle)
    try handle.set(CURLOPT_PROTOCOLS_STR, "https")
    try handle.set(CURLOPT_FRESH_CONNECT, 1)
    try handle.set(CURLOPT_FORBID_REUSE, 1)
    try handshake.attach(to: handle)
    return try handle.send(request, self)
  }
}
