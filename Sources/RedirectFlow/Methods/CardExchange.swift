/// What the card methods need of HTTP: exchanges without any cookie of the pages.
///
/// `CardClient` is the real one; tests bring a script.
protocol CardExchange: Sendable {
  /// Posts a form, without a certificate.
  func post(
    _ url: RedirectURL, _ form: HTTPForm, bodyLimit: Int
  ) throws(HTTPError) -> HTTPResponse

  /// Posts a form over a connection on which the card's key proves itself, after the server has.
  func post(
    _ url: RedirectURL, _ form: HTTPForm, bodyLimit: Int, with key: any LoginKey
  ) throws(HTTPError) -> HTTPResponse
}

/// The card's calls over libcurl.
struct CardClient: CardExchange {
  private var settings: HTTPSettings

  /// - Parameter settings: those of the login; the header field User-Agent is replaced.
  init(_ settings: HTTPSettings) {
    self.settings = settings
    // What io-cie-sdk and both curl-based iOS clients send with this call.
    self.settings.userAgent = "Mozilla/5.0"
  }

  func post(
    _ url: RedirectURL, _ form: HTTPForm, bodyLimit: Int
  ) throws(HTTPError) -> HTTPResponse {
    // A client of its own: it has no cookies, and keeps none.
    try HTTPClient(settings).post(url.text, form: form, bodyLimit: bodyLimit)
  }

  func post(
    _ url: RedirectURL, _ form: HTTPForm, bodyLimit: Int, with key: any LoginKey
  ) throws(HTTPError) -> HTTPResponse {
    try HTTPClient(settings).postWithCard(url.text, form: form, key: key, bodyLimit: bodyLimit)
  }
}
