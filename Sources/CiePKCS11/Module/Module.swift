internal import CIECard

/// The module between C_Initialize and C_Finalize: the tables, and a keeper of the card for each slot.
///
/// Every function of PKCS #11 that does something is a method here, with values instead of pointers. An error is the
/// value that the host gets. Nothing traps, whatever a host says: that would be its end.
final class Module: Sendable {
  let log: CallLog?
  private let source: any ReaderSource
  private let tables: TablesBox
  private let keepers: [CardKeeper]
  private let cancellation = Cancellation()
  /// One snapshot of the readers after the other: an older one must not overtake a newer one.
  private let readers = Lock<[PCSCContext.Reader]>([])

  /// The tables under their lock, which is held for moments only.
  final class TablesBox: Sendable {
    private let tables = Lock(Tables())

    func with<Value: Sendable>(
      _ body: (inout Tables) throws(ReturnValue) -> Value
    ) throws(ReturnValue) -> Value {
      try tables.withLock { (tables) throws(ReturnValue) in try body(&tables) }
    }

    func logOut(_ slot: Int) { tables.withLock { $0.logOut(slot) } }
  }

  init(_ source: any ReaderSource, _ settings: Settings) {
    self.source = source
    log = settings.log
    let tables = TablesBox()
    self.tables = tables
    keepers = (0..<SlotTable.count).map { slot in
      CardKeeper(source, settings.terms) { [log = settings.log] explanation in
        tables.logOut(slot)
        log?.write("slot \(slot): logged out: \(explanation)")
      }
    }
  }

  /// Does something with the tables.
  func with<Value: Sendable>(
    _ body: (inout Tables) throws(ReturnValue) -> Value
  ) throws(ReturnValue) -> Value {
    try tables.with(body)
  }

  /// The keeper of a slot's card.
  func keeper(_ slot: Int) throws(ReturnValue) -> CardKeeper {
    guard keepers.indices.contains(slot) else { throw .slotIDInvalid }
    return keepers[slot]
  }

  /// Nobody is logged in to a slot any more.
  func forgetLogin(_ slot: Int) { tables.logOut(slot) }

  /// Looks what readers and cards there are; what is known of a card that has left is forgotten.
  func refresh() throws(ReturnValue) {
    let left = try readers.withLock { (known) throws(ReturnValue) in
      known = source.readers()
      return try with { (tables) throws(ReturnValue) in tables.update(known) }
    }
    for slot in left {
      log?.write("slot \(slot): the card has left")
      try keeper(slot).letGoOfLostCard()
    }
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

  /// Lets go of all cards and wakes who waits (C_Finalize).
  func finish() {
    cancellation.cancel()
    for keeper in keepers { keeper.letGo() }
  }

  /// Notes why a card did not do what was wanted.
  func explain(_ failure: CardFailure, in slot: Int) -> ReturnValue {
    log?.write("slot \(slot): \(failure.explanation)")
    return failure.value
  }
}
