internal import CIECard
internal import Synchronization

/// The messages of secure messaging of a trace in clear: a replay of its journey derives the keys again from the draws.
///
/// It ends where the journey ends, at the first answer that is not believed for example.
package struct OpenedMessages: Sendable {
  /// By the index of the exchange in which the command began; a nil value holds a code.
  package private(set) var commands: [Int: [UInt8]?] = [:]
  /// By the index of the exchange in which the answer ended.
  package private(set) var answers: [Int: [UInt8]] = [:]

  package init(_ trace: Trace) {
    let lines = trace.exchanges.map(\.line)
    let progress = ReplayProgress()
    let opened = Mutex(self)
    let observer: ClearMessage.Observer = { message in
      let line = progress.nextLine ?? .max
      let next = lines.firstIndex { $0 >= line } ?? lines.count
      opened.withLock { $0.add(message, next: next) }
    }
    let channel = ReplayChannel(trace, progress: progress)
    var random = ReplayRandom(trace)
    _ = JourneyRunner(trace.header.journey, at: trace.header.time ?? 0, observer: observer)
      .end(over: channel, random: &random)
    self = opened.withLock { $0 }
  }

  private mutating func add(_ message: ClearMessage, next: Int) {
    switch message {
    case .command(let data): commands.updateValue(data, forKey: next)
    case .answer(let data): answers[next - 1] = data
    }
  }
}
