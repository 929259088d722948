import CardWork
import Messages
import Primitives
import SignIn

/// A function around the local code, which protects the session on this machine.
protocol LockFunction: FunctionWithoutCard where Result == LockState {}

extension LockFunction {
  /// All of them answer alike.
  static var definition: String { "lock" }
}

/// `lock set`: sets a local code for a session without one.
struct LockSet: LockFunction {
  static let name = "lock set"

  let length: Int
  let newCode: CodeInput

  func run(in context: RunContext) throws(Failure) -> LockState {
    guard LocalCode.lengths.contains(length) else { throw .usage("bad-code-length") }
    let context = context.atLock
    var code = try newCode.code(in: context)
    switch try AccountSession.lockState() {
    case .notSet(let choosing), .exhausted(let choosing):
      return LockState(
        try code.newLocalCode(choosing, digits: length, in: context), Message("lock.set"))
    case .locked, .unlocked: throw .lock(.alreadySet)
    }
  }
}

extension LockSet {
  init(from inputs: inout Inputs) throws(Failure) {
    length = try inputs.option(
      "length", default: LocalCode.usualLength, help: "option.length", value: "n")
    newCode = try inputs.code(.newLocalCode)
    try inputs.pinentry()
  }
}

/// `lock enter`: unlocks the session. The third wrong code ends it.
struct LockEnter: LockFunction {
  static let name = "lock enter"

  let code: CodeInput

  func run(in context: RunContext) throws(Failure) -> LockState {
    let context = context.atLock
    var code = try code.code(in: context)
    let lock = try AccountSession.requireCode()
    let entered = try code.localCode(of: lock, for: .enter, in: context)
    let state = try mapError(try lock.enter(entered)) { Failure.lock($0) }
    return LockState(state, Message("lock.entered"))
  }
}

extension LockEnter {
  init(from inputs: inout Inputs) throws(Failure) {
    code = try inputs.code(.localCode)
    try inputs.pinentry()
  }
}

/// `lock change`: replaces the old code by a new one. The third wrong old one ends the session.
struct LockChange: LockFunction {
  static let name = "lock change"

  let code: CodeInput
  let newCode: CodeInput

  func run(in context: RunContext) throws(Failure) -> LockState {
    let context = context.atLock
    var old = try code.code(in: context)
    var new = try newCode.code(in: context)
    let lock = try AccountSession.requireCode()
    let entered = try old.localCode(of: lock, for: .change, in: context)
    let choosing = try mapError(try lock.change(from: entered)) { Failure.lock($0) }
    return LockState(
      try new.newLocalCode(choosing, digits: lock.length, in: context), Message("lock.changed"))
  }
}

extension LockChange {
  init(from inputs: inout Inputs) throws(Failure) {
    code = try inputs.code(.localCode)
    newCode = try inputs.code(.newLocalCode)
    try inputs.pinentry()
  }
}

/// `lock forget`: ends the session and deletes its code.
struct LockForget: LockFunction {
  static let name = "lock forget"

  func run(in context: RunContext) throws(Failure) -> LockState {
    let lock = try AccountSession.lock()
    try mapError(try lock.forget()) { Failure.lock($0) }
    return LockState(try AccountSession.lockState(), Message("lock.forgotten"))
  }
}

extension LockForget {
  init(from inputs: inout Inputs) throws(Failure) { self.init() }
}

/// `lock status`: reports whether the session is locked.
struct LockStatus: LockFunction {
  static let name = "lock status"

  func run(in context: RunContext) throws(Failure) -> LockState {
    LockState(try AccountSession.lockState())
  }
}

extension LockStatus {
  init(from inputs: inout Inputs) throws(Failure) { self.init() }
}

extension Inputs {
  /// The place of a question for a code, which the context has read before the others.
  fileprivate mutating func pinentry() throws(Failure) {
    _ = try flag("pinentry", help: "option.pinentry")
  }
}
