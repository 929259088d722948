import CIECard
import CardWork
import Dispatch
import LocalService
import Messages
import Synchronization
import Primitives

/// The state of the readers, for requests and for listeners of events.
final class ReaderBoard: Sendable {
  /// A listener: the stream, and its numbered lines.
  private struct Listener {
    let stream: EventStream
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
  private let session: RunContext

  init(_ session: RunContext) { self.session = session }

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
  func add(_ stream: EventStream) {
    let listener = Listener(
      stream: stream,
      lines: EventLines { line in
        stream.send(
          event: line.event.rawValue, id: line.number, data: String(line.text.dropLast()))
      })
    state.withLock { state in
      for change in [].changes(to: state.readers) { listener.lines.write(change) }
      if let problem = state.problem { listener.lines.write(Diagnosis(problem), session.language) }
      state.listeners.removeAll { $0.stream.isOver }
      state.listeners.append(listener)
    }
  }

  /// Sends a step of the card.
  func tell(_ step: CardError.Step, at place: String) {
    state.withLock { state in
      for listener in state.listeners {
        listener.lines.write(
          .progress, [.init("reader", place), .init("step", step.rawValue)])
      }
    }
  }

  /// Keeps the streams alive, and drops closed ones.
  func beat() {
    state.withLock { state in
      state.listeners.removeAll { $0.stream.isOver }
      for listener in state.listeners { listener.stream.beat() }
    }
  }

  /// Ends all streams.
  func end() {
    state.withLock { state in
      for listener in state.listeners { listener.stream.end() }
      state.listeners = []
    }
  }

  /// Watches the readers of this machine, on its own thread, to the end of the program.
  func watch(_ selection: PCSCContext.ReaderSelection, watchdog: Duration?) {
    DispatchQueue(label: "readers").async { [self] in
      try? session.interruption.withPart { (part) throws(Failure) in
        var readers = WatchedReaders(selection, watchdog: watchdog, part)
        while !part.isOver { look(at: &readers) }
      }
    }
  }

  /// The reader of a card that is there from the start.
  func show(_ reader: PCSCContext.Reader) { state.withLock { $0.readers = [reader] } }

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
        if isNews, let problem { listener.lines.write(Diagnosis(problem), session.language) }
        for change in changes { listener.lines.write(change) }
      }
    }
  }
}
