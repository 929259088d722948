package import CIECard
import CardWork
import Messages
package import Traces

/// A card in a recording, which answers what it answered then.
struct RecordedCard: SubstituteCard {
  private let trace: Trace

  /// Reads a recording.
  init(path: String) throws(Failure) {
    let text = try InputFile.read(path, limit: ConversationFile.longestTrace)
    do throws(TraceError) { trace = try Trace(parsing: text) } catch {
      throw .found(Diagnosis(error))
    }
  }

  var place: String { "replay" }
  var answerToReset: [UInt8] { trace.header.traits.atr }
  var isRecording: Bool { true }
  var authority: TrustStore? { nil }

  /// Certificates are judged at the time of the recording.
  func open() throws(Failure) -> SubstituteConversation {
    let progress = ReplayProgress()
    let random = ReplayRandom(trace)
    return SubstituteConversation(
      over: AnyCardChannel(ReplayChannel(trace, progress: progress)), .recording, random: random,
      at: trace.header.time
    ) { () throws(ChannelError) in
      try progress.finish()
      try random.progress.finish()
    }
  }
}

extension TraceRecorder: ConversationDiary {
  package func recording(_ channel: consuming AnyCardChannel) -> AnyCardChannel {
    AnyCardChannel(RecordingChannel(channel, recorder: self))
  }

  package var text: String { diagnosticText }
}
