import CIECard
import Traces
import VirtualCIE

/// Makes a trace by carrying out its journey: the conversation, the draws and the end are what happened.
enum TraceRecording {
  /// Why a journey gave no usable trace.
  enum Failure: Error, CustomStringConvertible {
    case notReplayable(String)
    case leavesTheTrace(String)
    case endsOtherwise(expected: String, got: String)

    var description: String {
      switch self {
      case .notReplayable(let name): "\(name): the recording does not replay to the same end"
      case .leavesTheTrace(let name): "\(name): the client goes on as nobody recorded it"
      case .endsOtherwise(let expected, let got): "expected \(expected), but it ends in \(got)"
      }
    }
  }

  /// Runs the header's journey over a channel.
  ///
  /// - Returns: the header with draws and end filled in, and every byte that passed.
  static func record<Channel: CardChannel & ~Copyable>(
    _ header: Trace.Header, over channel: consuming Channel, random: some RandomSource
  ) throws -> Trace {
    let recorder = TraceRecorder.replayableForVirtualCard()
    var header = header
    header.traits = channel.traits
    var draws = RecordingRandom(random, recorder: recorder)
    let runner = JourneyRunner(header.journey, at: header.time ?? 0) { step in
      recorder.note(step.rawValue)
    }
    header.expectation = runner.end(
      over: RecordingChannel(channel, recorder: recorder), random: &draws)
    guard let trace = recorder.trace(header), try replays(trace) else {
      throw Failure.notReplayable(header.title)
    }
    return trace
  }

  /// Whether the trace's text is read again as it is, and its replay uses all of it and ends as it says.
  static func replays(_ trace: Trace) throws -> Bool {
    guard try Trace(parsing: [UInt8](trace.text.utf8)) == trace else { return false }
    let progress = ReplayProgress()
    let channel = ReplayChannel(trace, progress: progress)
    var random = ReplayRandom(trace)
    let end = JourneyRunner(trace.header.journey, at: trace.header.time ?? 0)
      .end(over: channel, random: &random)
    try progress.finish()
    try random.progress.finish()
    return end == trace.header.expectation
  }
}
