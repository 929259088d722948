import Primitives
import Synchronization

@testable import SignIn

/// Lock in a separate folder, with a clock that the test sets and a session whose removal is visible.
final class LockedMachine: Sendable {
  private let moment = Mutex(LockMoment(start: "first", seconds: 1000))
  private let session = Mutex(true)
  private let isHeld = Mutex(false)

  let folder: String
  /// Keyring entry for the hash of the lock's file.
  private let seal: KeyringKey?

  init(_ folder: String, seal: KeyringKey? = nil) {
    self.folder = folder
    self.seal = seal
  }

  var lock: LocalLock {
    LocalLock(folder: folder, clock: LockClock { self.moment.withLock { $0 } }, seal) {
      guard !self.isHeld.withLock({ $0 }) else { return false }
      self.session.withLock { $0 = false }
      return true
    }
  }

  var hasSession: Bool { session.withLock { $0 } }

  func signIn() { session.withLock { $0 = true } }

  /// Makes removal of the session fail, or succeed again.
  func hold(_ isHeld: Bool) { self.isHeld.withLock { $0 = isHeld } }

  func set(_ seconds: Int, start: String = "first") {
    moment.withLock { $0 = LockMoment(start: start, seconds: seconds) }
  }
}

/// Typed text.
func typed(_ text: String) -> Secret { Secret([UInt8](text.utf8)) }

/// Typed code.
func code(_ digits: String) throws -> LocalCode { try LocalCode(typed(digits)) }

extension LocalLock {
  func choosing() throws -> LocalLock.Choosing {
    switch try state() {
    case .notSet(let step), .exhausted(let step): return step
    case .locked, .unlocked: throw LocalLock.Failure.alreadySet
    }
  }

  func entering() throws -> LocalLock.Entering {
    switch try state() {
    case .locked(let step), .unlocked(let step, _): return step
    case .notSet: throw LocalLock.Failure.notSet
    case .exhausted: throw LocalLock.Failure.exhausted
    }
  }

  func set(_ digits: String) throws {
    _ = try choosing().choose(code(digits)).repeat(typed(digits))
  }

  func enter(_ digits: String) throws {
    guard case .unlocked = try entering().enter(code(digits)) else {
      throw LocalLock.Failure.locked
    }
  }

  func change(_ old: String, to new: String) throws {
    _ = try entering().change(from: code(old)).choose(code(new)).repeat(typed(new))
  }

  /// Returns the state as a word.
  func word() throws -> String {
    switch try state() {
    case .notSet: "not set"
    case .locked(let step): "locked \(step.triesLeft(.enter)) \(step.triesLeft(.change))"
    case .unlocked(_, let seconds): "unlocked \(seconds)"
    case .exhausted: "exhausted"
    }
  }
}
