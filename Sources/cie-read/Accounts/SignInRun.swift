import Accounts
import Arguments
import CIECard
import CardWork
import Glibc
import Messages
import Primitives
import RedirectFlow
import SignIn
import Synchronization

/// Runs a sign-in from state to state, with input from the command line, else from the person.
struct SignInRun {
  let options: SignInOptions
  /// Source of the address at which the person's browser ends, if no redirect reaches this machine.
  let channel: ReturnOption
  /// Watched browser for the person; `nil` for their own.
  let browser: InstalledBrowser?
  let opensBrowser: Bool
  let context: RunContext

  /// Number of wrong inputs by a person before the program ends; a script has one try.
  static let attempts = 3

  func complete(_ signIn: SignInSession) throws(Failure) -> Account {
    var state = try step(signIn) { () async throws(SignInError) in try await signIn.begin() }
    var failures = 0
    while true {
      if case .completed(let account) = state { return account }
      do throws(Failure) { state = try next(state, signIn) } catch {
        guard let error = error.signIn, let again = error.again else { throw error }
        failures += 1
        guard isPerson(again), failures < Self.attempts else { throw .above(error) }
        let what = Diagnosis(error).what
        tell([what(context.language)])
        state = again
      }
    }
  }

  private func next(_ state: SignInState, _ signIn: SignInSession) throws(Failure) -> SignInState {
    switch state {
    case .providerRequired(let choice):
      let provider = try provider(of: choice)
      return try step(signIn) { () async throws(SignInError) in try await choice.choose(provider) }
    case .userNameRequired(let need):
      let name = try userName()
      return try step(signIn) { () async throws(SignInError) in try await need.submit(name) }
    case .codeRequired(let need): return try code(need, signIn)
    case .passwordRequired(let need):
      var code = try options.password.code(in: context)
      let secret = HeldSecret(try code.resolve(in: context))
      return try step(signIn) { () async throws(SignInError) in
        try await need.submit(secret.take())
      }
    case .browserRequired(let need): return try visit(need, signIn)
    case .completed: return state
    }
  }

  /// Submits a code that was sent; empty input requests another one.
  private func code(_ need: SignInState.CodeRequired, _ signIn: SignInSession) throws(Failure)
    -> SignInState
  {
    let target = need.sentTo?.display ?? "-"
    tell([
      need.length.map { Message("code-sent", ["target": target, "count": $0])(context.language) }
        ?? Message("code-sent-any", ["target": target])(context.language)
    ])
    var awaited = try options.code.code(in: context)
    let entered: Secret
    do throws(Failure) { entered = try awaited.resolve(in: context) } catch {
      guard case .code(.missing(.oneTimeCode)) = error, need.canResend,
        isPerson(.codeRequired(need))
      else { throw error }
      return try step(signIn) { () async throws(SignInError) in try await need.resend() }
    }
    let secret = HeldSecret(entered)
    return try step(signIn) { () async throws(SignInError) in try await need.submit(secret.take()) }
  }

  /// True if a person can be asked again for the state's input, and the command line does not have it.
  private func isPerson(_ state: SignInState) -> Bool {
    let isGiven: Bool =
      switch state {
      case .codeRequired: options.code.isGiven
      case .passwordRequired: options.password.isGiven
      case .userNameRequired: options.user != nil
      case .providerRequired: !options.provider.isEmpty
      case .browserRequired, .completed: true
      }
    return !isGiven && !context.standardInputIsData && isatty(STDIN_FILENO) == 1
  }

  private func userName() throws(Failure) -> String {
    if let user = options.user { return user }
    guard let terminal = QuestionTerminal(context) else {
      throw .optionNeeded("--user")
    }
    return try terminal.answer(to: Message("user-name.question"), atMost: 256)
  }

  private func provider(of choice: SignInState.ProviderRequired) throws(Failure) -> String {
    // Several providers may be given for successive lists: each list takes the one on it.
    let names = choice.providers.map(\.identifier)
    if let provider = options.provider.first(where: names.contains) { return provider }
    let available = choice.providers.filter(\.isAvailable)
    guard options.provider.isEmpty, let terminal = QuestionTerminal(context) else {
      throw .optionNeeded("--provider", choices: available.map(\.identifier))
    }
    let areWays = available.contains(where: \.isWay)
    let index = try terminal.choose(
      Message(areWays ? "verification.question" : "provider.question"),
      available.map {
        $0.isWay
          ? Message("verification.\($0.identifier)")(context.language) : $0.name.display
      })
    return available[index].identifier
  }

  /// Shows lines to the person, if one is present.
  func tell(_ lines: [String]) {
    context.progress.clear()
    context.tell(lines)
  }

  func step(
    _ signIn: SignInSession,
    _ body: @escaping @Sendable () async throws(SignInError) -> SignInState
  ) throws(Failure) -> SignInState {
    try AwaitedWork.signingIn(context, cancel: signIn.cancel, body)
  }
}

/// Secret on its way to another task, which takes it once.
private final class HeldSecret: Sendable {
  private let bytes: Secret

  init(_ secret: consuming Secret) { bytes = secret }

  func take() -> Secret {
    Secret(count: bytes.count) { copy in bytes.withBytes { copy.copyBytes(from: $0) } }
  }
}

extension QuestionTerminal {

  /// Asks for a choice, by its number.
  ///
  /// - Returns: its index.
  borrowing func choose(_ question: Message, _ choices: [String]) throws(Failure) -> Int {
    let lines = choices.enumerated().map { "  \($0.offset + 1)  \($0.element)" }
    while true {
      let text = try answer(to: question, lines, atMost: 8)
      if let number = Int(text), choices.indices.contains(number - 1) { return number - 1 }
      guard !text.isEmpty else { throw .interrupted }
    }
  }
}

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
    switch QuestionTerminal(context) {
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
        tell([Diagnosis(error).what(context.language)])
      }
    }
  }

  private func returnedAddress() throws(Failure) -> String {
    guard channel == .loopback, let terminal = QuestionTerminal(context) else {
      return try context.standardInputLine()
    }
    return try terminal.answer(
      to: Message("browser.address.question"), atMost: RedirectURL.lengthLimit)
  }

  /// Opens a watched browser until the sign-in ends in it, then closes it.
  private func watch(
    _ need: SignInState.BrowserRequired, in browser: InstalledBrowser, _ signIn: SignInSession
  ) throws(Failure) -> SignInState {
    if need.userCode != nil { show(need) }
    let window = try browser.open(in: context)
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
      guard let problem = problem.error, context.interruption.signal == nil else { throw error }
      throw .login(problem)
    }
  }

  /// Shows the address to continue at, even if standard error is kept clean, because it is not shown elsewhere.
  private func show(_ need: SignInState.BrowserRequired) {
    if opensBrowser, DesktopProgram.opener?.run(word: need.url.text) == true {
      return tell([Message("browser.opened")(context.language)])
    }
    context.progress.clear()
    var lines = [Message("browser.go-on")(context.language), "  " + need.url.text]
    if let code = need.userCode {
      lines.append(Message("browser.user-code", ["code": code.display])(context.language))
    }
    Stream.error.write(lines: lines)
    // A QR code helps only for a page with a user code, because the others redirect to this machine.
    if need.userCode != nil, Stream.error.isTerminal,
      let code = RedirectURL.QRCode(need.url.text)
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
