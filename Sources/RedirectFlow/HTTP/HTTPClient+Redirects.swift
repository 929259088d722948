extension HTTPClient {
  /// How many redirects are followed.
  static let redirectLimit = 10

  /// An exchange that follows redirects, each only when the judge says so.
  ///
  /// - Parameter judge: gets every redirect as two absolute URLs, also one whose scheme is not HTTP: a hand-off to
  ///   an app looks like that. When it answers `false` the redirect itself is the result.
  /// - Throws: `HTTPError`, `insecureRedirect` among them when the judge lets https lead to http; and what the
  ///   judge throws.
  func send(
    _ request: HTTPRequest, following judge: (_ from: String, _ to: String) throws -> Bool
  ) throws -> HTTPResponse {
    var request = request
    var followed = 0
    while true {
      let response = try send(request)
      guard let next = request.redirected(by: response), try judge(request.url, next.url) else {
        return response
      }
      guard followed < Self.redirectLimit else {
        throw HTTPError.tooManyRedirects(limit: Self.redirectLimit)
      }
      guard CurlURL.isPlain(next.url) else { throw HTTPError.unusableURL }
      guard CurlURL.isSecure(next.url) || !CurlURL.isSecure(request.url) else {
        throw HTTPError.insecureRedirect
      }
      request = next
      followed += 1
    }
  }
}
