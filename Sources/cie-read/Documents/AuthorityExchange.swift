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
  private let session: RunContext
  private let noted = Mutex<Failure?>(nil)

  init(_ session: RunContext) { self.session = session }

  var time: UTCTime { session.time }

  /// The longest time for an answer, and the longest CRL in bytes.
  private static let patience = Duration.seconds(30)
  private static let longestList = 16 << 20

  /// The services of certificates' issuers.
  var revocations: RevocationService {
    RevocationService(at: time) { [self] (request) throws(DocumentError) in
      do throws(Failure) {
        switch request {
        case .get(let url):
          return try answer(
            to: HTTPRequest(url: url, method: .get, bodyLimit: Self.longestList),
            Message("wait.issuer"))
        case .post(let url, let body):
          return try answer(
            to: HTTPRequest(url: url, method: .postBytes(body)), type: "application/ocsp-request",
            Message("wait.issuer"))
        }
      } catch {
        note(error)
        throw .revocation(.unreachable)
      }
    }
  }

  /// Sends a request and returns the body of the answer.
  ///
  /// - Parameters:
  ///   - type: media type of the request's body.
  ///   - wait: shown until the answer comes.
  func answer(
    to request: HTTPRequest, type: String? = nil, _ wait: Message
  ) throws(Failure) -> [UInt8] {
    session.progress.show(wait)
    defer { session.progress.clear() }
    let cancellation = CancellationToken()
    let settings = HTTPSettings(
      trust: nil, userAgent: "cie-read", timeout: Self.patience, cancellation: cancellation)
    var request = request
    if let type { request.headers.append(.init(name: "Content-Type", value: type)) }
    defer { session.interruption.forget() }
    let outcome: Result<HTTPResponse, HTTPError>
    do throws(ChannelError) {
      outcome = try session.interruption.cancelling({ cancellation.cancel() }) {
        () throws(ChannelError) in
        Result { () throws(HTTPError) in try HTTPClient(settings).send(request) }
      }
    } catch { throw .channel(error) }
    switch outcome {
    case .success(let response) where response.status == 200: return response.body
    case .success(let response): throw .found(.refused(request.url, status: response.status))
    case .failure(.cancelled): throw .interrupted
    case .failure(let error):
      throw .found(Diagnosis(error, at: LoginStage.serviceProvider.rawValue))
    }
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
}
