import CardWork
import Messages
import Primitives

/// A result of a job that can be shown: to people as lines, to scripts as members of JSON.
protocol Presentable: Sendable {
  /// The reason why it is not good, although there is something to show.
  var failure: Failure? { get }

  func lines(_ language: Language) -> [String]

  /// The members in the order of the schema; their names and their raw words are the same in each language.
  func members(_ language: Language) -> [JSON.Member]
}

extension Presentable {
  var failure: Failure? { nil }
}

extension CommandOutcome {
  init(_ result: some Presentable, _ language: Language) {
    self.init(
      lines: result.lines(language), members: result.members(language), failure: result.failure)
  }
}

extension CardJob where Finding: Presentable {
  /// Runs the job, and presents its result.
  func outcome(of card: Conversation, in session: RunContext) throws(Failure) -> CommandOutcome {
    CommandOutcome(try run(on: card, in: session), session.language)
  }
}

extension Message {
  /// A line with this label, and a value in the column that such lines share.
  func row(_ value: String, _ language: Language) -> String {
    let label = self(language)
    return label + String(repeating: " ", count: max(1, 16 - label.count)) + value
  }
}
