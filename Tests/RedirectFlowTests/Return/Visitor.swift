import Glibc

/// A minimal TCP client. Connections wait in the listener's queue, so one thread can play both parts: first the
/// visitor's requests, then the listener, then the visitor reads the answers.
final class Visitor {
  private let connection: Int32

  /// Connects; `nil` when the connection is refused.
  init?(port: UInt16, host: UInt32 = 0x7F00_0001) {
    connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = host.bigEndian
    let descriptor = connection
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { return nil }
  }

  deinit { close(connection) }

  /// Sends a request, or a part of one.
  @discardableResult
  func send(_ text: String) -> Visitor {
    let bytes = [UInt8](text.utf8)
    Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    return self
  }

  /// Shuts down the sending side.
  @discardableResult
  func finish() -> Visitor {
    shutdown(connection, Int32(SHUT_WR))
    return self
  }

  /// All bytes until the other side hangs up.
  func answer() -> String {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(connection, &block, block.count)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += block.prefix(count)
    }
  }
}
