internal import CIECard

/// The module between C_Initialize and C_Finalize: the tables, and a keeper of the card for each slot.
///
/// Every function of PKCS #11 that has an effect is a method here, with values instead of pointers.
/// An error is the host's return value. Nothing traps, whatever the host passes, because that would
/// end the host.
final class Module: Sendable {
  let log: CallLog?
  /// The remaining tries that cards have reported to this process.
  let tries: KnownTries
  private let source: any ReaderSource
  /// Locked for moments only.
  private let tables: Lock<Tables>
  private let keepers: [CardKeeper]
  private let cancellation = Cancellation()
  private let longestGap: Duration
  /// Held for one snapshot of the readers at a time: an older one must not overtake a newer one.
  private let readers = Lock<[PCSCContext.Reader]>([])
  /// The reason why there are no readers, as last logged.
  private let problem = Lock<ChannelError?>(nil)

  init(_ source: any ReaderSource, _ settings: Settings, _ tries: KnownTries = KnownTries()) {
    self.source = source
    self.tries = tries
    longestGap = settings.terms.longestGap
    log = settings.log
    let tables = Lock(Tables())
    self.tables = tables
    keepers = (0..<SlotTable.count).map { slot in
      let write = { @Sendable [log = settings.log] (text: String) -> Void in
        log?.write("slot \(slot): \(text)")
      }
      return CardKeeper(source, settings.terms, explain: write) { explanation in
        tables.withLock { $0.logOut(slot) }
        write("logged out: \(explanation)")
      }
    }
  }

  func with<Value: Sendable>(
    _ body: (inout Tables) throws(ReturnValue) -> Value
  ) throws(ReturnValue) -> Value {
    try tables.withLock { (tables) throws(ReturnValue) in try body(&tables) }
  }

  func keeper(_ slot: Int) throws(ReturnValue) -> CardKeeper {
    guard keepers.indices.contains(slot) else { throw .slotIDInvalid }
    return keepers[slot]
  }

  func forgetLogin(_ slot: Int) { tables.withLock { $0.logOut(slot) } }

  /// Updates readers and cards; knowledge of a card that has left is dropped.
  func refresh() throws(ReturnValue) {
    let left = try readers.withLock { (known) throws(ReturnValue) in
      let held = keepers.map { $0.heldCard() }
      known = source.readers()
      let readers = known
      return try with { (tables) throws(ReturnValue) in
        tables.update(readers, held, longestGap: longestGap)
      }
    }
    for departure in left { try release(departure) }
    logProblem()
  }

  /// Logs once why there are no readers.
  private func logProblem() {
    let now = source.problem()
    let isNews = problem.withLock { known in
      defer { known = now }
      return known != now
    }
    if isNews, let now { log?.write("readers: \(now)") }
  }

  /// Releases a card that has left.
  private func release(_ departure: Departure) throws(ReturnValue) {
    log?.write("slot \(departure.slot): the card has left")
    try keeper(departure.slot).release(of: departure.insertion)
  }

  /// Records the identity of a card.
  ///
  /// - Returns: false if another card was known.
  func recognize(
    _ token: Token, in slot: Int, _ insertion: Insertion
  ) throws(ReturnValue) -> Bool {
    let departure = try with { (tables) throws(ReturnValue) in
      try tables.recognize(token, in: slot, insertion)
    }
    guard let departure else { return true }
    try release(departure)
    return false
  }

  /// Records that a card has left, even if the service does not know yet or cannot distinguish it
  /// from the present card.
  func lose(_ insertion: Insertion, in slot: Int) throws(ReturnValue) {
    let departure = try with { (tables) throws(ReturnValue) in tables.lose(insertion, in: slot) }
    if let departure { try release(departure) }
    try refresh()
  }

  /// Waits for a card that comes or goes (C_WaitForSlotEvent).
  func waitForSlotEvent(isBlocking: Bool) throws(ReturnValue) -> Int {
    while !cancellation.isCancelled {
      try refresh()
      if let slot = try with({ (tables) throws(ReturnValue) in tables.takeEvent() }) { return slot }
      guard isBlocking else { throw .noEvent }
      source.waitForChange(from: readers.withLock { $0 }, until: cancellation)
    }
    throw .cryptokiNotInitialized
  }

  /// Releases all cards and wakes waiting threads (C_Finalize).
  func finish() {
    cancellation.cancel()
    for keeper in keepers { keeper.release() }
  }
}
