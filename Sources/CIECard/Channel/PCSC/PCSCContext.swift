/// The PC/SC service of this machine: its readers, and connections to the cards in them.
///
/// Every call keeps its time limit, whatever the service, a driver or another program does. Once a
/// call is overdue or cancelled, the context has ended: all later calls fail in the same way, and a
/// new one is needed. Calls from several threads are serialised; `cancel` takes effect at once.
public final class PCSCContext: Sendable {
  package struct Patience: Sendable {
    /// The service itself: it responds within milliseconds.
    var service = Duration.seconds(5)
    /// Powering a card and getting access to it, while another program may hold it.
    var connect = Duration.seconds(10)
    /// One command; the slowest of a CIE, a signature, takes about a second.
    var command = Duration.seconds(30)
    /// Delay until the service reports a removed card; it polls every 0.4 seconds.
    var removal = Duration.seconds(1)
    /// Delay before the next attempt to connect to a card.
    var swap = Duration.milliseconds(500)

    /// The defaults, with another time limit for a card held by another program.
    package static func connecting(within limit: Duration) -> Patience { Patience(connect: limit) }
  }

  private let service: any PCSCService
  private let runner = CallRunner()
  private let handle: Int
  let patience: Patience

  /// Connects to the PC/SC service.
  ///
  /// - Throws: `serviceMissing` if it is not running.
  public convenience init() throws(ChannelError) { try self.init(patience: Patience()) }

  /// Connects with other time limits: a background look at a card does not wait for other programs.
  package convenience init(patience: Patience) throws(ChannelError) {
    try self.init(service: LibPCSCLite(), patience: patience)
  }

  init(service: any PCSCService, patience: Patience) throws(ChannelError) {
    self.service = service
    self.patience = patience
    let runner = runner
    handle = try mapError(
      try runner.run(.establishContext, within: patience.service) { () throws(PCSCFailure) in
        try service.establishContext()
      }
    ) { ChannelError($0) }
    runner.whenEnded { [service, handle] in service.releaseContext(handle) }
  }

  /// Interrupts the current wait of this context, on any thread, with `ChannelError.cancelled`, and
  /// makes all later calls fail.
  ///
  /// Must not be called from a signal handler, which may not take locks, but from a thread that
  /// waits for signals.
  public func cancel() {
    runner.cancel { [service, handle] in service.cancel(handle) }
  }

  /// True once all later calls fail: one was overdue or cancelled.
  var hasEnded: Bool { runner.hasEnded }

  /// Makes a call to the service.
  ///
  /// - Parameters:
  ///   - function: the function to report if the call is overdue.
  ///   - reader: the reader concerned, for the error.
  func call<Value: Sendable>(
    _ function: PCSCFunction, reader: String = "", within limit: Duration,
    _ body:
      @escaping @Sendable (_ service: any PCSCService, _ context: Int) throws(PCSCFailure) -> Value
  ) throws(ChannelError) -> Value {
    return try mapError(
      try runner.run(function, within: limit) { [service, handle] () throws(PCSCFailure) in
        try body(service, handle)
      }
    ) { ChannelError($0, reader: reader) }
  }
}
