import CIECard
import Glibc

/// The readers of this machine, looked at again and again; the service may come and go.
struct WatchedReaders {
  private let selection: PCSCContext.ReaderSelection
  private let interruption: Interruption
  private var context: PCSCContext?
  /// As they were told of; of all readers, also those that are not meant.
  private var known: [PCSCContext.Reader] = []

  /// How long a look may take when nothing happens; half of what a watchdog allows.
  private let slice: Duration
  /// The pause after a look that brought nothing, in microseconds: a service that returns at once must not keep us busy.
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

  /// Waits a while for something to happen; the first time it tells what is there.
  ///
  /// - Throws: when the service is away, stops, or the run is over; `loss` then says what that means for the readers.
  mutating func changes() throws(ChannelError) -> [PCSCContext.Change] {
    let (known, slice) = (known, slice)
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

  /// Those that are meant, as they were told of.
  var present: [PCSCContext.Reader] { meant(known) }

  /// What goes with the service; waits a moment before it is looked for again.
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
