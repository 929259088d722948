/// A request whose URL was judged: a link that is followed, or a form that is sent.
struct FormSubmission {
  let url: RedirectURL
  let method: HTTPRequest.Method

  init(_ url: RedirectURL, _ method: HTTPRequest.Method = .get) {
    self.url = url
    self.method = method
  }

  /// The request; a fragment stays in the browser (RFC 9110 §4.2.5).
  var request: HTTPRequest {
    HTTPRequest(url: url.withoutFragment.text, method: method)
  }
}
