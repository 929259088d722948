import CardWork
import Glibc
import Primitives

/// A start of `desk` while another one has its window: it hands its files over, by one request to the socket of the first.
enum SecondStart {
  /// - Returns: false if no program listens at the path.
  static func handOver(
    _ paths: [String], toCheck isToCheck: Bool, to socketPath: String
  ) -> Bool {
    let socket = Glibc.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return false }
    defer { close(socket) }
    guard UnixSocketAddress.with(socketPath, { connect(socket, $0, $1) }) == 0 else {
      return false
    }
    let body = JSON.object([
      .init("paths", paths), .init("check", isToCheck),
    ]).text
    let head = [
      "POST /v1/open HTTP/1.1", "Host: localhost", "Content-Type: application/json",
      "Content-Length: \(body.utf8.count)", "Connection: close",
    ]
    let request = head.joined(separator: "\r\n") + "\r\n\r\n" + body
    let stream = FileDescriptor(socket)
    guard (try? stream.writeAll([UInt8](request.utf8))) != nil,
      let answer = try? stream.readAll(limit: 64 << 10)
    else { return false }
    return answer.starts(with: "HTTP/1.1 200 ".utf8)
  }
}
