internal import Glibc

/// A pipe that no program gets by accident: both ends are closed where one is started, and neither has a number that a
/// program expects its own descriptors to have. Who made it closes it.
package struct Pipe: Sendable {
  /// The end to read from.
  package let reading: CInt
  /// The end to write to.
  package let writing: CInt

  /// The least number of an end: the first few are those that a child is given.
  private static let least: CInt = 10

  /// Makes one.
  ///
  /// - Throws: `SystemError`, `EMFILE` where this process has no descriptors left.
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

  /// Closes both ends.
  package func close() {
    for end in [reading, writing] where end >= 0 { Glibc.close(end) }
  }
}
