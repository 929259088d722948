import CIECard
import CWipingHeap
import CardWork
import Dispatch
import LocalService
import Messages
import Synchronization

/// The one place of the card: one request at a time; a request that comes meanwhile is refused at once.
final class ServedCard: Sendable {
  typealias Work = @Sendable (Conversation, RunContext) throws(Failure) -> CommandOutcome

  private struct State {
    /// The number of requests that have had the card; that of the last one is its ticket.
    var tickets = 0
    var isBusy = false
    /// The means to end the request that has the card, once its work has begun.
    var part: Interruption?
    var isCancelled = false
  }

  private let conversation: Conversation
  /// The time limit of a request, in seconds.
  private let deadline: Int
  private let entry: PINEntry
  private let context: RunContext
  private let queue = DispatchQueue(label: "card")
  private let state = Mutex(State())
  /// The reader that a person has chosen of several with a card.
  private let reader = Mutex<String?>(nil)

  /// - Parameter context: of the program; each request has one like it.
  init(_ conversation: Conversation, deadline: Int, entry: PINEntry, _ context: RunContext) {
    self.conversation = conversation
    self.deadline = deadline
    self.entry = entry
    self.context = context
  }

  /// True if it is a software card of the program.
  var isTest: Bool {
    if case .substitute(let card) = conversation.source { card is SoftwareCard } else { false }
  }

  var isBusy: Bool { state.withLock { $0.isBusy } }

  /// Runs a request's work on another thread.
  ///
  /// - Parameters:
  ///   - askPIN: asks for a PIN that the request does not have; nil to ask at the place of the operator.
  ///   - progress: called with the progress of the card.
  ///   - answer: called with the end, when the next request may come already.
  /// - Returns: the ticket, for `cancel`.
  /// - Throws: at once, if another request has the card.
  func begin(
    _ work: @escaping Work, in language: Language,
    askingBy askPIN: (@Sendable (RunContext) throws(Failure) -> Secret)? = nil,
    telling progress: @escaping @Sendable (CardProgress, String) -> Void,
    answer: @escaping @Sendable (CommandOutcome, RunContext) -> Void
  ) throws(Failure) -> Int {
    let ticket: Int? = state.withLock { state in
      guard !state.isBusy else { return nil }
      state = State(tickets: state.tickets + 1, isBusy: true)
      return state.tickets
    }
    guard let ticket else { throw .found(Diagnosis(.cardLost, "busy")) }
    queue.async { [self] in
      var context = context.ofAnotherRun(language)
      context.isQuiet = true
      context.isJSON = true
      context.usesPinentry = entry == .pinentry
      context.onProgress = progress
      context.askPIN = askPIN
      let outcome = CommandOutcome { () throws(Failure) in try perform(work, in: context) }
        .heeding(context.present)
      state.withLock { $0 = State(tickets: $0.tickets) }
      answer(outcome, context)
      cie_wipe_stack()
    }
    return ticket
  }

  /// Takes the card in this reader from the next request on; without a name, that in the only one.
  func choose(reader name: String?) { reader.withLock { $0 = name } }

  private var chosen: Conversation {
    var conversation = conversation
    if let name = reader.withLock({ $0 }), case .reader(_, let wait) = conversation.source {
      conversation.source = .reader(.exactly(name), wait: wait)
    }
    return conversation
  }

  private func perform(_ work: Work, in context: RunContext) throws(Failure) -> CommandOutcome {
    try context.interruption.withPart { (part) throws(Failure) in
      let isCancelled = state.withLock { state in
        state.part = part
        return state.isCancelled
      }
      if isCancelled { part.giveUp() }
      let context = context.endedBy(part)
      do throws(Failure) {
        return try context.ending(after: deadline) { () throws(Failure) in
          try work(chosen, context)
        }
      } catch {
        guard case .deadline(let seconds) = error else { throw error }
        // Unlike the deadline of a login on the command line, this is not the network's fault: the request was ended.
        throw .found(Diagnosis(.interrupted, "deadline", ["count": seconds]))
      }
    }
  }

  /// Ends the request that has the card: a command in progress on the card finishes, and no other one follows.
  ///
  /// - Parameter ticket: of the request to end; without it, of any that has the card.
  /// - Returns: `true` if it had the card.
  @discardableResult func cancel(_ ticket: Int? = nil) -> Bool {
    let (isMeant, part) = state.withLock { state -> (Bool, Interruption?) in
      guard state.isBusy, ticket == nil || ticket == state.tickets else { return (false, nil) }
      state.isCancelled = true
      return (true, state.part)
    }
    part?.giveUp()
    return isMeant
  }
}
