import CProcessControl
import CardWork
import Glibc
import Primitives

/// A start of `desk` while another one has its window: it hands its files over, by one request to the socket of the first.
enum SecondStart {
  /// The answer at the path of the socket.
  enum Answer: Sendable {
    /// A window of this user, which has the files now.
    case handedOver
    /// No program that answers.
    case alone
    /// A file or a program of another user, which learns nothing.
    case foreign
  }

  static func handOver(
    _ paths: [String], toCheck isToCheck: Bool, to socketPath: String
  ) -> Answer {
    guard let isOwn = isOwnSocket(socketPath) else { return .alone }
    guard isOwn else { return .foreign }
    let socket = Glibc.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return .alone }
    defer { close(socket) }
    guard UnixSocketAddress.with(socketPath, { connect(socket, $0, $1) }) == 0 else {
      return .alone
    }
    // The file may have been exchanged since, or have another user's program behind it.
    guard cie_is_peer_of_own_user(socket) != 0 else { return .foreign }
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
    else { return .alone }
    return answer.starts(with: "HTTP/1.1 200 ".utf8) ? .handedOver : .alone
  }

  /// True for a socket of this user, and not for a link to one; `nil` if there is no file.
  private static func isOwnSocket(_ path: String) -> Bool? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return errno == ENOENT ? nil : false }
    return status.st_mode & S_IFMT == S_IFSOCK && status.st_uid == geteuid()
  }
}
