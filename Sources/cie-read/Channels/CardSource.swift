import CIECard
import Messages
import VirtualCIE
import Traces

/// How a card is spoken to.
struct Conversation: Sendable {
  /// Where to write the diary.
  var record: String?
  /// Whether extended-length APDUs are used.
  var lengths = ChannelTraits.LengthPolicy.announced
}

/// Where the card is.
enum CardSource: Sendable {
  /// In a PC/SC reader, perhaps not yet.
  case reader(PCSCContext.ReaderSelection, wait: Duration)
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
  /// - Parameter conversation: how to speak to the card, and where to write the diary, also of what fails.
  func perform<Job: CardJob & ~Copyable>(
    _ job: consuming Job, as conversation: Conversation = Conversation(), in session: Session
  ) throws(Failure) -> Job.Result {
    defer { session.progress.clear() }
    var session = session
    session.lengths = conversation.lengths
    guard let record = conversation.record else { return try perform(&job, nil, session) }
    let file = try OutputFile(record, overwriting: session.mayOverwrite)
    let recorder = TraceRecorder()
    let outcome: Swift.Result<Job.Result, Failure>
    do throws(Failure) { outcome = .success(try perform(&job, recorder, session)) } catch {
      outcome = .failure(error)
    }
    try file.commit([UInt8](recorder.diagnosticText.utf8))
    return try outcome.get()
  }

  private func perform<Job: CardJob & ~Copyable>(
    _ job: inout Job, _ recorder: TraceRecorder?, _ session: Session
  ) throws(Failure) -> Job.Result {
    var session = session
    switch self {
    case .virtual(let persona, let faults, let options):
      var random = SystemRandom()
      session.place = "virtual \(persona.identifier)"
      let card = VirtualCard(persona: persona, faults: faults, options: options)
      let channel = VirtualCardChannel(card)
      return try Self.run(&job, over: channel, &random, recorder, CodeWatch(), session)
    case .replay(let trace):
      return try Self.replay(trace, &job, session)
    case .reader(let selection, let wait):
      let watch = CodeWatch()
      do throws(Failure) {
        return try Self.contact(selection, wait, &job, recorder, watch, session)
      } catch {
        guard error.mayComeFromTheWay, watch.allowsStartingOver else { throw error }
      }
      // The card was reset when its channel went; a person is not bothered with one lost block.
      session.progress.show(.startingOver)
      return try Self.contact(selection, .recovery, &job, recorder, watch, session)
    }
  }

  /// One contact with the card in a reader, from its reset to the next.
  private static func contact<Job: CardJob & ~Copyable>(
    _ selection: PCSCContext.ReaderSelection, _ wait: Duration, _ job: inout Job,
    _ recorder: TraceRecorder?, _ watch: CodeWatch, _ session: Session
  ) throws(Failure) -> Job.Result {
    var session = session
    var random = SystemRandom()
    let channel = try connect(selection, wait, session)
    defer { session.interruption.forget() }
    session.place = channel.reader
    return try run(&job, over: channel, &random, recorder, watch, session)
  }

  private static func connect(
    _ selection: PCSCContext.ReaderSelection, _ wait: Duration, _ session: Session
  ) throws(Failure) -> PCSCContext.Channel {
    do throws(ChannelError) {
      let context = try PCSCContext()
      return try session.interruption.cancelling({ context.cancel() }) {
        () throws(ChannelError) in
        try context.openCard(in: selection, for: wait) { session.progress.show($0.request) }
      }
    } catch { throw .channel(error) }
  }

  /// The judgement of certificates is at the time of the recording, and the recording must be used to its end.
  private static func replay<Job: CardJob & ~Copyable>(
    _ trace: Trace, _ job: inout Job, _ session: Session
  ) throws(Failure) -> Job.Result {
    let progress = ReplayProgress()
    let channel = ReplayChannel(trace, progress: progress)
    var random = ReplayRandom(trace)
    var session = session
    session.place = "replay"
    if let time = trace.header.time { session.time = time }
    let result = try run(&job, over: channel, &random, nil, CodeWatch(), session)
    do throws(ChannelError) {
      try progress.finish()
      try random.progress.finish()
    } catch { throw .channel(error) }
    return result
  }

  private static func run<Job: CardJob & ~Copyable, Channel: CardChannel & ~Copyable>(
    _ job: inout Job, over channel: consuming Channel, _ random: inout some RandomSource,
    _ recorder: TraceRecorder?, _ watch: CodeWatch, _ session: Session
  ) throws(Failure) -> Job.Result {
    let report = session.progress.reporter
    guard let recorder else {
      let guarded = InterruptibleChannel(channel, session.interruption, watch)
      return try job.run(
        on: IdentityCard(over: guarded, lengths: session.lengths, report: report), random: &random,
        in: session)
    }
    let recording = RecordingChannel(channel, recorder: recorder)
    let guarded = InterruptibleChannel(recording, session.interruption, watch)
    return try job.run(
      on: IdentityCard(over: guarded, lengths: session.lengths, report: report),
      random: &random, in: session)
  }
}

extension Duration {
  /// How long the card may take to be seen again after a transmission failed.
  fileprivate static let recovery = Duration.seconds(2)
}

extension PCSCContext.Awaited {
  /// What a person is asked to do.
  var request: Message {
    switch self {
    case .reader: Message("wait.reader")
    case .card:
      Message("wait.card")
    }
  }
}

extension Message {
  fileprivate static let startingOver = Message("wait.starting-over")
}
