internal import CIECard
internal import Glibc

/// The module of this process, from C_Initialize to C_Finalize: the one thing that PKCS #11 does not hand over with each
/// call, and therefore the one variable of the library.
package enum Installation {
  private static let current = Lock<Installed?>(nil)

  /// Whether no fork happens while another thread has the variable: nobody would give it back in the child.
  private static let followsForks =
    pthread_atfork({ current.suspend() }, { current.resume() }, { current.resume() }) == 0

  private struct Installed: Sendable {
    let process: pid_t
    let module: Module
  }

  /// The module.
  ///
  /// - Throws: `.cryptokiNotInitialized`, also in the child of a process that had one.
  static func module() throws(ReturnValue) -> Module {
    let module = current.withLock { installed in
      forgetParent(&installed)
      return installed?.module
    }
    guard let module else { throw .cryptokiNotInitialized }
    return module
  }

  /// Installs a module.
  static func install(_ make: () -> Module) throws(ReturnValue) {
    guard followsForks else { throw .hostMemory }
    try current.withLock { (installed) throws(ReturnValue) in
      forgetParent(&installed)
      guard installed == nil else { throw .cryptokiAlreadyInitialized }
      installed = Installed(process: getpid(), module: make())
    }
  }

  /// Installs a module over readers that are not those of PC/SC, for tests that call the functions as a host does; it
  /// knows no anchors.
  package static func install(over source: any ReaderSource) throws(ReturnValue) {
    try install { Module(source, Settings(terms: CardTerms(trust: nil))) }
  }

  /// Takes the module away.
  static func remove() throws(ReturnValue) -> Module {
    let module = current.withLock { installed in
      forgetParent(&installed)
      return installed.take()?.module
    }
    guard let module else { throw .cryptokiNotInitialized }
    return module
  }

  /// What the parent had open is the parent's: its connections to the service, its card. The child forgets it without
  /// closing anything.
  private static func forgetParent(_ installed: inout Installed?) {
    guard let parents = installed, parents.process != getpid() else { return }
    _ = Unmanaged.passRetained(parents.module)
    installed = nil
  }
}
