import CIECard
import Glibc
import Messages
import RedirectFlow
import Synchronization
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
    let end = LoginEnd<Value>()
    Task {
      do throws(LoginFailure) { end.tell(.success(try await body(login))) } catch {
        end.tell(.failure(error))
      }
    }
    do throws(Failure) { try session.interruption.wait(until: end.descriptor, .readable) } catch {
      // The first signal ends waiting and lets the card answer; then the login ends by itself.
      login.cancel()
    }
    let result = end.wait()
    session.progress.clear()
    switch result {
    case .success(let value): return value
    case .failure(let error): throw Failure(error.error, session)
    }
  }
}

/// Where a login puts its result, and a descriptor that can be read from then on.
private final class LoginEnd<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, LoginFailure>?>(nil)
  private let pipe = try? Pipe()

  var descriptor: Int32 { pipe?.reading ?? -1 }

  func tell(_ value: Result<Value, LoginFailure>) {
    result.withLock { $0 = value }
    _ = write(pipe?.writing ?? -1, [0 as UInt8], 1)
  }

  func wait() -> Result<Value, LoginFailure> {
    while true {
      if let value = result.withLock({ $0 }) { return value }
      var descriptors = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
      poll(&descriptors, 1, -1)
    }
  }

  deinit { pipe?.close() }
}

extension Failure {
  /// A login that failed, as the command line tells it.
  fileprivate init(_ error: LoginError, _ session: Session) {
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
