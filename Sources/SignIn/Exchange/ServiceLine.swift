internal import CIECard
package import RedirectFlow
package import System

/// The line to a service's servers: JSON over HTTP, one request after another, with one jar of cookies.
///
/// Its calls block, so they run on a thread of their own. Redirects are not followed: what is sent here are codes,
/// passwords and tokens. Only the origins that the service description names are spoken to.
package actor ServiceLine {
  /// Makes the user agent; tests bring a script.
  package typealias Maker = @Sendable () throws(HTTPError) -> any PageExchange

  /// The longest answer, in bytes; real ones have a few thousand.
  static let answerLimit = 256 << 10

  private let thread = CardThread()
  private let make: Maker
  private let origins: Set<RedirectURL.Origin>
  private let headers: [HTTPResponse.Header]
  private var exchange: (any PageExchange)?

  /// The executor of its thread.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    thread.asUnownedSerialExecutor()
  }

  /// A line that is not open yet.
  ///
  /// - Parameters:
  ///   - origins: who is spoken to.
  ///   - headers: what every request carries.
  package init(
    to origins: Set<RedirectURL.Origin>, headers: [HTTPResponse.Header] = [],
    _ make: @escaping Maker
  ) {
    self.origins = origins
    self.headers = headers
    self.make = make
  }

  /// GET.
  ///
  /// - Parameter bearer: a token for the `Authorization` field (RFC 6750 §2.1).
  package func get(
    _ url: RedirectURL, bearer: String? = nil, _ fields: [HTTPResponse.Header] = []
  ) throws(ExchangeProblem) -> ServiceAnswer {
    try send(.get, to: url, bearer, fields)
  }

  /// DELETE.
  package func delete(_ url: RedirectURL) throws(ExchangeProblem) -> ServiceAnswer {
    try send(.delete, to: url, nil, [])
  }

  /// POST of a form (application/x-www-form-urlencoded).
  package func post(
    _ form: HTTPForm, to url: RedirectURL, bearer: String? = nil,
    _ fields: [HTTPResponse.Header] = []
  ) throws(ExchangeProblem) -> ServiceAnswer {
    try send(.post(form), to: url, bearer, fields)
  }

  /// POST of a JSON object.
  package func post(
    _ json: JSON, to url: RedirectURL, bearer: String? = nil, _ fields: [HTTPResponse.Header] = []
  ) throws(ExchangeProblem) -> ServiceAnswer {
    try send(
      .postJSON(json.text), to: url, bearer,
      [.init(name: "Content-Type", value: "application/json")] + fields)
  }

  private func send(
    _ method: HTTPRequest.Method, to url: RedirectURL, _ bearer: String?,
    _ fields: [HTTPResponse.Header]
  ) throws(ExchangeProblem) -> ServiceAnswer {
    guard url.scheme == .https else { throw .notHTTPS }
    guard origins.contains(url.origin) else { throw .foreignHost(url.origin) }
    var request = HTTPRequest(
      url: url.withoutFragment.text, method: method, bodyLimit: Self.answerLimit)
    request.headers = [.init(name: "Accept", value: "application/json")] + headers + fields
    if let bearer {
      // What a server gave as a token must not become a second field.
      guard bearer.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .unusableToken }
      request.headers.append(.init(name: "Authorization", value: "Bearer " + bearer))
    }
    let response: HTTPResponse
    do throws(HTTPError) {
      response = try opened().send(request)
    } catch { throw .http(error) }
    return try ServiceAnswer(response)
  }

  private func opened() throws(HTTPError) -> any PageExchange {
    if let exchange { return exchange }
    let line = try make()
    exchange = line
    return line
  }
}
