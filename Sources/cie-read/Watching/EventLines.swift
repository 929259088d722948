import CIECard
import CardWork
import Glibc
import Messages
import Synchronization
import Primitives

/// JSON Lines: an object an event, each with its time and its number.
final class EventLines: Sendable {
  struct Line: Sendable {
    let event: WatchEvent
    let number: Int
    let text: String
  }

  private struct State {
    var sequence = 0
    var failure: Failure?
  }

  private let deliver: @Sendable (Line) throws(Failure) -> Void
  private let state = Mutex(State())

  /// - Parameter deliver: called with each line; after an error no more.
  init(_ deliver: @escaping @Sendable (Line) throws(Failure) -> Void) { self.deliver = deliver }

  /// Lines to a standard stream. A slow reader slows the watch down; lines are neither buffered nor dropped.
  convenience init(to stream: Stream, _ interruption: Interruption) {
    self.init { line throws(Failure) in try stream.write([UInt8](line.text.utf8), interruption) }
  }

  /// Writes an event.
  ///
  /// - Returns: the line.
  @discardableResult
  func write(_ event: WatchEvent, _ members: [JSON.Member]) -> Line {
    state.withLock { state in
      state.sequence += 1
      let frame: [JSON.Member] = [
        .init("schema", "cie-read/1"), .init("event", event.rawValue),
        .init("time", UTCCalendar.millisecondsNow), .init("sequence", state.sequence),
      ]
      let text = JSON.object(frame + members).text + "\n"
      let line = Line(event: event, number: state.sequence, text: text)
      if state.failure == nil {
        do throws(Failure) { try deliver(line) } catch { state.failure = error }
      }
      return line
    }
  }

  /// - Throws: the reason why a line could not be written: from then on no line is delivered.
  func requireReader() throws(Failure) {
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }
}

enum WatchEvent: String, Sendable {
  case readerAdded = "reader-added"
  case readerRemoved = "reader-removed"
  case cardPresent = "card-present"
  case cardRemoved = "card-removed"
  case progress
  /// The end of the job, with success or failure.
  case result
  /// Files were opened for the page of `desk`.
  case files
  /// A request of a page waits for the PIN.
  case pin
  /// A failure beside a card: the service is away, the program of `--exec` failed.
  case error
}

extension EventLines {
  /// Reports a change.
  @discardableResult
  func write(_ change: PCSCContext.Change) -> Line {
    switch change {
    case .readerAdded(let reader): write(.readerAdded, [.init("reader", reader)])
    case .readerRemoved(let reader): write(.readerRemoved, [.init("reader", reader)])
    case .cardRemoved(let reader): write(.cardRemoved, [.init("reader", reader)])
    case .cardPresent(let reader, let atr):
      write(
        .cardPresent,
        [
          .init("reader", reader), .init("atr", atr?.hexadecimal),
          .init("family", atr.map { ChipFamily(atr: $0).rawValue }),
        ])
    }
  }

  func write(_ event: CardProgress, at reader: String) {
    let bytes = event.bytes.map { [JSON.Member("read", $0.read), .init("length", $0.length)] }
    let item = event.item.map { [JSON.Member("item", $0.number), .init("items", $0.of)] }
    write(
      .progress,
      [.init("reader", reader), .init("step", event.step.rawValue)] + (bytes ?? [])
        + (item ?? []))
  }

  func write(_ diagnosis: Diagnosis, at reader: String? = nil, _ language: Language) {
    write(.error, [.init("reader", reader), .init("error", diagnosis.json(language))])
  }
}
