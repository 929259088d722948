import CIECard
import CardWork
import Messages
import Primitives

/// A watch of readers and cards as they come and go, with a job for each card, until it is stopped.
///
/// One card after the other. Events at the readers meanwhile are reported afterwards, because the service counts them.
struct CardWatch {
  typealias Job = (Conversation, RunContext) throws(Failure) -> CommandOutcome

  /// The job for each card; `nil` if cards are only reported.
  let job: Job?
  /// The command that does the same job, as results name it.
  let command: String?
  /// The settings of the conversation with a card, for every reader.
  var conversation: Conversation
  let program: ResultProgram?
  /// The logs of the cards; `nil` without any.
  let logs: CardLogs?
  /// True if the first card is the last.
  let isOnce: Bool
  let lines: EventLines
  let context: RunContext

  /// Watches the selected readers.
  ///
  /// - Returns: with `isOnce`, the first card's result.
  /// - Throws: `interrupted`, or the reason why an event could not be written.
  func run(
    _ selection: PCSCContext.ReaderSelection, _ manager: ServiceManager
  ) throws(Failure) -> CommandOutcome {
    defer { manager.tellStopping() }
    var readers = WatchedReaders(selection, watchdog: manager.watchdog, context.interruption)
    var problem: Diagnosis.Kind?
    var isReady = false
    // Cards that another program held when they came, by their readers; each is reported as such once.
    var held: [String: [UInt8]] = [:]
    while true {
      let changes: [PCSCContext.Change]
      do throws(ChannelError) {
        changes = try readers.changes(within: held.isEmpty ? Self.longest : Self.pause)
        problem = nil
      } catch {
        guard !context.interruption.isOver else { throw .interrupted }
        let diagnosis = Diagnosis(error)
        // Reported once, however often the service is missing.
        if diagnosis.kind != problem { lines.write(diagnosis, context.language) }
        problem = diagnosis.kind
        changes = readers.loss()
      }
      for change in changes {
        let line = lines.write(change)
        held[change.reader] = nil
        guard case .cardPresent(let reader, let atr?) = change else { continue }
        let outcome = deal(with: reader, atr, line)
        if isOnce { return outcome }
        if outcome.isOfHeldCard { held[reader] = atr }
      }
      for (reader, atr) in held where !dealAgain(with: reader, atr) { held[reader] = nil }
      try lines.requireReader()
      if !isReady { manager.tellReady() }
      isReady = true
      manager.tellAlive()
    }
  }

  /// Runs the job for a card that is there from the start and removed after it.
  func run(at place: String, _ atr: [UInt8]) throws(Failure) -> CommandOutcome {
    lines.write(.readerAdded(place))
    let line = lines.write(.cardPresent(place, answerToReset: atr))
    let outcome = deal(with: nil, atr, line, at: place)
    lines.write(.cardRemoved(place))
    lines.write(.readerRemoved(place))
    try lines.requireReader()
    return outcome
  }
}

extension CardWatch {
  private static var longest: Duration { .seconds(3600) }
  /// The pause before the next look at a card that another program holds.
  private static var pause: Duration { .seconds(1) }

  /// Runs the job for a card that another program held, if it is free now.
  ///
  /// - Returns: true if it is still held, which is not reported again.
  private func dealAgain(with reader: String, _ atr: [UInt8]) -> Bool {
    guard !context.interruption.isOver else { return true }
    var watch = self
    watch.conversation.isBriefLook = true
    watch.conversation.release = .zero
    return watch.deal(with: reader, atr, nil).isOfHeldCard
  }

  /// Runs the job for a card, reports the result, and runs the program for it.
  ///
  /// - Parameters:
  ///   - reader: its reader, if any.
  ///   - line: the event that reported it, which the program gets if there is no job; nil for a card that was held
  ///     then, and is not reported if it still is.
  private func deal(
    with reader: String?, _ atr: [UInt8], _ line: EventLines.Line?, at place: String = ""
  ) -> CommandOutcome {
    let place = reader ?? place
    guard let job else {
      if let line { hand(line, .ok, place) }
      return CommandOutcome()
    }
    var context = context.ofAnotherRun(context.language)
    context.isJSON = true
    context.isQuiet = self.context.isQuiet
    if !context.isQuiet {
      context.onProgress = { [lines] event, _ in
        // A line for each step is enough for a script.
        if event.bytes == nil { lines.write(event, at: place) }
      }
    }
    var conversation = conversation
    if let reader { conversation.source = .reader(.exactly(reader), wait: .zero) }
    let log = logs.flatMap { logs in reporting(at: place) { () throws(Failure) in try logs.begin() }
    }
    conversation.record = log.map { ($0.diary, nil) }
    let presenter = Presenter(command: command, isJSON: true, context: context)
    let outcome = CommandOutcome { () throws(Failure) in try job(conversation, context) }
    guard line != nil || !outcome.isOfHeldCard else { return outcome }
    let diagnosis = outcome.failure.map { Diagnosis($0) }
    let path = log.flatMap { log in
      reporting(at: place) { () throws(Failure) in try logs?.end(log, diagnosis?.name) } ?? nil
    }
    let frame = [.init("reader", place)] + (path.map { [JSON.Member("log", $0)] } ?? [])
    let result = lines.write(.result, frame + presenter.members(outcome.members, diagnosis))
    hand(result, diagnosis.map(presenter.exit) ?? .ok, place)
    return CommandOutcome(failure: outcome.failure)
  }

  /// The result of a body; its failure is an event beside the card, for which the job is done nevertheless.
  private func reporting<Result>(
    at place: String, _ body: () throws(Failure) -> Result
  ) -> Result? {
    do throws(Failure) { return try body() } catch {
      lines.write(Diagnosis(error), at: place, context.language)
      return nil
    }
  }

  private func hand(_ line: EventLines.Line, _ status: ExitStatus, _ reader: String) {
    guard let program, !context.interruption.isOver else { return }
    let variables: [(String, String)] = [
      ("CIE_READ_READER", reader), ("CIE_READ_SEQUENCE", String(line.number)),
      ("CIE_READ_STATUS", String(status.rawValue)),
    ]
    do throws(Failure) {
      try program.run(line.text, variables, context.interruption)
    } catch { lines.write(Diagnosis(error), at: reader, context.language) }
  }
}

extension CommandOutcome {
  /// True if another program held the card, so that it may be free later.
  fileprivate var isOfHeldCard: Bool {
    if case .channel(.sharingViolation) = failure { true } else { false }
  }
}

extension PCSCContext.Change {
  /// The reader concerned.
  fileprivate var reader: String {
    switch self {
    case .readerAdded(let name), .readerRemoved(let name), .cardPresent(let name, _),
      .cardRemoved(let name):
      name
    }
  }
}
