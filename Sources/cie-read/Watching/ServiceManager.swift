import Glibc
import Primitives

/// The service manager that started this program, if any: it gets messages that the program is ready, is alive, and
/// ends (sd_notify(3): one datagram to the socket of NOTIFY_SOCKET).
struct ServiceManager: Sendable {
  private let address: String?
  /// The interval in which it expects signs of life (WATCHDOG_USEC); `nil` if it does not.
  let watchdog: Duration?

  init(environment: (String) -> String?) {
    address = environment("NOTIFY_SOCKET")
    let isMeant = environment("WATCHDOG_PID").map { $0 == String(getpid()) } ?? true
    let time = environment("WATCHDOG_USEC").flatMap(Int64.init)
    watchdog = isMeant ? time.flatMap { $0 > 0 ? .microseconds($0) : nil } : nil
  }

  /// Reports that the wait for cards has begun.
  func tellReady() { tell("READY=1") }

  /// Reports that the loop which could hang is running.
  func tellAlive() { if watchdog != nil { tell("WATCHDOG=1") } }

  /// Reports that the end has begun.
  func tellStopping() { tell("STOPPING=1") }

  /// Ignores a missing listener.
  private func tell(_ text: String) {
    guard let address, let first = address.utf8.first, [0x2F, 0x40].contains(first) else { return }
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return }
    defer { close(socket) }
    var place = sockaddr_un()
    place.sun_family = sa_family_t(AF_UNIX)
    // "@" stands for the zero byte of an abstract address.
    let path = (first == 0x40 ? [0] : [first]) + address.utf8.dropFirst()
    guard path.count < MemoryLayout.size(ofValue: place.sun_path) else { return }
    withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: path) }
    let length = MemoryLayout<sa_family_t>.size + path.count
    let bytes = [UInt8](text.utf8)
    withUnsafePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = sendto(
          socket, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, socklen_t(length))
      }
    }
  }
}
