internal import CCurl
internal import COpenSSL

/// A user agent: one conversation with cookies, over libcurl. Certificates are always checked.
///
/// Its calls block; they belong on a thread that may wait. Redirects come back as answers: `Browser` checks and
/// follows them. Proxies come from the environment (`HTTPProxy`).
package final class HTTPClient {
  package let settings: HTTPSettings
  private let handle: CurlHandle

  package init(_ settings: HTTPSettings) throws(HTTPError) {
    self.settings = settings
    handle = try CurlHandle()
    // An empty name keeps cookies in memory and reads no file.
    try handle.set(CURLOPT_COOKIEFILE, "")
  }

  /// The cookies, each a line of Netscape's cookie file. Secrets.
  package var cookies: [String] { handle.list(CURLINFO_COOKIELIST) }

  /// One exchange, without following redirects.
  package func send(_ request: HTTPRequest) throws(HTTPError) -> HTTPResponse {
    try settings.apply(to: handle)
    return try handle.send(request, settings)
  }
}

extension HTTPSettings {
  /// Applies all settings that do not depend on the request.
  package func apply(to handle: borrowing CurlHandle) throws(HTTPError) {
    // Signals would change the behaviour of the whole process.
    try handle.set(CURLOPT_NOSIGNAL, 1)
    try handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
    // HTTP/2 does not help with one request at a time, and a server cannot ask for the certificate of one path in it
    // (RFC 9113 §9.2.1).
    try handle.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    try handle.set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    try handle.set(CURLOPT_USERAGENT, userAgent)
    try handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)

    try handle.set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    try handle.set(CURLOPT_SSL_VERIFYPEER, 1)
    try handle.set(CURLOPT_SSL_VERIFYHOST, 2)
    if let trust {
      try handle.set(CURLOPT_CAINFO, trust)
      try handle.set(CURLOPT_CAPATH, nil as String?)
    }

    // libcurl would write the keys of every connection to the file that SSLKEYLOGFILE names.
    try handle.check(
      curl_set_ssl_context(handle.pointer) { _, context, _ in
        SSL_CTX_set_keylog_callback(context.map(OpaquePointer.init), nil)
        return CURLE_OK
      })
    if let proxyTrust { try handle.set(CURLOPT_PROXY_CAINFO, proxyTrust) }

    // libcurl's own limits for connecting are longer, and end with this one.
    try handle.set(CURLOPT_TIMEOUT_MS, timeout)
    try handle.set(CURLOPT_CONNECTTIMEOUT_MS, min(timeout, silence ?? timeout))
    if let silence {
      try handle.set(CURLOPT_LOW_SPEED_LIMIT, 1)
      try handle.set(CURLOPT_LOW_SPEED_TIME, Int(silence.components.seconds))
    }
    // Does not wait for an unresponsive name server.
    try handle.set(CURLOPT_QUICK_EXIT, 1)
  }
}

extension CurlHandle {
  /// Makes one exchange with a handle to which the settings were applied.
  package borrowing func send(
    _ request: HTTPRequest, _ settings: HTTPSettings
  ) throws(HTTPError) -> HTTPResponse {
    guard let host = CurlURL.host(of: request.url) else { throw .unusableURL }
    if settings.cancellation.isCancelled { throw .cancelled }
    let proxy = try HTTPProxy(for: request.url, host: host, settings.environment)
    // Set in both cases, so that libcurl does not read the environment itself.
    try set(CURLOPT_PROXY, proxy?.url ?? "")
    try set(CURLOPT_NOPROXY, "")
    try set(CURLOPT_URL, request.url)
    // A path is sent as it was checked: libcurl would resolve dots in it.
    try set(CURLOPT_PATH_AS_IS, 1)
    switch request.method {
    case .get: try set(CURLOPT_HTTPGET, 1)
    case .post(let form): try post([UInt8](form.encoded.utf8))
    case .postBytes(let bytes): try post(bytes)
    }
    var headers: UnsafeMutablePointer<curl_slist>?
    defer { curl_slist_free_all(headers) }
    for header in request.headers {
      headers = curl_slist_append(headers, "\(header.name): \(header.value)")
    }
    try set(CURLOPT_HTTPHEADER, headers.map { UnsafeMutableRawPointer($0) })
    let transfer = Transfer(bodyLimit: request.bodyLimit, cancellation: settings.cancellation)
    try transfer.attach(to: self)
    let code = withExtendedLifetime(transfer) { curl_easy_perform(pointer) }
    let isEnough =
      request.takesPart && transfer.hasAnswer && code != CURLE_ABORTED_BY_CALLBACK
      && number(CURLINFO_RESPONSE_CODE) >= 200
    guard code == CURLE_OK || isEnough else {
      if let refusal = transfer.refusal { throw refusal }
      if let proxy, let problem = proxyProblem(code, at: proxy) {
        throw .proxy(problem, host: proxy.host)
      }
      throw HTTPError(
        code, host: host, trust: settings.trust, verifyResult: number(CURLINFO_SSL_VERIFYRESULT))
    }
    var response = try HTTPResponse(
      status: number(CURLINFO_RESPONSE_CODE), url: request.url, headers: transfer.headers,
      body: transfer.body)
    response.isComplete = code == CURLE_OK
    return response
  }

  private borrowing func post(_ body: [UInt8]) throws(HTTPError) {
    // libcurl copies as many bytes as the size says; a zero behind them gives an empty body an address, too.
    try set(CURLOPT_POSTFIELDSIZE, body.count)
    var bytes = body + [0]
    try check(
      bytes.withUnsafeMutableBytes {
        curl_set_pointer(pointer, CURLOPT_COPYPOSTFIELDS, $0.baseAddress)
      })
    try set(CURLOPT_POST, 1)
  }
}

/// The browser's use of HTTP: exchanges with one jar of cookies, redirects not followed.
///
/// `HTTPClient` is the real one; tests use a script.
package protocol PageExchange: AnyObject {
  func send(_ request: HTTPRequest) throws(HTTPError) -> HTTPResponse

  /// The cookies, each a line of Netscape's cookie file.
  var cookies: [String] { get }
}

extension HTTPClient: PageExchange {}
