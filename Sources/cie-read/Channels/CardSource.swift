import CIECard
import VirtualCIE

/// Where the card is.
enum CardSource: Sendable {
  /// In a PC/SC reader, perhaps not yet.
  case reader(ReaderSelection, wait: Duration)
  /// In this process: a software card, with its faults and what else is special about it.
  case virtual(Persona, FaultPlan, CardOptions = CardOptions())
  /// In a recording.
  case replay(Trace)

  /// Reads a recording.
  static func trace(at path: String) throws(Failure) -> Trace {
    let text = try InputFile.read(path, limit: 16 << 20)
    do throws(TraceError) { return try Trace(parsing: text) } catch { throw .trace(error) }
  }

  /// Opens the channel, has the job done, closes the channel.
  ///
  /// - Parameter record: where to write the diary of the conversation, also of one that fails.
  func perform<Job: CardJob & ~Copyable>(
    _ job: consuming Job, record: String? = nil, in session: Session
  ) throws(Failure) -> Job.Result {
    defer { session.progress.clear() }
    var session = session
    switch self {
    case .virtual(let persona, let faults, let options):
      var random = SystemRandom()
      session.place = "virtual \(persona.identifier)"
      let card = VirtualCard(persona: persona, faults: faults, options: options)
      // Like most readers, this one carries what every card takes for PACE.
      let channel = VirtualCardChannel(
        card,
        extendedLength: card.takesExtendedLength ? .carried(maximumDataLength: 65_536) : nil)
      return try Self.run(job, over: channel, &random, record, session)
    case .replay(let trace):
      return try Self.replay(trace, job, session)
    case .reader(let selection, let wait):
      var random = SystemRandom()
      let channel = try Self.connect(selection, wait, session)
      defer { session.interruption.forget() }
      session.place = channel.reader
      return try Self.run(job, over: channel, &random, record, session)
    }
  }

  private static func connect(
    _ selection: ReaderSelection, _ wait: Duration, _ session: Session
  ) throws(Failure) -> PCSCChannel {
    do throws(ChannelError) {
      let context = try PCSCContext()
      if wait > .zero { session.progress.show(.waitingForCard) }
      return try session.interruption.cancelling({ context.cancel() }) {
        () throws(ChannelError) in
        try context.connect(to: context.waitForCard(in: selection, for: wait))
      }
    } catch { throw .channel(error) }
  }

  /// The judgement of certificates is at the time of the recording, and the recording must be used to its end.
  private static func replay<Job: CardJob & ~Copyable>(
    _ trace: Trace, _ job: consuming Job, _ session: Session
  ) throws(Failure) -> Job.Result {
    let progress = ReplayProgress()
    let channel = ReplayChannel(trace, progress: progress)
    var random = ReplayRandom(trace)
    var session = session
    session.place = "replay"
    if let time = trace.header.time { session.time = time }
    let result = try run(job, over: channel, &random, nil, session)
    do throws(ChannelError) {
      try progress.finish()
      try random.progress.finish()
    } catch { throw .channel(error) }
    return result
  }

  private static func run<Job: CardJob & ~Copyable, Channel: CardChannel & ~Copyable>(
    _ job: consuming Job, over channel: consuming Channel, _ random: inout some RandomSource,
    _ record: String?, _ session: Session
  ) throws(Failure) -> Job.Result {
    let report = session.progress.reporter
    guard let record else {
      let guarded = InterruptibleChannel(channel, session.interruption)
      return try job.run(
        on: IdentityCard(over: guarded, report: report), random: &random, in: session)
    }
    let diary = try OutputFile(record)
    let recorder = TraceRecorder()
    let recording = RecordingChannel(channel, recorder: recorder)
    let guarded = InterruptibleChannel(recording, session.interruption)
    let outcome: Swift.Result<Job.Result, Failure>
    do throws(Failure) {
      outcome = .success(
        try job.run(
          on: IdentityCard(over: guarded, report: report), random: &random, in: session))
    } catch { outcome = .failure(error) }
    try diary.commit([UInt8](recorder.diagnosticText.utf8))
    return try outcome.get()
  }
}
