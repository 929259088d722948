import CIECard
import CardWork
import RedirectFlow
import Synchronization

/// The failure of this program's part in a login: of the card, of the person, of a file. It ends the login, which by
/// itself is only cancelled then, so that no error of the login must carry it.
final class LoginObstacle: Sendable {
  private let state = Mutex<(failure: Failure?, isGivenUp: Bool)>((nil, false))

  /// The failure. Once the login was given up, only an answer of the card counts, because a try may be gone.
  var failure: Failure? {
    state.withLock { state in
      state.failure.flatMap { state.isGivenUp && !$0.isAnswerOfTheCard ? nil : $0 }
    }
  }

  func note(_ failure: Failure) { state.withLock { $0.failure = failure } }

  func giveUp() { state.withLock { $0.isGivenUp = true } }

  /// Runs the card's part inside of the login.
  func catching<Result>(_ body: () throws(Failure) -> Result) throws(LoginError) -> Result {
    do { return try body() } catch {
      if let error = error.login { throw error }
      note(error)
      throw .cancelled
    }
  }

  /// Runs a question to the person inside of the login.
  func cancelling<Result>(
    _ body: () throws(Failure) -> Result
  ) throws(CancellationError) -> Result {
    do { return try body() } catch {
      note(error)
      throw CancellationError()
    }
  }
}

extension Failure {
  init(_ error: LoginError) {
    self =
      switch error {
      case .card(let error): .card(error)
      case .channel(let error): .channel(error)
      default: .login(error)
      }
  }

  fileprivate var isAnswerOfTheCard: Bool {
    guard case .card(let error) = self else { return false }
    if case .channel = error.reason { return false }
    return true
  }
}
