import CIECard
import CardWork
import Glibc
import LocalService
import Messages

/// The service as a whole, until a signal ends it.
struct CardService {
  let sockets: ServiceSockets
  let routes: ServiceRoutes
  let manager: ServiceManager
  let context: RunContext
  /// The window with which it ends; nil if only a signal ends it.
  var window: DeskWindow?

  /// The interval of checks for closed and slow clients, in milliseconds.
  private static let slice: Int32 = 250
  /// The number of those intervals between keep-alive messages: 5 seconds.
  private static let beat = 20
  /// The time for the card to answer its last command, and for the delivery of that answer, in slices of 20 ms: a
  /// program ends within a second of a signal.
  private static let farewell = (card: 42, answer: 5)

  /// Serves.
  ///
  /// - Parameter selection: the readers that are watched; `nil` if the card is not in a reader.
  /// - Returns: once the window is closed.
  /// - Throws: `interrupted` at the end, or the reason why it could not begin.
  func run(_ selection: PCSCContext.ReaderSelection?) throws(Failure) -> CommandOutcome {
    defer { sockets.removeFiles() }
    if let selection { routes.events.watch(selection, watchdog: manager.watchdog) }
    var servers: [LocalServer] = []
    for door in sockets.doors {
      let isLocal = if case .filePermissions = door.rule { true } else { false }
      let server = LocalServer(
        rule: door.rule, isPublic: { [routes] in routes.isPublic($0) },
        isPiece: { [routes] in routes.isPiece($0) },
        receive: { [routes] exchange, server in
          routes.answer(exchange, from: server, isLocal: isLocal)
        })
      guard server.start(on: door.socket) else {
        throw .file(.unwritable(path: "-", errno: ENOMEM))
      }
      servers.append(server)
    }
    manager.tellReady()
    window?.show()
    defer { window?.end() }
    var slices = 0
    while !context.interruption.isOver {
      if let window, window.isOver(listeners: servers.reduce(0) { $0 + $1.listeners }) { break }
      context.interruption.idle(for: Self.slice)
      for server in servers { server.sweep() }
      slices += 1
      if slices.isMultiple(of: Self.beat) { routes.events.beat() }
      // Readers are checked within half of the watchdog's time, on the thread that would hang.
      if selection == nil || routes.events.isAlive(within: manager.watchdog ?? .seconds(60)) {
        manager.tellAlive()
      }
    }
    manager.tellStopping()
    // No new clients can connect.
    sockets.removeFiles()
    routes.events.end()
    // The request that has the card ends by itself, and its client gets the reason.
    for _ in 0..<Self.farewell.card where routes.card.isBusy { usleep(20_000) }
    for _ in 0..<Self.farewell.answer where servers.contains(where: { $0.connections > 0 }) {
      usleep(20_000)
    }
    guard let window, !context.interruption.isOver else { throw .interrupted }
    if let failure = window.failure { throw failure }
    return CommandOutcome()
  }
}
