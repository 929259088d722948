internal import Synchronization

/// Connection to a service's servers: JSON over HTTP, one request after another, with one cookie jar.
///
/// Its calls block. Redirects are not followed, because the requests have codes, passwords and tokens; only origins of
/// the service description are contacted.
final class ServiceLine: Sendable {
  /// Maximum length of a response, in bytes; usual ones have a few thousand.
  static let answerLimit = 256 << 10

  private let make: SignInContext.Maker
  private let origins: Set<RedirectURL.Origin>
  private let headers: [HTTPResponse.Header]
  private let exchange = Mutex<(any PageExchange)?>(nil)

  /// Creates a connection, which opens on first use.
  init(
    to origins: Set<RedirectURL.Origin>, headers: [HTTPResponse.Header] = [],
    _ make: @escaping SignInContext.Maker
  ) {
    self.origins = origins
    self.headers = headers
    self.make = make
  }

  /// - Parameter bearer: access token for the `Authorization` field (RFC 6750 §2.1).
  func get(
    _ url: RedirectURL, bearer: String? = nil, _ fields: [HTTPResponse.Header] = []
  ) throws(SignInError) -> ServiceAnswer {
    try send(.get, to: url, bearer, fields)
  }

  func post(
    _ form: HTTPForm, to url: RedirectURL, bearer: String? = nil,
    _ fields: [HTTPResponse.Header] = []
  ) throws(SignInError) -> ServiceAnswer {
    try send(.post(form), to: url, bearer, fields)
  }

  func post(
    _ json: JSON, to url: RedirectURL, bearer: String? = nil, _ fields: [HTTPResponse.Header] = []
  ) throws(SignInError) -> ServiceAnswer {
    try send(
      .postBytes([UInt8](json.text.utf8)), to: url, bearer,
      [.init(name: "Content-Type", value: "application/json")] + fields)
  }

  private func send(
    _ method: HTTPRequest.Method, to url: RedirectURL, _ bearer: String?,
    _ fields: [HTTPResponse.Header]
  ) throws(SignInError) -> ServiceAnswer {
    try url.check(on: origins)
    var request = HTTPRequest(
      url: url.withoutFragment.text, method: method, bodyLimit: Self.answerLimit)
    let isJSON = !fields.contains { $0.name == "Accept" }
    request.headers =
      (isJSON ? [.init(name: "Accept", value: "application/json")] : []) + headers + fields
    if let bearer {
      // Header injection: no CR or LF in a token.
      guard bearer.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
        throw .exchange(.unusableToken)
      }
      request.headers.append(.init(name: "Authorization", value: "Bearer " + bearer))
    }
    let response = try mapError(
      try exchange.withLock { (exchange) throws(HTTPError) in
        if let exchange { return try exchange.send(request) }
        let new = try make()
        exchange = new
        return try new.send(request)
      }
    ) { SignInError.exchange(.http($0)) }
    return try ServiceAnswer(response)
  }
}

extension SignInContext {
  /// Connection to these servers only, with a separate cookie jar.
  func line(
    to origins: Set<RedirectURL.Origin>, headers: [HTTPResponse.Header] = []
  ) -> ServiceLine {
    if let make { return ServiceLine(to: origins, headers: headers, make) }
    let settings = HTTPSettings(
      trust: trust, userAgent: Self.name, timeout: timeout, cancellation: cancellation)
    return ServiceLine(to: origins, headers: headers) { () throws(HTTPError) in
      try HTTPClient(settings)
    }
  }
}

extension RedirectURL {
  /// Checks that it is `https`, on one of these servers.
  func check(on servers: Set<Origin>) throws(SignInError) {
    guard scheme == .https else { throw .exchange(.notHTTPS) }
    guard servers.contains(origin) else { throw .exchange(.foreignHost(origin)) }
  }
}
