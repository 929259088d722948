import CIECard
import CardWork
import Messages
import Primitives
import RedirectFlow

/// Exchanges with servers whose answers are signed: authorities, and publishers of lists.
extension RunContext {
  /// Redirects that are followed from one address (RFC 9110 §15.4).
  private static var mostRedirects: Int { 3 }

  /// Sends a request, and follows its redirects.
  ///
  /// - Parameters:
  ///   - wait: the text about it while it lasts.
  ///   - patience: the time limit of each exchange.
  ///   - isAllowed: false for an address that is not asked.
  func follow(
    _ request: HTTPRequest, _ wait: Message, within patience: Duration,
    where isAllowed: (String) -> Bool = { _ in true }
  ) throws(Failure) -> HTTPResponse {
    var request = request
    for _ in 0...Self.mostRedirects {
      guard isAllowed(request.url) else { throw .found(.inClear(request.url)) }
      let response = try exchange(request, wait, within: patience)
      guard var next = request.redirected(by: response) else { return response }
      // A request with a body is sent again as it was, but for 303, because an OCSP request without one asks nothing.
      if response.status != 303 { (next.method, next.headers) = (request.method, request.headers) }
      request = next
    }
    throw .found(.redirected(request.url, limit: Self.mostRedirects))
  }

  /// Sends a request; a redirect is an answer.
  ///
  /// - Throws: an interruption, or the reason why there is no answer.
  func exchange(
    _ request: HTTPRequest, _ wait: Message, within patience: Duration
  ) throws(Failure) -> HTTPResponse {
    progress.show(wait)
    defer { progress.clear() }
    let cancellation = CancellationToken()
    var settings = HTTPSettings(
      trust: nil, userAgent: "cie-read", timeout: patience, cancellation: cancellation)
    settings.silence = .seconds(30)
    defer { interruption.forget() }
    let outcome = try mapError(
      try interruption.cancelling({ cancellation.cancel() }) { () throws(ChannelError) in
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
  /// More redirects than are followed.
  fileprivate static func redirected(_ url: String, limit: Int) -> Diagnosis {
    Diagnosis(.serverRefused, "authority-redirects", ["host": host(of: url), "limit": limit])
  }

  /// An address that is not asked, because anybody on the way could answer with an older list.
  fileprivate static func inClear(_ url: String) -> Diagnosis {
    Diagnosis(.serverRefused, "list-in-clear", ["host": host(of: url)])
  }

  /// The origin of an address, for people.
  static func host(of url: String) -> String {
    (try? RedirectURL(url)).map { "\($0.origin)" } ?? url
  }
}
