import CIECard
import Glibc
import Messages
import System

/// The terminal on which a person is asked for a code, which it does not show when that is a secret.
struct CodeTerminal: ~Copyable {
  private let descriptor: Int32
  private let isOwn: Bool
  private let role: CodeRole
  private let session: Session

  /// The controlling terminal; without one, standard input if that is a terminal.
  init(for role: CodeRole, _ session: Session) throws(Failure) {
    let own = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard own >= 0 || (isatty(STDIN_FILENO) == 1 && !session.standardInputIsData) else {
      throw .code(.noTerminal(role))
    }
    descriptor = own >= 0 ? own : STDIN_FILENO
    isOwn = own >= 0
    self.role = role
    self.session = session
  }

  /// Asks once. The terminal is as before afterwards, however this ends.
  borrowing func ask(_ prompt: Message) throws(Failure) -> Secret {
    var before = termios()
    guard tcgetattr(descriptor, &before) == 0 else {
      throw .code(.unreadable(role, errno: errno))
    }
    var silent = before
    if !role.isShown { silent.c_lflag &= ~tcflag_t(ECHO) }
    silent.c_lflag |= tcflag_t(ICANON | ECHONL)
    // Stopped in the middle, the program would leave the terminal silent.
    withUnsafeMutableBytes(of: &silent.c_cc) { $0[Int(VSUSP)] = 0 }
    guard tcsetattr(descriptor, TCSAFLUSH, &silent) == 0 else {
      throw .code(.unreadable(role, errno: errno))
    }
    defer { tcsetattr(descriptor, TCSAFLUSH, &before) }
    let text = [UInt8]("\(session.place.printable): \(prompt(session.language)): ".utf8)
    _ = write(isOwn ? descriptor : STDERR_FILENO, text, text.count)
    return try CodeLine.read(descriptor, as: role, session.interruption)
  }

  deinit { if isOwn { close(descriptor) } }
}
