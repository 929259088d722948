internal import CIECard

/// Commands, bytes and time of a conversation by step; of bounded size, however long the conversation is.
package struct ConversationStatistics: Sendable {
  /// In the order in which the steps began.
  package private(set) var steps: [Row] = []
  package private(set) var total = Row(step: nil)
  /// The status words with the number of their occurrences.
  package private(set) var statusWords: [UInt16: Int] = [:]

  package struct Row: Sendable, Equatable {
    /// nil before the first step, and for the steps beyond the limit.
    package let step: String?
    package var commands = 0
    /// Bytes of the commands, headers included.
    package var sent = 0
    /// Bytes of the answers, status words included.
    package var received = 0
    /// nil in a trace, which has no times.
    package var milliseconds: Int?
    package var events = 0
  }

  /// More steps than any journey or survey has.
  private static let mostSteps = 500

  package init() {}

  package mutating func add(_ exchange: RecordedExchange) {
    guard !exchange.header.isEmpty else { return }
    total.add(exchange)
    if let reply = exchange.reply { statusWords[reply.status.rawValue, default: 0] += 1 }
    if let index = steps.firstIndex(where: { $0.step == exchange.step }) {
      return steps[index].add(exchange)
    }
    let isFull = steps.count >= Self.mostSteps
    var row = Row(step: isFull ? nil : exchange.step)
    row.add(exchange)
    if isFull, let index = steps.firstIndex(where: { $0.step == nil }) {
      return steps[index].add(exchange)
    }
    steps.append(row)
  }
}

extension ConversationStatistics.Row {
  fileprivate mutating func add(_ exchange: RecordedExchange) {
    commands += 1
    sent += exchange.header.count + exchange.sent
    if let reply = exchange.reply { received += reply.received + 2 } else { events += 1 }
    if let time = exchange.milliseconds { milliseconds = (milliseconds ?? 0) + time }
  }
}
