import CardWork
import Messages
import Primitives
import SignIn

/// The state of the lock around the session.
struct LockState: FunctionResult {
  private let facts: LockFacts
  /// The sentence about the work; `nil` for a look at the state.
  private let done: Message?

  init(_ state: LocalLock.State, _ done: Message? = nil) {
    facts = LockFacts(state)
    self.done = done
  }

  static let members: [Member<LockState>] = [Member("lock", \.facts)]

  func lines(_ language: Language) -> [String] { [(done ?? facts.line)(language)] }
}

private struct LockFacts: DescribedObject {
  enum Word: String, CaseIterable, DescribedWord {
    case notSet = "not-set"
    case locked
    case unlocked
    case exhausted

    static let note: String? =
      "exhausted: too many wrong codes were entered, and the session is ended."
  }

  private let word: Word
  private let triesLeft: Int?
  private let seconds: Int?
  private let until: UTCTime?

  init(_ state: LocalLock.State) {
    (word, triesLeft, seconds) =
      switch state {
      case .notSet: (.notSet, nil, nil)
      case .locked(let step): (.locked, step.triesLeft(.enter), nil)
      case .unlocked(let step, let seconds): (.unlocked, step.triesLeft(.enter), seconds)
      case .exhausted: (.exhausted, 0, nil)
      }
    until = seconds.map { UTCTime(seconds: UTCTime.now.seconds + Int64($0)) }
  }

  static let members: [Member<LockFacts>] = [
    Member("state", \.word),
    Member(
      "triesLeft", \.triesLeft,
      note: "How many wrong codes `lock enter` still takes; null where no code is set."),
    Member(
      "until", \.until,
      note: "When it locks by itself unless the session is used; null unless it is unlocked."),
  ]

  var line: Message {
    Message("lock.state.\(word.rawValue)", ["count": seconds ?? triesLeft ?? 0])
  }
}
