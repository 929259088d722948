/// The PC/SC service of this machine: its readers, and the way to the cards in them.
///
/// No call waits longer than it is told, whatever the service, a driver or another program does. When a call
/// is overdue or cancelled, the context has ended: all later calls fail alike, and a new one is needed.
/// Calls from several threads are made one after the other; `cancel` is heard at once.
public final class PCSCContext: Sendable {
  /// How long calls may take.
  package struct Patience: Sendable {
    /// The service itself: it answers within milliseconds.
    var service = Duration.seconds(5)
    /// Powering a card and getting it for ourselves, while another program may hold it.
    var connect = Duration.seconds(10)
    /// One command; the slowest of a CIE, a signature, takes about a second.
    var command = Duration.seconds(30)
    /// How long a card may be gone before the service says so; it looks every 0.4 seconds.
    var removal = Duration.seconds(1)
    /// How long to wait before another look at a card that did not let itself be connected to.
    var swap = Duration.milliseconds(500)

    /// The usual one, but for how long another program may hold the card.
    package static func connecting(within limit: Duration) -> Patience { Patience(connect: limit) }
  }

  private let service: any PCSCService
  private let runner = CallRunner()
  private let handle: Int
  let patience: Patience

  /// Connects to the PC/SC service.
  ///
  /// - Throws: `serviceMissing` when it does not run.
  public convenience init() throws(ChannelError) { try self.init(patience: Patience()) }

  /// The same, for less or more patience: a look at a card that nobody asked for does not wait for other programs.
  package convenience init(patience: Patience) throws(ChannelError) {
    try self.init(service: LibPCSCLite(), patience: patience)
  }

  init(service: any PCSCService, patience: Patience) throws(ChannelError) {
    self.service = service
    self.patience = patience
    let runner = runner
    do throws(PCSCFailure) {
      handle = try runner.run(.establishContext, within: patience.service) {
        () throws(PCSCFailure) in
        try service.establishContext()
      }
    } catch { throw ChannelError(error) }
    runner.whenEnded { [service, handle] in service.releaseContext(handle) }
  }

  /// Ends what this context is waiting for, on whatever thread that is, with `ChannelError.cancelled`, and
  /// everything after it.
  ///
  /// Not for the body of a signal handler, which may not take locks; for a thread that waits for signals.
  public func cancel() {
    runner.cancel { [service, handle] in service.cancel(handle) }
  }

  /// Whether all later calls fail: one was overdue or cancelled.
  var hasEnded: Bool { runner.hasEnded }

  /// Makes a call of the service.
  ///
  /// - Parameters:
  ///   - function: what is blamed when the call is overdue.
  ///   - reader: the reader that it is about, for the error.
  func call<Value: Sendable>(
    _ function: PCSCFunction, reader: String = "", within limit: Duration,
    _ body:
      @escaping @Sendable (_ service: any PCSCService, _ context: Int) throws(PCSCFailure) -> Value
  ) throws(ChannelError) -> Value {
    do throws(PCSCFailure) {
      return try runner.run(function, within: limit) { [service, handle] () throws(PCSCFailure) in
        try body(service, handle)
      }
    } catch {
      throw ChannelError(error, reader: reader)
    }
  }
}
