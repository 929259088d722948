package import CIECard
import Messages
package import Traces
package import VirtualCIE

/// The source of the card.
package indirect enum CardSource: Sendable {
  /// In a PC/SC reader, perhaps not yet.
  case reader(PCSCContext.ReaderSelection, wait: Duration)
  /// In this process: a software card, with its faults and options.
  case virtual(Persona, FaultPlan, CardOptions = CardOptions())
  /// In a recording.
  case replay(Trace)

  /// Reads a recording.
  package static func trace(at path: String) throws(Failure) -> Trace {
    let text = try InputFile.read(path, limit: 16 << 20)
    do throws(TraceError) { return try Trace(parsing: text) } catch { throw .trace(error) }
  }
}

/// The settings of a conversation with a card.
package struct Conversation: Sendable {
  package var source: CardSource
  /// The file for the diary.
  package var record: String?
  /// The rule for extended-length APDUs.
  package var lengths = ChannelTraits.LengthPolicy.announced

  package init(
    source: CardSource, record: String? = nil, lengths: ChannelTraits.LengthPolicy = .announced
  ) {
    self.source = source
    self.record = record
    self.lengths = lengths
  }

  /// A command's work with a card. The card is released when it returns, in every case.
  ///
  /// It may be done once more, from the start, where a transmission failed before any PIN or PUK was sent.
  package typealias Job<Result> = (consuming SessionCard, inout SessionRandom, RunContext)
    throws(Failure) ->
    Result

  /// Opens the channel, runs the job, closes the channel; writes the diary, also of a failure.
  package func perform<Result>(in session: RunContext, _ job: Job<Result>) throws(Failure) -> Result
  {
    defer { session.progress.clear() }
    guard let record else { return try perform(in: session, recordedBy: nil, job) }
    let file = try OutputFile(record, overwriting: session.mayOverwrite)
    let recorder = TraceRecorder()
    let outcome = Swift.Result { () throws(Failure) in
      try perform(in: session, recordedBy: recorder, job)
    }
    try file.commit([UInt8](recorder.diagnosticText.utf8))
    return try outcome.get()
  }

  /// Runs the job for a caller that keeps the diary itself.
  package func perform<Result>(
    in session: RunContext, recordedBy recorder: TraceRecorder?, _ job: Job<Result>
  ) throws(Failure) -> Result {
    let watch = CodeWatch()
    var random = SessionRandom(source: SystemRandom())
    switch source {
    case .virtual(let persona, let faults, let options):
      let card = VirtualCard(persona: persona, faults: faults, options: options)
      var session = session
      session.stage = .software(authority: try persona.authority())
      return try run(
        over: VirtualCardChannel(card), at: "virtual \(persona.identifier)", &random, recorder,
        watch, session, job)
    case .replay(let trace):
      return try replay(trace, session, job)
    case .reader(let selection, let wait):
      let end = ContinuousClock.now + wait
      var left = wait
      while true {
        let watch = CodeWatch()
        do throws(Failure) {
          return try contact(selection, left, recorder, watch, session, job)
        } catch {
          guard error.mayComeFromTheWay else { throw error }
          left = end - ContinuousClock.now
          if watch.wasExchanged, left > .zero { continue }
          guard watch.allowsStartingOver else { throw error }
        }
        break
      }
      // The card was reset when its channel closed; one lost block is no reason to ask the person.
      session.progress.show(Message("wait.starting-over"))
      return try contact(selection, .recovery, recorder, watch, session, job)
    }
  }

  /// One contact with the card in a reader, from its reset to the next.
  private func contact<Result>(
    _ selection: PCSCContext.ReaderSelection, _ wait: Duration, _ recorder: TraceRecorder?,
    _ watch: CodeWatch,
    _ session: RunContext, _ job: Job<Result>
  ) throws(Failure) -> Result {
    var random = SessionRandom(source: SystemRandom())
    let channel = try connect(selection, wait, session)
    defer { session.interruption.forget() }
    let place = channel.reader
    return try run(over: channel, at: place, &random, recorder, watch, session, job)
  }

  private func connect(
    _ selection: PCSCContext.ReaderSelection, _ wait: Duration, _ session: RunContext
  ) throws(Failure) -> PCSCContext.Channel {
    do throws(ChannelError) {
      let context = try PCSCContext()
      return try session.interruption.cancelling({ context.cancel() }) {
        () throws(ChannelError) in
        try context.openCard(in: selection, for: wait) { session.progress.show($0.request) }
      }
    } catch { throw .channel(error) }
  }

  /// Certificates are judged at the time of the recording, and the recording must be used to its end.
  private func replay<Result>(
    _ trace: Trace, _ session: RunContext, _ job: Job<Result>
  ) throws(Failure) -> Result {
    let progress = ReplayProgress()
    let replayed = ReplayRandom(trace)
    var random = SessionRandom(source: replayed)
    var session = session
    session.stage = .recording
    if let time = trace.header.time { session.time = time }
    let result = try run(
      over: ReplayChannel(trace, progress: progress), at: "replay", &random, nil, CodeWatch(),
      session, job)
    do throws(ChannelError) {
      try progress.finish()
      try replayed.progress.finish()
    } catch { throw .channel(error) }
    return result
  }

  private func run<Channel: CardChannel & ~Copyable, Result>(
    over channel: consuming Channel, at place: String, _ random: inout SessionRandom,
    _ recorder: TraceRecorder?, _ watch: CodeWatch, _ session: RunContext, _ job: Job<Result>
  ) throws(Failure) -> Result {
    var session = session
    session.place = place
    let guarded =
      if let recorder {
        SessionChannel(
          RecordingChannel(channel, recorder: recorder), session.interruption, watch)
      } else {
        SessionChannel(channel, session.interruption, watch)
      }
    let card = IdentityCard(over: guarded, lengths: lengths, report: session.reporter)
    return try job(card, &random, session)
  }
}

extension Persona {
  /// The test authority that signs the card of this persona.
  package func authority() throws(Failure) -> TrustStore {
    guard let store = TrustStore(der: csca) else {
      throw .trustStore(.notACertificate(path: identifier, reason: "no certificate"))
    }
    return store
  }
}

extension Duration {
  /// The time that the card may take to reappear after a failed transmission.
  fileprivate static let recovery = Duration.seconds(2)
}

extension PCSCContext.Awaited {
  /// The request to the person.
  package var request: Message {
    switch self {
    case .reader: Message("wait.reader")
    case .card: Message("wait.card")
    }
  }
}
