internal import CIECard
internal import Glibc

/// The module of this process, from C_Initialize to C_Finalize. PKCS #11 does not pass it to each
/// call, so it is the one global variable of the library.
package enum Installation {
  private static let current = Lock(State())

  /// Registers handlers that hold the lock during a fork, because a lock held by another thread
  /// would stay locked in the child.
  private static let followsForks =
    pthread_atfork({ current.suspend() }, { current.resume() }, { current.resume() }) == 0

  private struct State: Sendable {
    var process = getpid()
    var module: Module?
    /// Belongs to the process, not the module: the tries that a card has reported still count after
    /// C_Finalize.
    var tries = KnownTries()
  }

  /// - Throws: `.cryptokiNotInitialized`, also in a child process of one that had a module.
  static func module() throws(ReturnValue) -> Module {
    let module = current.withLock { state in
      forgetParent(&state)
      return state.module
    }
    guard let module else { throw .cryptokiNotInitialized }
    return module
  }

  static func install(_ make: (KnownTries) -> Module) throws(ReturnValue) {
    guard followsForks else { throw .hostMemory }
    try current.withLock { (state) throws(ReturnValue) in
      forgetParent(&state)
      guard state.module == nil else { throw .cryptokiAlreadyInitialized }
      state.module = make(state.tries)
    }
  }

  /// Installs a module over other readers than PC/SC's, for tests that call the functions as a host
  /// does; it skips the genuineness check of the chip.
  package static func install(over source: any ReaderSource) throws(ReturnValue) {
    try install { Module(source, Settings(terms: CardTerms(skipsGenuineCheck: true)), $0) }
  }

  static func remove() throws(ReturnValue) -> Module {
    let module = current.withLock { state in
      forgetParent(&state)
      return state.module.take()
    }
    guard let module else { throw .cryptokiNotInitialized }
    return module
  }

  /// Drops the state of a parent process without closing it, because its PC/SC connections and its
  /// card belong to the parent.
  private static func forgetParent(_ state: inout State) {
    guard state.process != getpid() else { return }
    if let parents = state.module { _ = Unmanaged.passRetained(parents) }
    // A thread of the parent may have held its lock.
    _ = Unmanaged.passRetained(state.tries)
    state = State()
  }
}
