internal import Glibc
internal import Synchronization

/// Tracks connections for what libmicrohttpd does not check: a client that sends a byte now and
/// then could hold one forever, and a client that disconnects while its request is being handled
/// would go unnoticed.
final class ConnectionTable: Sendable {
  private enum Phase {
    /// Waiting for a request since that instant.
    case receiving(ContinuousClock.Instant)
    case working(Exchange)
  }

  private struct Entry {
    let socket: CInt
    var phase: Phase
  }

  /// Time limit for receiving a request.
  private let patience: Duration
  private let entries = Mutex<[OpaquePointerKey: Entry]>([:])

  var count: Int { entries.withLock { $0.count } }

  init(patience: Duration) { self.patience = patience }

  func begin(_ connection: OpaquePointer, socket: CInt) {
    let entry = Entry(socket: socket, phase: .receiving(.now))
    entries.withLock { $0[OpaquePointerKey(connection)] = entry }
  }

  func end(_ connection: OpaquePointer) {
    let entry = entries.withLock { $0.removeValue(forKey: OpaquePointerKey(connection)) }
    if case .working(let exchange) = entry?.phase { exchange.leave() }
  }

  func receive(_ connection: OpaquePointer) {
    entries.withLock { $0[OpaquePointerKey(connection)]?.phase = .receiving(.now) }
  }

  func work(_ connection: OpaquePointer, on exchange: Exchange) {
    entries.withLock { $0[OpaquePointerKey(connection)]?.phase = .working(exchange) }
  }

  var listeners: Int {
    entries.withLock { entries in
      entries.values.count { entry in
        if case .working(let exchange) = entry.phase {
          exchange.stream?.isOver == false
        } else {
          false
        }
      }
    }
  }

  /// Cuts slow connections and notifies the exchanges whose client has gone.
  func sweep() {
    let gone = entries.withLock { entries in
      var gone: [Exchange] = []
      for entry in entries.values {
        switch entry.phase {
        // The library closes it: the number is still this connection's as long as the entry is there.
        case .receiving(let since) where ContinuousClock.now - since > patience:
          shutdown(entry.socket, CInt(SHUT_RDWR))
        case .receiving: break
        case .working(let exchange):
          if Self.hasGone(entry.socket) { gone.append(exchange) }
        }
      }
      return gone
    }
    for exchange in gone {
      exchange.leave()
      exchange.stream?.end()
    }
  }

  /// True once the peer has closed its sending side.
  private static func hasGone(_ socket: CInt) -> Bool {
    var descriptor = pollfd(fd: socket, events: 0x2000, revents: 0)  // POLLRDHUP
    return poll(&descriptor, 1, 0) > 0
  }
}

private struct OpaquePointerKey: Hashable, Sendable {
  private let number: Int

  init(_ pointer: OpaquePointer) { number = Int(bitPattern: pointer) }
}
