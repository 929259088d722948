internal import Glibc

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
