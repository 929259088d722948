internal import Glibc
internal import Primitives

/// The framing of CCID messages on a serial line (Gemalto's GemPC Twin; the driver's side is ccid_serial.c of libccid).
///
/// In both directions a frame is SYNC, CTRL, the message, and the exclusive or of all of them. The reader requests a
/// damaged frame again.
struct SerialFraming {
  private static let sync: UInt8 = 0x03
  private static let acknowledge: UInt8 = 0x06
  /// SYNC, NAK and their exclusive or: the frame is to be sent again.
  static let refusal: [UInt8] = [0x03, 0x15, 0x16]
  /// bMessageType 50 and bmSlotICCState: a card came, or went.
  static func notice(isPresent: Bool) -> [UInt8] { [0x50, isPresent ? 0x03 : 0x02] }

  enum Content: Equatable {
    case message([UInt8])
    case damaged
  }

  private var pending: [UInt8] = []

  mutating func append(_ bytes: [UInt8]) { pending += bytes }

  /// The next frame that is complete.
  mutating func next() -> Content? {
    while let first = pending.first, first != Self.sync { pending.removeFirst() }
    // Ten bytes of header, of which the second to fifth have the number of those after it (CCID 1.1 §6).
    guard pending.count >= 2 + CCIDCommand.headerLength + 1 else { return nil }
    let header = Array(pending[2..<2 + CCIDCommand.headerLength])
    let length = 2 + CCIDCommand.headerLength + CCIDCommand.dataLength(in: header) + 1
    guard length <= 1 << 17, pending[1] == Self.acknowledge else {
      pending.removeAll()
      return .damaged
    }
    guard pending.count >= length else { return nil }
    let frame = Array(pending.prefix(length))
    pending.removeFirst(length)
    guard frame.reduce(0, ^) == 0 else { return .damaged }
    return .message(Array(frame[2..<length - 1]))
  }

  static func frame(_ message: [UInt8]) -> [UInt8] {
    let frame = [sync, acknowledge] + message
    return frame + [frame.reduce(0, ^)]
  }
}

/// A serial line that ends in this program instead of a plug: a pseudo-terminal.
///
/// The other end stays open here, too, because an unused line hangs up, and a driver that reads from it then polls
/// end-of-file for ever, at full speed.
final class SerialLine: Sendable {
  /// TIOCSPTLCK and TIOCGPTN (ioctl_tty(2)), the basis of unlockpt(3) and ptsname(3).
  private static let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

  private let near: Int32
  private let far: Int32
  private let link: String

  /// Opens a line.
  ///
  /// - Parameter link: the driver's path to its far end: a symbolic link that is made anew.
  init(link: String) throws(ReaderError) {
    near = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var unlocked: Int32 = 0
    var number: UInt32 = 0
    guard near >= 0, ioctl(near, Self.setLock, &unlocked) == 0,
      ioctl(near, Self.getNumber, &number) == 0
    else { throw ReaderError(doing: "open a pseudo-terminal", errno: errno) }
    let name = "/dev/pts/\(number)"
    far = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    var mode = termios()
    guard far >= 0, tcgetattr(far, &mode) == 0 else {
      throw ReaderError(doing: "open the far end", errno: errno)
    }
    cfmakeraw(&mode)
    tcsetattr(far, TCSANOW, &mode)
    self.link = link
    unlink(link)
    guard symlink(name, link) == 0 else {
      throw ReaderError(doing: "make \(link)", errno: errno)
    }
  }

  /// The available input; empty when no byte came within the limit, in milliseconds.
  func receive(within limit: Int32) -> [UInt8] {
    var readable = pollfd(fd: near, events: Int16(POLLIN), revents: 0)
    guard poll(&readable, 1, limit) > 0 else { return [] }
    return (try? FileDescriptor(near).read(atMost: 4096)) ?? []
  }

  func send(_ bytes: [UInt8]) {
    try? FileDescriptor(near).writeAll(bytes)
  }

  deinit {
    unlink(link)
    close(near)
    close(far)
  }
}
