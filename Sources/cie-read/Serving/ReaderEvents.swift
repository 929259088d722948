import CIECard
import CardWork
import Dispatch
import LocalService
import Messages
import Synchronization
import Primitives

/// The state of the readers, for requests and for listeners of events.
final class ReaderEvents: Sendable {
  /// A listener: the stream, and its numbered lines.
  private struct Listener {
    let stream: EventStream
    let language: Language
    let lines: EventLines
  }

  private struct State {
    var readers: [PCSCContext.Reader] = []
    /// The reason why there are no readers, if the service is away.
    var problem: ChannelError?
    var listeners: [Listener] = []
    /// The time of the last check of the readers.
    var lastLook = ContinuousClock.now
  }

  private let state = Mutex(State())
  private let context: RunContext
  /// The readers that are watched; nil if the card is not in a reader.
  let selection: PCSCContext.ReaderSelection?

  init(of conversation: Conversation, _ context: RunContext) throws(Failure) {
    self.context = context
    switch conversation.source {
    case .reader(let selection, _): self.selection = selection
    case .substitute(let card):
      // One request uses a recording up.
      guard !card.isRecording else {
        throw .usage("wrong-serve-option", ["option": "--replay"])
      }
      selection = nil
      let reader = PCSCContext.Reader(
        name: card.place, answerToReset: card.answerToReset, isAvailable: true, eventCount: 0)
      state.withLock { $0.readers = [reader] }
    }
  }

  /// The readers that are there.
  ///
  /// - Throws: the reason why they are unknown.
  func readers() throws(Failure) -> [PCSCContext.Reader] {
    let (readers, problem) = state.withLock { ($0.readers, $0.problem) }
    if let problem { throw .channel(problem) }
    return readers
  }

  /// Checks that they are still watched.
  func isAlive(within time: Duration) -> Bool {
    state.withLock { ContinuousClock.now - $0.lastLook < time }
  }

  /// Sends a new listener the present state, and from then on the events.
  ///
  /// - Parameter language: of its texts.
  func add(_ stream: EventStream, _ language: Language) {
    let listener = Listener(
      stream: stream, language: language,
      lines: EventLines { line in
        stream.send(
          event: line.event.rawValue, id: line.number, data: String(line.text.dropLast()))
      })
    state.withLock { state in
      for change in [].changes(to: state.readers) { listener.lines.write(change) }
      if let problem = state.problem { listener.lines.write(Diagnosis(problem), language) }
      state.listeners.removeAll { $0.stream.isOver }
      state.listeners.append(listener)
    }
  }

  func tell(_ event: CardProgress, at place: String) {
    state.withLock { state in
      for listener in state.listeners { listener.lines.write(event, at: place) }
    }
  }

  /// Sends an event.
  func tell(_ event: WatchEvent, _ members: [JSON.Member] = []) {
    state.withLock { state in
      for listener in state.listeners { listener.lines.write(event, members) }
    }
  }

  /// Keeps the streams alive, and drops closed ones.
  func beat() {
    state.withLock { state in
      state.listeners.removeAll { $0.stream.isOver }
      for listener in state.listeners { listener.stream.beat() }
    }
  }

  func end() {
    state.withLock { state in
      for listener in state.listeners { listener.stream.end() }
      state.listeners = []
    }
  }

  /// Watches the readers of this machine, on its own thread, to the end of the program.
  func watch(_ selection: PCSCContext.ReaderSelection, watchdog: Duration?) {
    DispatchQueue(label: "readers").async { [self] in
      try? context.interruption.withPart { (part) throws(Failure) in
        var readers = WatchedReaders(selection, watchdog: watchdog, part)
        while !part.isOver { look(at: &readers) }
      }
    }
  }

  private func look(at readers: inout WatchedReaders) {
    do throws(ChannelError) {
      let changes = try readers.changes()
      note(changes, readers.present, nil)
    } catch { note(readers.loss(), [], error) }
  }

  private func note(
    _ changes: [PCSCContext.Change], _ readers: [PCSCContext.Reader], _ problem: ChannelError?
  ) {
    state.withLock { state in
      let isNews = problem != nil && state.problem != problem
      state.readers = readers
      state.problem = problem
      state.lastLook = .now
      for listener in state.listeners {
        if isNews, let problem { listener.lines.write(Diagnosis(problem), listener.language) }
        for change in changes { listener.lines.write(change) }
      }
    }
  }
}
