import Messages
import RedirectFlow
import SignIn
import Synchronization

/// The part of a sign-in that is done in a browser, or with a phone.
extension SignInRun {
  /// Sends the person there, and waits until they are back.
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
    // Meanwhile the page with which it begins is served.
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

  /// - Throws: `.optionNeeded` where nobody can enter an address.
  private func requireChannel() throws(Failure) {
    guard channel == .loopback else { return }
    switch QuestionTerminal(session) {
    case .some: return
    case nil:
      throw .usage(
        .optionNeeded("--browser", choices: BrowserOption.allCases.map(\.rawValue)))
    }
  }

  /// Takes the address at which the browser has ended from the person, or from standard input.
  private func bringAddress(to need: SignInState.BrowserRequired) throws(Failure) {
    var failures = 0
    while true {
      let address = try returnedAddress()
      do throws(SignInError) { return try need.bring(address) } catch {
        failures += 1
        guard channel == .loopback, failures < Self.attempts else { throw .signIn(error) }
        tell([Diagnosis(error).what(session.language)])
      }
    }
  }

  private func returnedAddress() throws(Failure) -> String {
    guard channel == .loopback, let terminal = QuestionTerminal(session) else {
      return try session.standardInputLine()
    }
    return try terminal.line(
      Message("browser.address.question"), atMost: RedirectURL.lengthLimit)
  }

  /// Opens a browser that is watched until the sign-in ends in it, and closes it then.
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

  /// Where the person goes on; shown even where standard error is kept clean, as there is no other way to get there.
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
    // With another device only a page goes on that has a code for it: the others come back to this machine.
    if need.userCode != nil, Stream.error.isTerminal,
      let code = try? RedirectURL.QRCode(need.url.text)
    {
      Stream.error.write(raw: code.terminalText)
    }
  }
}

/// Why the window is gone, once it is.
private final class WindowProblem: Sendable {
  private let first = Mutex<LoginError?>(nil)

  var error: LoginError? { first.withLock { $0 } }

  func note(_ error: LoginError) { first.withLock { $0 = error } }
}
