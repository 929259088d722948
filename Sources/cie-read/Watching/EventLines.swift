import CIECard
import Glibc
import Synchronization
import System

/// JSON Lines on standard output: an object an event, each with its time and its number.
///
/// Whoever reads them slowly slows the watch down; nothing is kept for them and nothing thrown away.
final class EventLines: Sendable {
  /// One that was written.
  struct Line: Sendable {
    let number: Int
    let text: String
  }

  private struct State {
    var sequence = 0
    var failure: Failure?
  }

  private let interruption: Interruption
  private let state = Mutex(State())

  init(_ interruption: Interruption) { self.interruption = interruption }

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
      if state.failure == nil {
        do throws(Failure) { try Stream.output.write([UInt8](text.utf8), interruption) } catch {
          state.failure = error
        }
      }
      return Line(number: state.sequence, text: text)
    }
  }

  /// - Throws: why a line could not be written: from then on nobody hears anything.
  func requireReader() throws(Failure) {
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }
}

/// What a line is about.
enum WatchEvent: String, Sendable {
  case readerAdded = "reader-added"
  case readerRemoved = "reader-removed"
  case cardPresent = "card-present"
  case cardRemoved = "card-removed"
  /// What is being done with the card.
  case progress
  /// How that ended, well or not.
  case result
  /// What went wrong beside a card: the service is away, the program of `--exec` failed.
  case error
}

extension EventLines {
  /// Tells a change.
  @discardableResult
  func write(_ change: PCSCContext.Change) -> Line {
    switch change {
    case .readerAdded(let reader): write(.readerAdded, [.init("reader", reader)])
    case .readerRemoved(let reader): write(.readerRemoved, [.init("reader", reader)])
    case .cardRemoved(let reader): write(.cardRemoved, [.init("reader", reader)])
    case .cardPresent(let reader, let atr):
      write(.cardPresent, [.init("reader", reader), .init("atr", atr?.hexadecimal)])
    }
  }
}
