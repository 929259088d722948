package import CIECard

/// Makes a trace by running its journey: the conversation, the draws and the end are recorded.
package enum TraceRecording {
  package enum Failure: Error, CustomStringConvertible {
    case notReplayable(String)

    package var description: String {
      switch self {
      case .notReplayable(let name): "\(name): the recording does not replay to the same end"
      }
    }
  }

  /// Runs the header's journey over a channel.
  ///
  /// - Returns: the header with draws and end filled in, and every byte that passed.
  package static func record<Channel: CardChannel & ~Copyable>(
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

  /// Checks that the trace's text is read back unchanged, and that its replay uses all of it and has the recorded end.
  package static func replays(_ trace: Trace) throws -> Bool {
    guard try Trace(parsing: [UInt8](trace.text.utf8)) == trace else { return false }
    return try end(of: trace) == trace.header.expectation
  }

  /// Replays a trace to the end of its journey.
  ///
  /// - Throws: `ChannelError.replayMismatch` if the journey does not use all of it in this order.
  package static func end(of trace: Trace) throws(ChannelError) -> Trace.Expectation {
    let progress = ReplayProgress()
    let channel = ReplayChannel(trace, progress: progress)
    var random = ReplayRandom(trace)
    let end = JourneyRunner(trace.header.journey, at: trace.header.time ?? 0)
      .end(over: channel, random: &random)
    try progress.finish()
    try random.progress.finish()
    return end
  }
}
