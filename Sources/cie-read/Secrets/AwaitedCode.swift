import CIECard
import Glibc
import Messages

/// A PIN or PUK that is already here, or for which a person will be asked once the card is there.
enum AwaitedCode: ~Copyable {
  case given(Secret)
  case toAsk(CodeRole)

  /// Reads it from where the command line says: a descriptor, a file, else standard input unless that is a terminal.
  ///
  /// - Throws: before any card is asked, also when it has not its digits.
  init(
    _ role: CodeRole, descriptor: Int32?, file: String?, in session: Session
  ) throws(Failure) {
    let line: Secret
    switch (descriptor, file) {
    case (.some, .some):
      throw .usage(.severalCodeSources(role))
    case (let descriptor?, nil):
      guard !(descriptor == STDIN_FILENO && session.standardInputIsData) else {
        throw .usage(.standardInputTwice)
      }
      line = try CodeLine.read(descriptor, as: role, session.interruption)
    case (nil, let file?):
      line = try CodeFile.read(file, as: role, session.interruption)
    case (nil, nil)
    where session.standardInputIsData || session.usesPinentry || isatty(STDIN_FILENO) == 1:
      self = .toAsk(role)
      return
    case (nil, nil):
      line = try CodeLine.read(STDIN_FILENO, as: role, session.interruption)
    }
    try CodeForm.check(line, as: role)
    self = .given(line)
  }

  /// One that the command line holds.
  init(_ role: CodeRole, _ code: consuming Secret) throws(Failure) {
    try CodeForm.check(code, as: role)
    self = .given(code)
  }

  /// The code; asked for on the terminal now if it is not here yet.
  ///
  /// It is kept, too: a transmission that is begun anew must not ask a person twice.
  ///
  /// - Parameters:
  ///   - twice: whether a person must type it twice.
  ///   - triesLeft: what the card tells, for the person.
  ///   - digits: how many digits it has, where its role does not say.
  mutating func resolve(
    in session: Session, twice: Bool = false, triesLeft: Int? = nil, digits: Int? = nil
  ) throws(Failure) -> Secret {
    switch consume self {
    case .given(let code):
      let copy = code.copied()
      self = .given(code)
      return copy
    case .toAsk(let role):
      self = .toAsk(role)
      let code = try Self.ask(role, triesLeft, digits, twice: twice, in: session)
      let copy = code.copied()
      self = .given(code)
      return copy
    }
  }

  private static func ask(
    _ role: CodeRole, _ triesLeft: Int?, _ digits: Int?, twice: Bool, in session: Session
  ) throws(Failure) -> Secret {
    session.progress.clear()
    let code = try ask(role, role.prompt(triesLeft, digits), in: session)
    try CodeForm.check(code, as: role)
    guard twice else { return code }
    let again = try askAgain(role, in: session)
    guard code.equals(again) else { throw .code(.entriesDiffer) }
    return code
  }

  /// Asks for a new code once more.
  static func askAgain(_ role: CodeRole, in session: Session) throws(Failure) -> Secret {
    try ask(role, role.repeatPrompt, in: session)
  }

  private static func ask(
    _ role: CodeRole, _ prompt: Message, in session: Session
  ) throws(Failure) -> Secret {
    session.usesPinentry
      ? try Pinentry(for: role, session).ask(prompt)
      : try CodeTerminal(for: role, session).ask(prompt)
  }

  /// Whether a person will be asked for it.
  var isToBeAsked: Bool {
    switch self {
    case .given: false
    case .toAsk: true
    }
  }

  /// Whether there is a terminal to ask on, if it comes to that: better known before the card is opened.
  borrowing func requireTerminal(in session: Session) throws(Failure) {
    switch self {
    case .given: return
    case .toAsk(let role):
      guard session.usesPinentry else {
        _ = try CodeTerminal(for: role, session)
        return
      }
      guard DesktopProgram.path(of: "pinentry") != nil else { throw .code(.noPinentry(role)) }
    }
  }

  /// Whether a new PIN that is already here is fit to be one: better known before the card is opened.
  borrowing func requireFitness() throws(Failure) {
    switch self {
    case .given(let new): _ = try CodeForm.newPIN(new.copied())
    case .toAsk: return
    }
  }

  /// The same, and whether it is another one than an old one that is here too.
  borrowing func requireFitness(besides old: borrowing AwaitedCode) throws(Failure) {
    switch self {
    case .given(let new):
      _ = try CodeForm.newPIN(new.copied())
      guard !old.holds(new) else { throw .code(.unchanged) }
    case .toAsk: return
    }
  }

  /// Whether it is here and this one.
  ///
  /// Apart, and never inlined: the optimizer of Swift 6.3.1 fails on a second `switch` over such a value in one function.
  @inline(never)
  private borrowing func holds(_ code: borrowing Secret) -> Bool {
    switch self {
    case .given(let own): own.equals(code)
    case .toAsk: false
    }
  }
}

extension Secret {
  fileprivate borrowing func copied() -> Secret {
    Secret(count: count) { copy in withBytes { copy.copyBytes(from: $0) } }
  }
}

/// The form that every code has, checked before the card is asked.
enum CodeForm {
  static func check(_ code: borrowing Secret, as role: CodeRole) throws(Failure) {
    guard code.count > 0 else { throw .code(.missing(role)) }
    guard let length = role.length else { return }
    guard code.count == length else { throw .code(.length(role)) }
    guard code.withBytes({ $0.allSatisfy { (0x30...0x39).contains($0) } }) else {
      throw .code(.notDigits(role))
    }
  }

  /// The PIN in a code.
  static func pin(_ code: consuming Secret, as role: CodeRole = .pin) throws(Failure) -> PIN {
    do throws(AccessCode.FormatError) { return try PIN(code) } catch { throw role.failure(error) }
  }

  /// The PUK in a code.
  static func puk(_ code: consuming Secret) throws(Failure) -> PUK {
    do throws(AccessCode.FormatError) { return try PUK(code) } catch {
      throw CodeRole.puk.failure(error)
    }
  }

  /// A new PIN that is not easy to guess.
  static func newPIN(_ code: consuming Secret) throws(Failure) -> PIN {
    let pin = try pin(code, as: .newPIN)
    if let weakness = pin.weakness() { throw .code(.weak(weakness)) }
    return pin
  }
}

extension CodeRole {
  /// Why something is no such code.
  func failure(_ error: AccessCode.FormatError) -> Failure {
    switch error {
    case .length: .code(.length(self))
    case .notDigits: .code(.notDigits(self))
    }
  }

  fileprivate func prompt(_ tries: Int?, _ digits: Int?) -> Message {
    let code = Message("code.prompt.\(rawValue)")
    guard let length = length ?? digits else { return code }
    guard let tries else { return Message("prompt", ["code": code, "digits": length]) }
    return Message("prompt-tries", ["code": code, "digits": length, "count": tries])
  }

  fileprivate var repeatPrompt: Message {
    self == .newLocalCode
      ? Message("prompt-again-local-code") : Message("prompt-again", ["code": text])
  }
}
