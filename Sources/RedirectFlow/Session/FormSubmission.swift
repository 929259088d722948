/// A request whose URL was judged: a link that is followed, or a form that is sent.
struct FormSubmission {
  let url: RedirectURL
  let method: HTTPRequest.Method
  /// The page that led to it; `nil` for an address that was typed in.
  let referrer: Referrer?

  init(_ url: RedirectURL, _ method: HTTPRequest.Method = .get, from referrer: Referrer? = nil) {
    self.url = url
    self.method = method
    self.referrer = referrer
  }

  /// The request, as browsers make it; a fragment stays in the browser (RFC 9110 §4.2.5).
  var request: HTTPRequest {
    var request = HTTPRequest(
      url: url.withoutFragment.text, method: method, bodyLimit: HTMLParser.sizeLimit)
    request.headers = [
      .init(
        name: "Accept", value: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"),
      .init(name: "Accept-Language", value: "it-IT,it;q=0.9,en;q=0.8"),
    ]
    if let page = referrer?.referer(to: url) {
      request.headers.append(.init(name: "Referer", value: page))
    }
    if case .post = method, let origin = referrer?.origin(of: url) {
      request.headers.append(.init(name: "Origin", value: origin))
    }
    return request
  }
}

extension FormSubmission {
  /// - Throws: `.refusedByIdentityProvider` when this brings a response that says anything but success. What cannot be
  ///   read is no such response: past the service provider's door, its gateways may speak as they like.
  func refuseBadStatus() throws(LoginError) {
    guard let response = try? SAMLResponse(self), !response.status.isSuccess else { return }
    throw .refusedByIdentityProvider(response.status)
  }
}
