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
  let conversation: Conversation
  let program: ResultProgram?
  /// The logs of the cards; `nil` without any.
  let logs: CardLogs?
  /// True if the first card is the last.
  let isOnce: Bool
  let lines: EventLines
  let session: RunContext

  /// Watches the selected readers.
  ///
  /// - Returns: with `isOnce`, the first card's result.
  /// - Throws: `interrupted`, or the reason why an event could not be written.
  func run(
    _ selection: PCSCContext.ReaderSelection, _ manager: ServiceManager
  ) throws(Failure) -> CommandOutcome {
    defer { manager.tellStopping() }
    var readers = WatchedReaders(selection, watchdog: manager.watchdog, session.interruption)
    var problem: Diagnosis.Kind?
    var isReady = false
    while true {
      let changes: [PCSCContext.Change]
      do throws(ChannelError) {
        changes = try readers.changes()
        problem = nil
      } catch {
        guard !session.interruption.isOver else { throw .interrupted }
        let diagnosis = Diagnosis(error)
        // Reported once, however often the service is missing.
        if diagnosis.kind != problem { lines.write(diagnosis, session.language) }
        problem = diagnosis.kind
        changes = readers.loss()
      }
      for change in changes {
        let line = lines.write(change)
        guard case .cardPresent(let reader, let atr?) = change else { continue }
        let outcome = deal(with: reader, atr, line)
        if isOnce { return outcome }
      }
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
  /// Runs the job for a card, reports the result, and runs the program for it.
  ///
  /// - Parameters:
  ///   - reader: its reader, if any.
  ///   - line: the event that reported it, which the program gets if there is no job.
  private func deal(
    with reader: String?, _ atr: [UInt8], _ line: EventLines.Line, at place: String = ""
  ) -> CommandOutcome {
    let place = reader ?? place
    guard let job else {
      hand(line, .ok, place)
      return CommandOutcome()
    }
    var session = RunContext(
      session.language, session.interruption, tries: session.tries, clock: session.clock)
    session.isJSON = true
    session.isQuiet = self.session.isQuiet
    if !session.isQuiet {
      session.onStep = { [lines] step, _ in
        lines.write(.progress, [.init("reader", place), .init("step", step.rawValue)])
      }
    }
    var conversation = conversation
    if let reader { conversation.source = .reader(.exactly(reader), wait: .zero) }
    let log = logs.flatMap { logs in reporting(at: place) { () throws(Failure) in try logs.begin() }
    }
    conversation.record = log.map { ($0.diary, nil) }
    let presenter = Presenter(command: command, isJSON: true, session: session)
    let outcome = CommandOutcome { () throws(Failure) in try job(conversation, session) }
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
      lines.write(Diagnosis(error), at: place, session.language)
      return nil
    }
  }

  private func hand(_ line: EventLines.Line, _ status: ExitStatus, _ reader: String) {
    guard let program, !session.interruption.isOver else { return }
    let variables: [(String, String)] = [
      ("CIE_READ_READER", reader), ("CIE_READ_SEQUENCE", String(line.number)),
      ("CIE_READ_STATUS", String(status.rawValue)),
    ]
    do throws(ResultProgram.Problem) {
      try program.run(line.text, variables, session.interruption)
    } catch { lines.write(Diagnosis(error), at: reader, session.language) }
  }
}
