internal import Glibc
internal import System

/// A serial line that ends in this program instead of a plug: a pseudo-terminal.
///
/// The other end stays open here, too: a line without anybody on it hangs up, and a driver that reads from a line
/// that hung up reads nothing for ever, at full speed.
final class SerialLine: Sendable {
  /// TIOCSPTLCK and TIOCGPTN (ioctl_tty(2)), which unlockpt(3) and ptsname(3) are made of.
  private static let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

  private let near: Int32
  private let far: Int32
  private let link: String

  /// Opens a line.
  ///
  /// - Parameter link: where a driver finds its far end: a symbolic link that is made anew.
  init(link: String) throws(SerialLineError) {
    near = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var unlocked: Int32 = 0
    var number: UInt32 = 0
    guard near >= 0, ioctl(near, Self.setLock, &unlocked) == 0,
      ioctl(near, Self.getNumber, &number) == 0
    else { throw SerialLineError(doing: "open a pseudo-terminal", errno: errno) }
    let name = "/dev/pts/\(number)"
    far = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    var mode = termios()
    guard far >= 0, tcgetattr(far, &mode) == 0 else {
      throw SerialLineError(doing: "open the far end", errno: errno)
    }
    cfmakeraw(&mode)
    tcsetattr(far, TCSANOW, &mode)
    self.link = link
    unlink(link)
    guard symlink(name, link) == 0 else {
      throw SerialLineError(doing: "make \(link)", errno: errno)
    }
  }

  /// What came, as much as there is; empty when nothing did in the time given, in milliseconds.
  func receive(within limit: Int32) -> [UInt8] {
    var readable = pollfd(fd: near, events: Int16(POLLIN), revents: 0)
    guard poll(&readable, 1, limit) > 0 else { return [] }
    return (try? FileDescriptor(near).read(atMost: 4096)) ?? []
  }

  /// Sends all of it.
  func send(_ bytes: [UInt8]) {
    try? FileDescriptor(near).writeAll(bytes)
  }

  deinit {
    unlink(link)
    close(near)
    close(far)
  }
}

/// The line cannot be made.
struct SerialLineError: Error, CustomStringConvertible {
  let description: String

  init(doing what: String, errno code: Int32) {
    description = "\(what): \(SystemError(code).message)"
  }
}
