import CIECard
import Glibc
import Messages
package import Primitives
import Synchronization

/// A PIN or PUK that is already here, or for which a person will be asked once the card is there.
package enum AwaitedCode: ~Copyable {
  case given(Secret)
  case toAsk(CodeRole)
  /// It was taken, to be sent to a card.
  case spent

  /// Reads it from the source on the command line: a descriptor, a file, else standard input unless that is a terminal.
  ///
  /// - Throws: before any card is asked, also when it is malformed.
  package init(
    _ role: CodeRole, descriptor: Int32?, file: String?, in context: RunContext
  ) throws(Failure) {
    let line: Secret
    switch (descriptor, file) {
    case (.some, .some):
      throw .usage(
        "several-\(role.rawValue)-sources", ["code": role.option], key: "several-code-sources")
    case (let descriptor?, nil):
      guard !(descriptor == STDIN_FILENO && context.standardInputIsData) else {
        throw .usage("standard-input-twice")
      }
      line = try CodeLine.read(descriptor, as: role, context.interruption)
    case (nil, let file?):
      line = try CodeFile.read(file, as: role, context.interruption)
    case (nil, nil)
    where context.standardInputIsData || context.usesPinentry || isatty(STDIN_FILENO) == 1:
      self = .toAsk(role)
      return
    case (nil, nil):
      line = try CodeLine.read(STDIN_FILENO, as: role, context.interruption)
    }
    try CodeForm.check(line, as: role)
    self = .given(line)
  }

  /// A code given on the command line.
  package init(_ role: CodeRole, _ code: consuming Secret) throws(Failure) {
    try CodeForm.check(code, as: role)
    self = .given(code)
  }

  /// The code; asked for on the terminal now if it is not here yet.
  ///
  /// It is kept, too, because a restarted transmission must not ask a person twice.
  ///
  /// - Parameters:
  ///   - twice: `true` if a person must type it twice.
  ///   - triesLeft: the tries that the card reports, for the person.
  ///   - digits: the number of its digits, if its role does not define it.
  ///   - check: refuses a code before a person has to repeat it.
  package mutating func resolve(
    in context: RunContext, twice: Bool = false, triesLeft: Int? = nil, digits: Int? = nil,
    checking check: (borrowing Secret) throws(Failure) -> Void = { _ in }
  ) throws(Failure) -> Secret {
    switch consume self {
    case .given(let code):
      let copy = code.copied()
      self = .given(code)
      return copy
    case .toAsk(let role):
      self = .toAsk(role)
      let prompt = role.prompt(triesLeft, digits)
      let code = try Self.ask(role, prompt, twice: twice, checking: check, in: context)
      let copy = code.copied()
      self = .given(code)
      return copy
    case .spent:
      self = .spent
      throw .code(.missing(.pin))
    }
  }

  /// The code for the next command: it is not kept here because no command restarts after it.
  package mutating func take(
    in context: RunContext, twice: Bool = false, triesLeft: Int? = nil,
    checking check: (borrowing Secret) throws(Failure) -> Void = { _ in }
  ) throws(Failure) -> Secret {
    let code = try resolve(in: context, twice: twice, triesLeft: triesLeft, checking: check)
    self = .spent
    return code
  }

  /// The entries after which the program ends, because a script at a terminal would not.
  private static let mostEntries = 5

  /// Asks until the code can be sent, because a slip of the fingers costs no try. An empty entry ends it.
  private static func ask(
    _ role: CodeRole, _ prompt: Message, twice: Bool,
    checking check: (borrowing Secret) throws(Failure) -> Void, in context: RunContext
  ) throws(Failure) -> Secret {
    context.progress.clear()
    var problem: Failure?
    for entry in 1...mostEntries {
      do throws(Failure) {
        let code = try ask(role, prompt, after: problem, in: context)
        try CodeForm.check(code, as: role)
        try check(code)
        guard twice else { return code }
        let again = try askAgain(role, in: context)
        guard code.equals(again) else { throw .code(.entriesDiffer) }
        return code
      } catch {
        guard error.isSlip, entry < mostEntries else { throw error }
        problem = error
      }
    }
    throw .code(.missing(role))
  }

  /// Asks for a new code a second time.
  package static func askAgain(_ role: CodeRole, in context: RunContext) throws(Failure) -> Secret {
    try ask(role, role.repeatPrompt, in: context)
  }

  private static func ask(
    _ role: CodeRole, _ prompt: Message, after problem: Failure? = nil, in context: RunContext
  ) throws(Failure) -> Secret {
    if role == .pin, let askPIN = context.askPIN { return try askPIN(context) }
    let problem = problem.map(Diagnosis.init).map {
      "\($0.what(context.language)) \($0.advice(context.language))"
    }
    return context.usesPinentry
      ? try Pinentry(for: role, context).ask(prompt, after: problem)
      : try CodeTerminal(for: role, context).ask(prompt, after: problem)
  }

  /// True if a person will be asked for it.
  package var isToBeAsked: Bool {
    switch self {
    case .given: false
    case .spent: false
    case .toAsk: true
    }
  }

  /// Requires a terminal if a question will be needed, to fail before the card is opened.
  borrowing func requireTerminal(in context: RunContext) throws(Failure) {
    switch self {
    case .given: return
    case .spent: return
    case .toAsk(let role):
      guard role != .pin || context.askPIN == nil else { return }
      guard context.usesPinentry else {
        _ = try CodeTerminal(for: role, context)
        return
      }
      guard ChildProcess.path(of: "pinentry") != nil else { throw .code(.noPinentry(role)) }
    }
  }

  /// Requires a new PIN that is already here to be fit, to fail before the card is opened.
  borrowing func requireFitness() throws(Failure) {
    switch self {
    case .given(let new): _ = try CodeForm.newPIN(new.copied())
    case .toAsk: return
    case .spent: return
    }
  }

  /// Requires the same, and that it differs from an old one that is here too.
  borrowing func requireFitness(besides old: borrowing AwaitedCode) throws(Failure) {
    switch self {
    case .given(let new):
      _ = try CodeForm.newPIN(new.copied())
      guard !old.holds(new) else { throw .code(.unchanged) }
    case .toAsk: return
    case .spent: return
    }
  }

  /// Checks whether it is here and equal to this one.
  ///
  /// A separate function, never inlined, because the optimizer of Swift 6.3.1 fails on a second `switch` over such a
  /// value in one function.
  @inline(never)
  private borrowing func holds(_ code: borrowing Secret) -> Bool {
    switch self {
    case .given(let own): own.equals(code)
    case .toAsk: false
    case .spent: false
    }
  }
}

extension Failure {
  /// True for an entry that a person can correct at once, because nothing was sent.
  fileprivate var isSlip: Bool {
    guard case .code(let problem) = self else { return false }
    return switch problem {
    case .length, .notDigits, .entriesDiffer, .weak, .unchanged: true
    case .missing, .exposedFile, .unreadable, .noTerminal, .noPinentry, .declined: false
    }
  }
}

extension Secret {
  borrowing func copied() -> Secret {
    Secret(count: count) { copy in withBytes { copy.copyBytes(from: $0) } }
  }
}

extension CodeRole {
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

/// A value on its way to another task or thread, or out of a closure, to be taken once.
package final class Held<Value: ~Copyable & Sendable>: Sendable {
  private let value: Mutex<Value?>

  package init(_ value: consuming Value?) { self.value = Mutex(value) }

  package func take() -> Value? { value.withLock { $0.take() } }
}

/// A code on its way to a job.
package typealias HeldCode = Held<AwaitedCode>

extension Held<AwaitedCode> {
  /// - Throws: `missing` the second time.
  package func code() throws(Failure) -> AwaitedCode {
    guard let code = take() else { throw .code(.missing(.pin)) }
    return code
  }
}
