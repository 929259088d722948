import Synchronization
import Traces

/// An attacker on the wire, who changes the answer to one of the commands with an instruction; the client may go on as it
/// likes.
final class WireAttacker: Sendable {
  private let mutation: TraceMutation
  private let instruction: UInt8
  private let occurrence: Int
  private let state = Mutex(State())

  private struct State {
    var exchanges = 0
    var occurrences = 0
    var earlier: [UInt8]?
    var outcome: Result<Void, TraceMutation.Failure>?
  }

  /// - Parameter moment: `cb:2` is the second GET DATA.
  init?(_ mutation: TraceMutation, at moment: String) {
    let words = moment.split(separator: ":")
    guard words.count == 2, let instruction = UInt8(words[0], radix: 16),
      let occurrence = Int(words[1])
    else { return nil }
    (self.mutation, self.instruction, self.occurrence) = (mutation, instruction, occurrence)
  }

  func pass(_ answer: [UInt8], to command: [UInt8]) -> [UInt8] {
    state.withLock { state in
      let earlier = state.earlier
      state.earlier = answer
      state.exchanges += 1
      guard command.dropFirst().first == instruction else { return answer }
      state.occurrences += 1
      guard state.occurrences == occurrence else { return answer }
      do throws(TraceMutation.Failure) {
        let changed = try mutation.changed(answer, earlier: earlier, exchange: state.exchanges)
        state.outcome = .success(())
        return changed
      } catch {
        state.outcome = .failure(error)
        return answer
      }
    }
  }

  /// Throws unless the answer was changed.
  func finish() throws(TraceMutation.Failure) {
    let (outcome, exchanges) = state.withLock { ($0.outcome, $0.exchanges) }
    guard let outcome else { throw .noSuchExchange(exchanges + 1) }
    try outcome.get()
  }
}
