package import Glibc

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
