import CIECard
import CardWork
import DocumentSigning
import Messages
import Primitives
import RedirectFlow

/// The answers of the authorities that were asked about one file, each by its address.
struct AuthorityAnswers: Sendable {
  var list: [AuthorityAnswer] = []
  /// Number of addresses that were left out because the budget was spent.
  var unasked = 0
}

/// Exchanges of one run with the authorities of time stamps and certificates.
///
/// Their answers are signed, so http serves as well as https. The library judges them.
struct AuthorityClient: Sendable {
  let context: RunContext
  /// The authority of time stamps; nil without time stamps.
  var server: TimeStampServer?

  /// The longest time for an answer, and the longest CRL in bytes.
  private static let patience = Duration.seconds(30)
  private static let longestList = 16 << 20

  /// Redirects that are followed from one address (RFC 9110 §15.4).
  private static let mostRedirects = 3

  /// Gets the answer to a request that is wanted, or states why there is none.
  ///
  /// - Throws: an interruption.
  func take(
    _ request: AuthorityRequest, for authorities: inout AuthorityExchanges
  ) throws(Failure) {
    do throws(Failure) { authorities.answer(try answer(to: request)) } catch {
      guard !error.isInterruption else { throw error }
      authorities.fail(Diagnosis(error))
    }
  }

  /// Takes the steps to a signed file.
  ///
  /// - Returns: the error of the document that ended them; nil if the file is whole.
  func take(
    _ steps: consuming SigningSteps, to file: OutputFile
  ) throws(Failure) -> DocumentError? {
    while true {
      let step: SigningSteps.Step?
      do throws(DocumentError) { step = try steps.next() } catch { return error }
      switch step {
      case .ask(let request): try take(request, for: &steps.authorities)
      case .write(let block): try file.write(block)
      case nil: return nil
      }
    }
  }

  private func answer(to request: AuthorityRequest) throws(Failure) -> [UInt8] {
    switch request {
    case .timeStamp(let body):
      guard let server else { return [] }
      let request = Self.post(
        body, "application/timestamp-query", to: server.url.withoutFragment.text,
        server.authorization)
      return try Self.body(of: try response(to: request, Message("wait.time-stamp")), to: request)
    case .get(let url):
      return try redirectedAnswer(
        to: HTTPRequest(url: url, method: .get, bodyLimit: Self.longestList))
    case .post(let url, let body):
      return try redirectedAnswer(to: Self.post(body, "application/ocsp-request", to: url))
    }
  }

  private static func post(
    _ body: [UInt8], _ type: String, to url: String, _ authorization: String? = nil
  ) -> HTTPRequest {
    var request = HTTPRequest(url: url, method: .postBytes(body))
    if let authorization {
      request.headers.append(.init(name: "Authorization", value: authorization))
    }
    request.headers.append(.init(name: "Content-Type", value: type))
    return request
  }

  private func redirectedAnswer(to request: HTTPRequest) throws(Failure) -> [UInt8] {
    var request = request
    for _ in 0...Self.mostRedirects {
      let response = try response(to: request, Message("wait.issuer"))
      guard var next = request.redirected(by: response) else {
        return try Self.body(of: response, to: request)
      }
      // A request with a body is sent again as it was, but for 303, because an OCSP request without one asks nothing.
      if response.status != 303 { (next.method, next.headers) = (request.method, request.headers) }
      request = next
    }
    throw .found(.redirected(request.url, limit: Self.mostRedirects))
  }

  private static func body(
    of response: HTTPResponse, to request: HTTPRequest
  ) throws(Failure) -> [UInt8] {
    guard response.status == 200 else {
      throw .found(.refused(request.url, status: response.status))
    }
    return response.body
  }

  private func response(
    to request: HTTPRequest, _ wait: Message
  ) throws(Failure) -> HTTPResponse {
    context.progress.show(wait)
    defer { context.progress.clear() }
    let cancellation = CancellationToken()
    let settings = HTTPSettings(
      trust: nil, userAgent: "cie-read", timeout: Self.patience, cancellation: cancellation)
    defer { context.interruption.forget() }
    let outcome = try mapError(
      try context.interruption.cancelling({ cancellation.cancel() }) { () throws(ChannelError) in
        Result { () throws(HTTPError) in try HTTPClient(settings).send(request) }
      }
    ) { Failure.channel($0) }
    switch outcome {
    case .success(let response): return response
    case .failure(.cancelled): throw .interrupted
    case .failure(let error):
      throw .found(Diagnosis(error, at: LoginStage.serviceProvider.rawValue))
    }
  }
}

extension Diagnosis {
  /// An answer with another status than 200.
  fileprivate static func refused(_ url: String, status: Int) -> Diagnosis {
    let host = (try? RedirectURL(url)).map { "\($0.origin)" } ?? url
    return Diagnosis(.serverRefused, "authority-status", ["host": host, "status": status])
  }

  /// More redirects than are followed.
  fileprivate static func redirected(_ url: String, limit: Int) -> Diagnosis {
    let host = (try? RedirectURL(url)).map { "\($0.origin)" } ?? url
    return Diagnosis(.serverRefused, "authority-redirects", ["host": host, "limit": limit])
  }
}
