internal import CMicroHTTPD
internal import Glibc
package import Primitives

package struct ListeningSocket: Sendable {
  package enum Place: Sendable, Equatable {
    /// A Unix socket; nil without a path.
    case file(String?)
    /// The loopback interface only.
    case loopback(port: UInt16)
  }

  let descriptor: CInt
  package let place: Place
  /// Inode of the socket file that this value made, to distinguish it from a later file of the same
  /// name.
  private var file: ino_t?

  /// Length of the accept queue: a burst of a thousand clients is not refused.
  private static let backlog: CInt = 1024
  private static let kind = CInt(
    SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)

  /// Listens at a Unix socket that only this user may open, replacing one left behind. Must be
  /// called before other threads create files, because the umask is changed.
  ///
  /// - Throws: `EADDRINUSE` if another process listens there, `EEXIST` if the path is something else than a socket.
  package init(file path: String) throws(SystemError) {
    descriptor = socket(AF_UNIX, Self.kind, 0)
    place = .file(path)
    guard descriptor >= 0 else { throw SystemError(errno) }
    let mask = umask(0o177)
    defer { umask(mask) }
    var code = UnixSocketAddress.with(path) { bind(descriptor, $0, $1) }
    if code == EADDRINUSE {
      code = Self.makeWay(at: path)
      if code == 0 { code = UnixSocketAddress.with(path) { bind(descriptor, $0, $1) } }
    }
    // Noted before the first client, because the name may be another service's from then on.
    file = code == 0 ? Self.socketFile(path) : nil
    if code == 0, listen(descriptor, Self.backlog) != 0 { code = errno }
    guard code == 0 else {
      close(descriptor)
      throw SystemError(code)
    }
  }

  package init(port: UInt16) throws(SystemError) {
    let descriptor = socket(AF_INET, Self.kind, 0)
    guard descriptor >= 0 else { throw SystemError(errno) }
    var yes: CInt = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard bound == 0, listen(descriptor, Self.backlog) == 0 else {
      let code = errno
      close(descriptor)
      throw SystemError(code)
    }
    self.descriptor = descriptor
    // The port that the system chose, if the given one was 0.
    place = Self.place(of: descriptor) ?? .loopback(port: port)
  }

  /// Adopts a socket that was passed to the program.
  ///
  /// - Throws: `EAFNOSUPPORT` if it is reachable from other machines.
  private init(passed descriptor: CInt) throws(SystemError) {
    guard let place = Self.place(of: descriptor) else { throw SystemError(EAFNOSUPPORT) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    self.descriptor = descriptor
    self.place = place
  }

  /// The sockets that a service manager opened for this program (sd_listen_fds(3)).
  ///
  /// - Parameter environment: looks a variable up.
  package static func passed(
    environment: (String) -> String?
  ) throws(SystemError) -> [ListeningSocket] {
    guard environment("LISTEN_PID") == String(getpid()),
      let count = environment("LISTEN_FDS").flatMap({ CInt($0) }), (1...64).contains(count)
    else { return [] }
    // Not inherited by child processes.
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
    var sockets: [ListeningSocket] = []
    for descriptor in 3..<3 + count { sockets.append(try ListeningSocket(passed: descriptor)) }
    return sockets
  }

  /// Removes the socket file, if it is still the one that this value made.
  package func removeFile() {
    guard case .file(let path?) = place else { return }
    guard let file, Self.socketFile(path) == file else { return }
    unlink(path)
  }

  private static func socketFile(_ path: String) -> ino_t? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
    return status.st_ino
  }

  private static func place(of descriptor: CInt) -> Place? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let named = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    guard named == 0 else { return nil }
    switch CInt(storage.ss_family) {
    case AF_UNIX: return .file(nil)
    case AF_INET:
      let address = withUnsafeBytes(of: &storage) { $0.loadUnaligned(as: sockaddr_in.self) }
      guard UInt32(bigEndian: address.sin_addr.s_addr) >> 24 == 127 else { return nil }
      return .loopback(port: UInt16(bigEndian: address.sin_port))
    default: return nil
    }
  }

  /// Removes a socket file at which no process listens any more.
  ///
  /// - Returns: 0, or the reason why the path stays taken.
  private static func makeWay(at path: String) -> CInt {
    guard socketFile(path) != nil else { return EEXIST }
    let probe = socket(AF_UNIX, kind, 0)
    defer { close(probe) }
    switch UnixSocketAddress.with(path, { connect(probe, $0, $1) }) {
    // A full queue has a listener, too.
    case 0, EAGAIN: return EADDRINUSE
    case ECONNREFUSED: return unlink(path) == 0 ? 0 : errno
    case let code: return code
    }
  }
}
