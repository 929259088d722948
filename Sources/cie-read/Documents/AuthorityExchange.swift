import CIECard
import CardWork
import DocumentSigning
import Messages
import Primitives
import RedirectFlow
import Synchronization

/// Exchanges of one run with the authorities of time stamps and certificates.
///
/// Their answers are signed, so http serves as well as https. The library judges the answers; the reason why there is none
/// stays here.
final class AuthorityExchange: Sendable {
  private let context: RunContext
  private let noted = Mutex<Failure?>(nil)

  init(_ context: RunContext) { self.context = context }

  var time: UTCTime { context.time }

  /// The longest time for an answer, and the longest CRL in bytes.
  private static let patience = Duration.seconds(30)
  private static let longestList = 16 << 20

  /// Redirects that are followed from one address (RFC 9110 §15.4).
  private static let mostRedirects = 3

  /// The services of certificates' issuers, for one file.
  func revocations() -> RevocationService {
    RevocationService(at: time) { [self] (request) throws(AuthorityFault) in
      do throws(Failure) {
        switch request {
        case .get(let url):
          return try redirectedAnswer(
            to: HTTPRequest(url: url, method: .get, bodyLimit: Self.longestList))
        case .post(let url, let body):
          var request = HTTPRequest(url: url, method: .postBytes(body))
          request.headers.append(Self.type("application/ocsp-request"))
          return try redirectedAnswer(to: request)
        }
      } catch {
        note(error)
        throw AuthorityFault(Diagnosis(error))
      }
    }
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

  /// Sends a request and returns the body of the answer.
  ///
  /// - Parameters:
  ///   - type: media type of the request's body.
  ///   - wait: shown until the answer comes.
  func answer(
    to request: HTTPRequest, type: String, _ wait: Message
  ) throws(Failure) -> [UInt8] {
    var request = request
    request.headers.append(Self.type(type))
    return try Self.body(of: try response(to: request, wait), to: request)
  }

  private static func type(_ value: String) -> HTTPResponse.Header {
    .init(name: "Content-Type", value: value)
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
    let outcome: Result<HTTPResponse, HTTPError>
    do throws(ChannelError) {
      outcome = try context.interruption.cancelling({ cancellation.cancel() }) {
        () throws(ChannelError) in
        Result { () throws(HTTPError) in try HTTPClient(settings).send(request) }
      }
    } catch { throw .channel(error) }
    switch outcome {
    case .success(let response): return response
    case .failure(.cancelled): throw .interrupted
    case .failure(let error):
      throw .found(Diagnosis(error, at: LoginStage.serviceProvider.rawValue))
    }
  }

  /// The interruption of the run, if it ended an exchange.
  var interruption: Failure? {
    noted.withLock { $0 }.flatMap { $0.isInterruption ? $0 : nil }
  }

  func note(_ failure: Failure) { noted.withLock { $0 = failure } }

  func failure(_ error: DocumentError, path: String) -> Failure {
    let hasNoAnswer = error == .timeStamp(.unreachable) || error == .revocation(.unreachable)
    if hasNoAnswer, let failure = noted.withLock({ $0 }) { return failure }
    return .signing(error, path: path)
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
