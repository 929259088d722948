/// What a browser needs of HTTP: exchanges with one jar of cookies, redirects not followed.
///
/// `HTTPClient` is the real one; tests bring a script.
protocol PageExchange: AnyObject {
  /// One exchange.
  func send(_ request: HTTPRequest) throws(HTTPError) -> HTTPResponse

  /// The cookies, each a line of Netscape's cookie file.
  var cookies: [String] { get }
}

extension HTTPClient: PageExchange {}
