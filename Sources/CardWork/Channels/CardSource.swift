package import CIECard
import Messages
package import Primitives

package enum CardSource: Sendable {
  /// In a PC/SC reader, perhaps not yet.
  case reader(PCSCContext.ReaderSelection, wait: Duration)
  /// In no reader.
  case substitute(any SubstituteCard)
}

/// The settings of a conversation with a card.
package struct Conversation: Sendable {
  package var source: CardSource
  /// The diary, and its file; without one the caller keeps the diary.
  package var record: (diary: any ConversationRecorder, path: String?)?
  /// The rule for extended-length APDUs.
  var lengths = ChannelTraits.LengthPolicy.automatic
  /// The time limit for a card that another program holds, if it is longer than that for a card.
  package var release = Duration.zero
  /// True for a look that does not wait for other programs.
  package var isBriefLook = false

  package init(
    source: CardSource, record: (diary: any ConversationRecorder, path: String?)? = nil,
    lengths: ChannelTraits.LengthPolicy = .automatic
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

  /// Opens the channel, runs the job, closes the channel; the diary is written meanwhile, also of a failure.
  package func perform<Result>(in context: RunContext, _ job: Job<Result>) throws(Failure) -> Result
  {
    defer { context.progress.clear() }
    guard let record, let path = record.path else {
      return try perform(in: context, recordedBy: record?.diary, job)
    }
    let file = try LogFile(path, overwriting: context.mayOverwrite)
    record.diary.pass(to: file.append)
    let outcome = Swift.Result { () throws(Failure) in
      try perform(in: context, recordedBy: record.diary, job)
    }
    try file.end()
    return try outcome.get()
  }

  /// Runs the job for a caller that keeps the diary itself.
  func perform<Result>(
    in context: RunContext, recordedBy diary: (any ConversationRecorder)?, _ job: Job<Result>
  ) throws(Failure) -> Result {
    switch source {
    case .substitute(let card): return try substitute(card, diary, context, job)
    case .reader(let selection, let wait):
      let end = ContinuousClock.now + wait
      var left = wait
      while true {
        let watch = CodeWatch()
        do throws(Failure) {
          return try contact(selection, left, diary, watch, context, job)
        } catch {
          guard error.mayComeFromTheWay else { throw error }
          left = end - ContinuousClock.now
          if watch.wasExchanged, left > .zero { continue }
          guard watch.allowsStartingOver else { throw error }
        }
        break
      }
      // The card was reset when its channel closed; one lost block is no reason to ask the person.
      context.progress.show(Message("wait.starting-over"))
      return try contact(selection, .recovery, diary, CodeWatch(), context, job)
    }
  }

  /// One contact with the card in a reader, from its reset to the next.
  private func contact<Result>(
    _ selection: PCSCContext.ReaderSelection, _ wait: Duration,
    _ diary: (any ConversationRecorder)?, _ watch: CodeWatch, _ context: RunContext,
    _ job: Job<Result>
  ) throws(Failure) -> Result {
    var random = SessionRandom(source: SystemRandom())
    let channel = try connect(selection, wait, context)
    defer { context.interruption.forget() }
    let place = channel.reader
    defer { context.remember(place, isSilent: watch.isSilent) }
    return try run(over: AnyCardChannel(channel), at: place, &random, diary, watch, context, job)
  }

  private func connect(
    _ selection: PCSCContext.ReaderSelection, _ wait: Duration, _ context: RunContext
  ) throws(Failure) -> PCSCContext.Channel {
    var reader = ""
    do throws(ChannelError) {
      let service =
        isBriefLook ? try PCSCContext(patience: .connecting(within: .briefLook)) : try PCSCContext()
      return try context.interruption.cancelling({ service.cancel() }) {
        () throws(ChannelError) in
        try service.openCard(in: selection, for: wait, orRelease: release) {
          context.progress.show($0.request)
        } found: {
          reader = $0
        }
      }
    } catch .sharingViolation where context.hasSilentCard(in: reader) {
      throw .channel(.cardMute)
    } catch { throw .channel(error) }
  }

  /// A conversation with a card that is in no reader; a recording keeps no second diary, and must be used to its end.
  private func substitute<Result>(
    _ card: any SubstituteCard, _ diary: (any ConversationRecorder)?, _ context: RunContext,
    _ job: Job<Result>
  ) throws(Failure) -> Result {
    let opened = try card.open()
    var random = SessionRandom(source: opened.random)
    var context = context
    context.stage = opened.stage
    if let time = opened.time { context.present = .recording(time) }
    let finish = opened.finish
    let result = try run(
      over: opened.channel, at: card.place, &random, card.isRecording ? nil : diary, CodeWatch(),
      context, job)
    try mapError(try finish()) { Failure.channel($0) }
    return result
  }

  private func run<Result>(
    over channel: consuming AnyCardChannel, at place: String, _ random: inout SessionRandom,
    _ diary: (any ConversationRecorder)?, _ watch: CodeWatch, _ context: RunContext,
    _ job: Job<Result>
  ) throws(Failure) -> Result {
    var context = context
    context.place = place
    let recorded = if let diary { diary.recording(channel) } else { channel }
    let guarded = SessionChannel(recorded, context.interruption, watch)
    let reporter = context.reporter
    let lengths = context.lengths(lengths, of: guarded.traits.atr)
    let card = IdentityCard(over: guarded, lengths: lengths) { step in
      diary?.note(step.rawValue)
      reporter(CardProgress(step: step))
    }
    return try job(card, &random, context)
  }
}

extension Duration {
  /// The time that the card may take to reappear after a failed transmission.
  fileprivate static let recovery = Duration.seconds(2)
  /// Longer than a card takes to be powered.
  fileprivate static let briefLook = Duration.seconds(3)
}

extension PCSCContext.Awaited {
  package var request: Message {
    switch self {
    case .reader: Message("wait.reader")
    case .card: Message("wait.card")
    case .release: Message("wait.release")
    }
  }
}

/// A card that is in no reader: a software card or a recording.
package protocol SubstituteCard: Sendable {
  /// Its place, for people.
  var place: String { get }
  /// Its answer to reset (ISO/IEC 7816-3 §8.2).
  var answerToReset: [UInt8] { get }
  /// True if one conversation uses it up.
  var isRecording: Bool { get }

  /// Its own authority, which is trusted with it; `nil` for a recording.
  var authority: TrustStore? { get }

  func open() throws(Failure) -> SubstituteConversation
}

/// An open conversation with a card that is in no reader.
package struct SubstituteConversation: ~Copyable {
  let channel: AnyCardChannel
  let stage: Stage
  let random: any RandomSource
  /// The time at which certificates are judged; nil for that of the run.
  let time: UTCTime?
  let finish: () throws(ChannelError) -> Void

  /// - Parameter finish: called after the job; it throws if a recording was not used to its end.
  package init(
    over channel: consuming AnyCardChannel, _ stage: Stage, random: any RandomSource,
    at time: UTCTime? = nil, finish: @escaping () throws(ChannelError) -> Void = {}
  ) {
    self.channel = channel
    self.stage = stage
    self.random = random
    self.time = time
    self.finish = finish
  }
}

/// A diary of a conversation, which never has its data.
package protocol ConversationRecorder: AnyObject, Sendable {
  /// A channel whose exchanges are written down.
  func recording(_ channel: consuming AnyCardChannel) -> AnyCardChannel
  /// Adds a remark before the next command.
  func note(_ text: String)
  /// Passes on the lines so far, and each further one before the conversation continues.
  func pass(to receiver: @escaping @Sendable (String) -> Void)
  /// Everything so far.
  var text: String { get }
}
