import CIECard
import CardWork
import DocumentSigning
import Messages
import Primitives
import RedirectFlow
import Synchronization

/// A server that states the time (RFC 3161 §3.4), as the command line names it.
struct TimeStampServer: Sendable {
  let url: RedirectURL
  /// Certificates of the authority or of its issuers.
  let trust: TrustStore
  /// The header field Authorization; nil without a user.
  let authorization: String?

  /// The longest time for an answer, and the longest answer in bytes: a token with its certificates has a few thousand.
  private static let patience = Duration.seconds(30)
  private static let answerLimit = 1 << 20

  /// The authority behind the server, for a run.
  ///
  /// - Parameter obstacle: takes the reason why there was no answer.
  func authority(in session: RunContext, _ obstacle: TimeStampObstacle) -> TimeStampAuthority {
    TimeStampAuthority(trust: trust, at: session.time) { (request) throws(TimeStampError) in
      do throws(Failure) { return try answer(to: request, in: session) } catch {
        obstacle.note(error)
        throw .unreachable
      }
    }
  }

  private func answer(to body: [UInt8], in session: RunContext) throws(Failure) -> [UInt8] {
    session.progress.show(Message("wait.time-stamp"))
    defer { session.progress.clear() }
    let cancellation = CancellationToken()
    let settings = HTTPSettings(
      trust: .system, userAgent: "cie-read", timeout: Self.patience, cancellation: cancellation)
    var request = HTTPRequest(
      url: url.withoutFragment.text, method: .postBytes(body), bodyLimit: Self.answerLimit)
    request.headers = [.init(name: "Content-Type", value: "application/timestamp-query")]
    if let authorization {
      request.headers.append(.init(name: "Authorization", value: authorization))
    }
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
    case .success(let response): throw .found(.refused(url.origin, status: response.status))
    case .failure(.cancelled): throw .interrupted
    case .failure(let error):
      throw .found(Diagnosis(error, at: LoginStage.serviceProvider.rawValue))
    }
  }
}

/// The reason why a server gave no answer, which the library does not know.
final class TimeStampObstacle: Sendable {
  private let state = Mutex<Failure?>(nil)

  var failure: Failure? { state.withLock { $0 } }

  func note(_ failure: Failure) { state.withLock { $0 = failure } }

  /// The failure of a document.
  func failure(_ error: SigningError, path: String) -> Failure {
    if error == .timeStamp(.unreachable), let failure { return failure }
    return .signing(error, path: path)
  }
}

extension Diagnosis {
  /// An answer with another status than 200.
  fileprivate static func refused(_ origin: RedirectURL.Origin, status: Int) -> Diagnosis {
    Diagnosis(.serverRefused, "time-stamp-status", ["host": "\(origin)", "status": status])
  }
}
