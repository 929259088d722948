import CardWork
import Messages
import RedirectFlow
import SignIn
import Synchronization

/// Steps of a sign-in in a browser or on a phone.
extension SignInRun {
  /// Sends the person there, and waits for the return.
  func visit(_ need: SignInState.BrowserRequired, _ signIn: SignInSession) throws(Failure)
    -> SignInState
  {
    if let browser { return try watch(need, in: browser, signIn) }
    guard need.awaitsAddress else {
      show(need)
      return try step(signIn) { () async throws(SignInError) in try await need.wait() }
    }
    try requireChannel()
    show(need)
    // Meanwhile the first page must be served.
    let waiting = Task {
      () async -> Result<SignInState, SignInError> in
      do throws(SignInError) { return .success(try await need.wait()) } catch {
        return .failure(error)
      }
    }
    do throws(Failure) { try bringAddress(to: need) } catch {
      signIn.cancel()
      throw error
    }
    return try step(signIn) { () async throws(SignInError) in try await waiting.value.get() }
  }

  /// - Throws: `.optionNeeded` if no address can be entered.
  private func requireChannel() throws(Failure) {
    guard channel == .loopback else { return }
    switch QuestionTerminal(session) {
    case .some: return
    case nil:
      throw .optionNeeded("--browser", choices: BrowserOption.allCases.map(\.rawValue))
    }
  }

  /// Reads the address at which the browser has ended from the person, or from standard input.
  private func bringAddress(to need: SignInState.BrowserRequired) throws(Failure) {
    var failures = 0
    while true {
      let address = try returnedAddress()
      do throws(SignInError) { return try need.bring(address) } catch {
        failures += 1
        guard channel == .loopback, failures < Self.attempts else { throw .above(error) }
        tell([Diagnosis(error).what(session.language)])
      }
    }
  }

  private func returnedAddress() throws(Failure) -> String {
    guard channel == .loopback, let terminal = QuestionTerminal(session) else {
      return try session.standardInputLine()
    }
    return try terminal.answer(
      to: Message("browser.address.question"), atMost: RedirectURL.lengthLimit)
  }

  /// Opens a watched browser until the sign-in ends in it, then closes it.
  private func watch(
    _ need: SignInState.BrowserRequired, in browser: InstalledBrowser, _ signIn: SignInSession
  ) throws(Failure) -> SignInState {
    if need.userCode != nil { show(need) }
    let window = try browser.open(in: session)
    defer { window.end() }
    let door = need.door
    let watch = WatchedReturn(
      in: window, isEnd: { door?.takes($0) ?? false },
      takesData: { door?.takesData(at: $0) ?? false })
    let problem = WindowProblem()
    Task {
      do throws(LoginError) {
        let end = try await watch.end(from: need.url)
        try? door?.bring(end.address, showing: end.body)
      } catch {
        guard !watch.isCancelled else { return }
        problem.note(error)
        signIn.cancel()
      }
    }
    defer { watch.cancel() }
    do throws(Failure) {
      return try step(signIn) { () async throws(SignInError) in try await need.wait() }
    } catch {
      guard let problem = problem.error, session.interruption.signal == nil else { throw error }
      throw .login(problem)
    }
  }

  /// Shows the address to continue at, even if standard error is kept clean, because it is not shown elsewhere.
  private func show(_ need: SignInState.BrowserRequired) {
    if opensBrowser, DesktopProgram.opener?.run(word: need.url.text) == true {
      return tell([Message("browser.opened")(session.language)])
    }
    session.progress.clear()
    var lines = [Message("browser.go-on")(session.language), "  " + need.url.text]
    if let code = need.userCode {
      lines.append(Message("browser.user-code", ["code": code.display])(session.language))
    }
    Stream.error.write(lines: lines)
    // A QR code helps only for a page with a user code, because the others redirect to this machine.
    if need.userCode != nil, Stream.error.isTerminal,
      let code = try? RedirectURL.QRCode(need.url.text)
    {
      Stream.error.write(raw: code.terminalText)
    }
  }
}

/// Error of the window, after it is closed.
private final class WindowProblem: Sendable {
  private let first = Mutex<LoginError?>(nil)

  var error: LoginError? { first.withLock { $0 } }

  func note(_ error: LoginError) { first.withLock { $0 = error } }
}
