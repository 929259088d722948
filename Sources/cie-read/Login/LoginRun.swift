import CIECard
import Glibc
import Messages
import RedirectFlow
import System

/// Runs a login to its end while this thread listens for signals.
struct LoginRun {
  let settings: LoginSettings
  let card: any CardAccess
  let person: LoginPerson
  let app: LoginApp
  let session: Session

  func complete(_ link: String) throws(Failure) -> RedirectURL {
    try wait { (login) async throws(LoginFailure) in try await login.complete(link) }
  }

  func logIn(at page: RedirectURL) throws(Failure) -> LoggedIn {
    try wait { (login) async throws(LoginFailure) in try await login.logIn(at: page) }
  }

  func logIn(at page: RedirectURL, in browser: any BrowserWindow) throws(Failure) -> RedirectURL {
    try wait { (login) async throws(LoginFailure) in try await login.logIn(at: page, in: browser) }
  }

  private func wait<Value: Sendable>(
    for body: @escaping @Sendable (LoginSession) async throws(LoginFailure) -> Value
  ) throws(Failure) -> Value {
    let login = LoginSession(
      settings.configuration, card: LoginCard(card), app: app, person: person, observer: person)
    let result = AwaitedWork.result(until: session.interruption, cancel: login.cancel) {
      () async -> Result<Value, LoginFailure> in
      do throws(LoginFailure) { return .success(try await body(login)) } catch {
        return .failure(error)
      }
    }
    session.progress.clear()
    switch result {
    case .success(let value): return value
    case .failure(let error): throw Failure(error.error, session)
    }
  }
}

extension Failure {
  /// A failed login, as an error of the command line.
  init(_ error: LoginError, _ session: Session) {
    guard session.interruption.signal == nil else {
      self = .interrupted
      return
    }
    self =
      switch error {
      case .card(let error): .card(error)
      case .channel(let error): .channel(error)
      case .host(let host): host.error as? Failure ?? .login(error)
      default: .login(error)
      }
  }
}
