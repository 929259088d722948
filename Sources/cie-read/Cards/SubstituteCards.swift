import CIECard
import CardWork
import Messages
import Primitives
import Traces
import VirtualCIE

/// A software card in this process, with its faults and options; it remembers its PIN and its tries.
struct SoftwareCard: SubstituteCard {
  let persona: Persona
  var faults = FaultPlan()
  var options = CardOptions()
  private let memory = CardMemory()

  var place: String { "virtual \(persona.identifier)" }
  var answerToReset: [UInt8] { VirtualCard(persona: persona).answerToReset }
  var isRecording: Bool { false }
  var authority: TrustStore? { try? persona.authority() }

  func open() throws(Failure) -> SubstituteConversation {
    let card = VirtualCard(persona: persona, faults: faults, options: options, memory: memory)
    return SubstituteConversation(
      over: AnyCardChannel(VirtualCardChannel(card)),
      .software(authority: try persona.authority()), random: SystemRandom())
  }
}

extension Persona {
  /// The test authorities that sign both sides of the card of this persona.
  func authority() throws(Failure) -> TrustStore {
    guard let ias = TrustStore(der: csca), let document = TrustStore(der: documentCSCA) else {
      throw .trustStore(.notACertificate(path: identifier, reason: "no certificate"))
    }
    return ias.merged(with: document)
  }
}

/// A card in a recording, which answers what it answered then.
struct RecordedCard: SubstituteCard {
  private let trace: Trace

  init(path: String) throws(Failure) {
    let text = try InputFile.read(path, limit: ConversationFile.longestTrace)
    trace = try mapError(try Trace(parsing: text)) { (error: TraceError) in
      Failure.found(Diagnosis(error))
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

extension TraceRecorder: ConversationRecorder {
  func recording(_ channel: consuming AnyCardChannel) -> AnyCardChannel {
    AnyCardChannel(RecordingChannel(channel, recorder: self))
  }

  var text: String { diagnosticText }
}
