internal import CIECard
internal import Synchronization

/// Storage for a recorded conversation; it outlives the channel that writes into it.
///
/// Callers outside this package can only make the redacted, diagnostic form: payloads are not even
/// kept in memory. The replayable form holds every byte and the terminal's random draws, hence the
/// session keys; only the package's own tools can ask for it, and only for the software card.
public final class TraceRecorder: Sendable {
  private let isReplayable: Bool
  private let state = Mutex(State())

  private struct State {
    var lines: [String] = []
    var entries: [Trace.Entry] = []
    var draws: [[UInt8]] = []
    var receiver: (@Sendable (String) -> Void)?
  }

  private init(isReplayable: Bool) { self.isReplayable = isReplayable }

  /// A recorder of the redacted form, for any card.
  public convenience init() { self.init(isReplayable: false) }

  /// A recorder of the replayable form, for a software card and nothing else.
  static func replayableForVirtualCard() -> TraceRecorder {
    TraceRecorder(isReplayable: true)
  }

  /// The redacted form as text, so far; empty in a replayable recorder.
  public var diagnosticText: String {
    state.withLock { $0.lines.map { $0 + "\n" }.joined() }
  }

  /// Passes on the lines of the redacted form, those so far and each further one when it is recorded, with their ends.
  package func pass(to receiver: @escaping @Sendable (String) -> Void) {
    state.withLock { state in
      for line in state.lines { receiver(line + "\n") }
      state.receiver = receiver
    }
  }

  /// The replayable form so far, with the draws in its header; `nil` in a redacted recorder.
  func trace(_ header: Trace.Header) -> Trace? {
    guard isReplayable else { return nil }
    return state.withLock { state in
      var header = header
      header.random = state.draws
      return Trace(header: header, entries: state.entries)
    }
  }

  /// Adds a remark before the next command.
  package func note(_ text: String) { append("# \(text)", .comment(text)) }

  func begin(_ traits: ChannelTraits) {
    for line in DiagnosticRecord.header(traits) { append(line, nil) }
  }

  func record(command: [UInt8]) {
    append(DiagnosticRecord.line(command: command), .command(command))
  }

  func record(answer: [UInt8], after duration: Duration) {
    append(DiagnosticRecord.line(answer: answer, after: duration), .answer(answer))
  }

  func recordPowerCycle() { append(DiagnosticRecord.powerCycle, .powerCycle) }

  func record(error: ChannelError, after duration: Duration) {
    append(
      DiagnosticRecord.line(error: error, after: duration), Trace.Event(error).map { .event($0) })
  }

  func record(draw: [UInt8]) {
    guard isReplayable else { return }
    state.withLock { $0.draws.append(draw) }
  }

  private func append(_ line: @autoclosure () -> String, _ entry: @autoclosure () -> Trace.Entry?) {
    state.withLock { state in
      if !isReplayable {
        let text = line()
        state.lines.append(text)
        state.receiver?(text + "\n")
      } else if let entry = entry() {
        state.entries.append(entry)
      }
    }
  }
}
