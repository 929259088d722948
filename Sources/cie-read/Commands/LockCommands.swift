import Arguments
import CIECard
import CardWork
import Messages
import SignIn
import Primitives

/// `cie-read lock`: the commands around the local code, which protects the session on this machine.
struct LockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "lock", "command.lock",
    subcommands: [
      LockSetCommand.self, LockEnterCommand.self, LockChangeCommand.self, LockForgetCommand.self,
      LockStatusCommand.self, HelpCommand<LockCommand>.self,
    ])
}

/// `cie-read lock set`: sets a local code for a session without one.
struct LockSetCommand: CardCommand {
  static let configuration = CommandConfiguration("set", "command.lock-set")

  @Option(help: .text("option.length", value: "n")) var length = LocalCode.usualLength
  @OptionGroup var newCode = CodeOptions(.newLocalCode)
  @OptionGroup var entry: LockEntryOptions
  @OptionGroup var output: OutputOptions

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    guard LocalCode.lengths.contains(length) else { throw .usage("bad-code-length") }
    let context = context.atLock
    var code = try newCode.code(context)
    switch try AccountSession.lockState() {
    case .notSet(let choosing), .exhausted(let choosing):
      let state = try code.newLocalCode(choosing, digits: length, in: context)
      return .lock(state, Message("lock.set"), context)
    case .locked, .unlocked: throw .lock(.alreadySet)
    }
  }
}

/// `cie-read lock enter`: unlocks the session. The third wrong code ends it.
struct LockEnterCommand: CardCommand {
  static let configuration = CommandConfiguration("enter", "command.lock-enter")

  @OptionGroup var code = CodeOptions(.localCode)
  @OptionGroup var entry: LockEntryOptions
  @OptionGroup var output: OutputOptions

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    let context = context.atLock
    var code = try code.code(context)
    let lock = try AccountSession.requireCode()
    let entered = try code.localCode(of: lock, for: .enter, in: context)
    let state = try mapError(try lock.enter(entered)) { Failure.lock($0) }
    return .lock(state, Message("lock.entered"), context)
  }
}

/// `cie-read lock change`: replaces the old code by a new one. The third wrong old one ends the session.
struct LockChangeCommand: CardCommand {
  static let configuration = CommandConfiguration("change", "command.lock-change")

  @OptionGroup var code = CodeOptions(.localCode)
  @OptionGroup var newCode = CodeOptions(.newLocalCode)
  @OptionGroup var entry: LockEntryOptions
  @OptionGroup var output: OutputOptions

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    let context = context.atLock
    var old = try code.code(context)
    var new = try newCode.code(context)
    let lock = try AccountSession.requireCode()
    let entered = try old.localCode(of: lock, for: .change, in: context)
    let choosing = try mapError(try lock.change(from: entered)) { Failure.lock($0) }
    let state = try new.newLocalCode(choosing, digits: lock.length, in: context)
    return .lock(state, Message("lock.changed"), context)
  }
}

/// `cie-read lock forget`: ends the session and deletes its code.
struct LockForgetCommand: CardCommand {
  static let configuration = CommandConfiguration("forget", "command.lock-forget")

  @OptionGroup var output: OutputOptions

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    let lock = try AccountSession.lock()
    try mapError(try lock.forget()) { Failure.lock($0) }
    return .lock(try AccountSession.lockState(), Message("lock.forgotten"), context)
  }
}

/// `cie-read lock status`: reports whether the session is locked.
struct LockStatusCommand: CardCommand {
  static let configuration = CommandConfiguration("status", "command.lock-status")

  @OptionGroup var output: OutputOptions

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    return .lock(try AccountSession.lockState(), nil, context)
  }
}

struct LockEntryOptions: ParsableArguments {
  // Read before parsing, too, because the context asks for codes.
  @Flag(help: .text("option.pinentry")) var pinentry = false
}

extension CommandOutcome {
  fileprivate static func lock(
    _ state: LocalLock.State, _ done: Message?, _ context: RunContext
  ) -> CommandOutcome {
    let (word, triesLeft, seconds): (String, Int?, Int?) =
      switch state {
      case .notSet: ("not-set", nil, nil)
      case .locked(let step): ("locked", step.triesLeft(.enter), nil)
      case .unlocked(let step, let seconds): ("unlocked", step.triesLeft(.enter), seconds)
      case .exhausted: ("exhausted", 0, nil)
      }
    let line = Message("lock.state.\(word)", ["count": seconds ?? triesLeft ?? 0])
    let until = seconds.map { UTCTime(seconds: UTCTime.now.seconds + Int64($0)) }
    let members: [JSON.Member] = [
      .init("state", word), .init("triesLeft", triesLeft), .init("until", until?.description),
    ]
    return CommandOutcome(
      lines: [(done ?? line)(context.language)], members: [.init("lock", .object(members))])
  }
}
