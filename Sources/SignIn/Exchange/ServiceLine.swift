package import RedirectFlow
internal import Synchronization
package import System

/// The line to a service's servers: JSON over HTTP, one request after another, with one jar of cookies.
///
/// Its calls block. Redirects are not followed, because codes, passwords and tokens are sent here; requests go to the origins
/// that the service description names, and to no others.
package final class ServiceLine: Sendable {
  /// Makes the user agent, in tests a script.
  package typealias Maker = @Sendable () throws(HTTPError) -> any PageExchange

  /// The longest answer, in bytes; usual ones have a few thousand.
  static let answerLimit = 256 << 10

  private let make: Maker
  private let origins: Set<RedirectURL.Origin>
  private let headers: [HTTPResponse.Header]
  private let exchange = Mutex<(any PageExchange)?>(nil)

  /// A line that is not open yet.
  ///
  /// - Parameters:
  ///   - origins: the servers that may be asked.
  ///   - headers: fields of every request.
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
      // Header injection: no CR or LF in a token.
      guard bearer.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .unusableToken }
      request.headers.append(.init(name: "Authorization", value: "Bearer " + bearer))
    }
    let response: HTTPResponse
    do throws(HTTPError) {
      response = try exchange.withLock { (exchange) throws(HTTPError) in
        if let exchange { return try exchange.send(request) }
        let new = try make()
        exchange = new
        return try new.send(request)
      }
    } catch { throw .http(error) }
    return try ServiceAnswer(response)
  }
}
