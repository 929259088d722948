import CIECard
import CardWork
import Glibc

/// The readers of this machine, checked again and again; the service may come and go.
struct WatchedReaders {
  private let selection: PCSCContext.ReaderSelection
  private let interruption: Interruption
  private var context: PCSCContext?
  /// The readers as last reported; all of them, also those that are not selected.
  private var known: [PCSCContext.Reader] = []

  /// The time limit of a check without events; half of what a watchdog allows.
  private let slice: Duration
  /// The pause after a check without result, in microseconds: a service that returns at once must not keep us busy.
  private static let breath: useconds_t = 10_000
  /// The pause before the service is looked for again, in microseconds.
  private static let retry: useconds_t = 200_000

  init(
    _ selection: PCSCContext.ReaderSelection, watchdog: Duration?, _ interruption: Interruption
  ) {
    self.selection = selection
    self.interruption = interruption
    slice = min(.seconds(10), watchdog.map { $0 / 2 } ?? .seconds(10))
  }

  /// Waits a while for events; the first call reports the present state.
  ///
  /// - Parameter limit: a shorter while.
  /// - Throws: when the service is away, stops, or the run is over; `loss` then has the changes for the readers.
  mutating func changes(within limit: Duration = .seconds(3600)) throws(ChannelError)
    -> [PCSCContext.Change]
  {
    let (known, slice) = (known, min(slice, limit))
    let isFirst = context == nil
    let context = if let context { context } else { try PCSCContext() }
    self.context = context
    let now = try interruption.cancelling({ context.cancel() }) { () throws(ChannelError) in
      if !isFirst { try context.waitForChange(from: known, for: slice) }
      return try context.readers()
    }
    self.known = now
    let changes = meant(known).changes(to: meant(now))
    if changes.isEmpty, !isFirst { usleep(Self.breath) }
    return changes
  }

  /// The selected readers, as last reported.
  var present: [PCSCContext.Reader] { meant(known) }

  /// The changes when the service is lost; waits a moment before the next search for it.
  mutating func loss() -> [PCSCContext.Change] {
    defer {
      context = nil
      known = []
      interruption.forget()
    }
    let ends = meant(known).ends
    if ends.isEmpty { usleep(Self.retry) }
    return ends
  }

  private func meant(_ readers: [PCSCContext.Reader]) -> [PCSCContext.Reader] {
    let names = Set(selection.candidates(among: readers.map(\.name)))
    return readers.filter { names.contains($0.name) }
  }
}
