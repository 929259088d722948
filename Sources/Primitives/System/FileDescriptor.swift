package import Glibc

/// An open file, pipe, terminal or socket; the opener closes it.
package struct FileDescriptor: Sendable {
  package let rawValue: CInt

  package init(_ rawValue: CInt) { self.rawValue = rawValue }

  /// Reads once.
  ///
  /// - Returns: the number of bytes; 0 at the end.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    try uninterrupted { Glibc.read(rawValue, buffer.baseAddress, buffer.count) }
  }

  /// Reads once.
  ///
  /// - Returns: the bytes; empty at the end.
  package func read(atMost count: Int) throws(SystemError) -> [UInt8] {
    var block = [UInt8](repeating: 0, count: count)
    let length = try uninterrupted { Glibc.read(rawValue, &block, count) }
    block.removeLast(count - length)
    return block
  }

  /// - Throws: `SystemError`, with `EFBIG` when more than `limit` bytes come.
  package func readAll(limit: Int) throws(SystemError) -> [UInt8] {
    var contents: [UInt8] = []
    while true {
      let block = try read(atMost: 64 << 10)
      if block.isEmpty { return contents }
      contents += block
      guard contents.count <= limit else { throw SystemError(EFBIG) }
    }
  }

  /// - Parameter write: the system call.
  package func writeAll(
    _ bytes: [UInt8], by write: (CInt, UnsafeRawPointer?, Int) -> Int = Glibc.write
  ) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = try uninterrupted {
        rest.withUnsafeBytes { write(rawValue, $0.baseAddress, $0.count) }
      }
      guard count > 0 else { throw SystemError(EIO) }
      rest = rest.dropFirst(count)
    }
  }
}

/// A pipe that no child process inherits by accident: both ends are close-on-exec, and neither has
/// a number that a child uses for its own descriptors. The creator closes it.
package struct Pipe: Sendable {
  package let reading: CInt
  package let writing: CInt

  /// Lowest number of an end: lower ones are given to children.
  private static let least: CInt = 10

  /// - Throws: `SystemError`, `EMFILE` if this process has no descriptors left.
  package init() throws(SystemError) {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SystemError(errno) }
    let moved = ends.map { fcntl($0, F_DUPFD_CLOEXEC, Self.least) }
    let code = errno
    for end in ends { Glibc.close(end) }
    (reading, writing) = (moved[0], moved[1])
    guard moved.allSatisfy({ $0 >= 0 }) else {
      close()
      throw SystemError(code)
    }
  }

  package func close() {
    for end in [reading, writing] where end >= 0 { Glibc.close(end) }
  }
}

/// The address of a Unix socket (unix(7)).
package enum UnixSocketAddress {
  /// Calls a function with the address of a path, such as bind(2) or connect(2).
  ///
  /// - Returns: the error number, 0 on success; `ENAMETOOLONG` for a path too long for an address.
  package static func with(
    _ path: String, _ call: (UnsafePointer<sockaddr>, socklen_t) -> CInt
  ) -> CInt {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = path.systemBytes + [0]
    guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else { return ENAMETOOLONG }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call($0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 ? 0 : errno
      }
    }
  }
}
