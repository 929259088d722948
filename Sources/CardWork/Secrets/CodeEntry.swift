import CIECard
import Glibc
import Messages
import Primitives

/// One line with a code, read into memory that is wiped.
enum CodeLine {
  /// Reads up to a line end or the end of the input; LF or CR LF is dropped.
  ///
  /// It reads byte by byte, so that a second code may follow on the next line.
  static func read(
    _ descriptor: Int32, as role: CodeRole, capacity: Int? = nil,
    _ interruption: Interruption
  ) throws(Failure) -> Secret {
    // poll(2) ignores a negative descriptor and would wait for ever.
    guard fcntl(descriptor, F_GETFD) >= 0 else { throw .code(.unreadable(role, errno: errno)) }
    var count = 0
    let buffer = try Secret(count: capacity ?? role.lineLimit) { (buffer) throws(Failure) in
      while count < buffer.count {
        let target = UnsafeMutableRawBufferPointer(rebasing: buffer[count...count])
        let got = try interruption.once(
          descriptor, .readable, { .code(.unreadable(role, errno: $0)) }
        ) { (file) throws(SystemError) in try file.read(into: target) }
        guard got == 1, buffer[count] != UInt8(ascii: "\n") else { return }
        count += 1
      }
    }
    let length = buffer.withBytes { bytes in
      bytes.prefix(count).last == UInt8(ascii: "\r") ? count - 1 : count
    }
    return Secret(count: length) { line in
      buffer.withBytes { line.copyBytes(from: $0.prefix(length)) }
    }
  }
}

/// A file with a code, which only its owner may be able to read.
enum CodeFile {
  /// Reads it. Kind, owner and mode are those of the opened file, so that it cannot be exchanged in between.
  ///
  /// - Throws: `exposedFile` unless it is ours (or root's) and group and others have no right to it.
  static func read(
    _ path: String, as role: CodeRole, _ interruption: Interruption
  ) throws(Failure) -> Secret {
    // Without waiting here: `CodeLine` waits for the writer of a named pipe, until a signal comes.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard file >= 0 else { throw .code(.unreadable(role, errno: errno)) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .code(.unreadable(role, errno: errno)) }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG || kind == S_IFIFO else {
      throw .code(.unreadable(role, errno: EINVAL))
    }
    guard !FileRights.isExposed(file, status) else { throw .code(.exposedFile(role)) }
    return try CodeLine.read(file, as: role, interruption)
  }
}

/// The terminal on which a person is asked for a code, which it does not show when that is a secret.
struct CodeTerminal: ~Copyable {
  private let descriptor: Int32
  private let isOwn: Bool
  private let role: CodeRole
  private let context: RunContext

  /// The controlling terminal; without one, standard input if that is a terminal.
  init(for role: CodeRole, _ context: RunContext) throws(Failure) {
    let own = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard own >= 0 || (isatty(STDIN_FILENO) == 1 && !context.standardInputIsData) else {
      throw .code(.noTerminal(role))
    }
    descriptor = own >= 0 ? own : STDIN_FILENO
    isOwn = own >= 0
    self.role = role
    self.context = context
  }

  /// Asks once. The terminal is restored afterwards, in every case.
  ///
  /// - Parameter problem: with the entry before.
  borrowing func ask(_ prompt: Message, after problem: String? = nil) throws(Failure) -> Secret {
    var before = termios()
    guard tcgetattr(descriptor, &before) == 0 else {
      throw .code(.unreadable(role, errno: errno))
    }
    var silent = before
    if !role.isShown { silent.c_lflag &= ~tcflag_t(ECHO) }
    silent.c_lflag |= tcflag_t(ICANON | ECHONL)
    // If stopped during input, the program would leave the terminal without echo.
    withUnsafeMutableBytes(of: &silent.c_cc) { $0[Int(VSUSP)] = 0 }
    guard tcsetattr(descriptor, TCSAFLUSH, &silent) == 0 else {
      throw .code(.unreadable(role, errno: errno))
    }
    defer { tcsetattr(descriptor, TCSAFLUSH, &before) }
    let question = Message("labelled", ["label": prompt, "value": ""])(context.language)
    let line = problem.map { $0.printable + "\n" } ?? ""
    let text = [UInt8]("\(line)\(context.place.printable): \(question)".utf8)
    _ = write(isOwn ? descriptor : STDERR_FILENO, text, text.count)
    return try CodeLine.read(descriptor, as: role, context.interruption)
  }

  deinit { if isOwn { close(descriptor) } }
}

/// The form of every code, checked before the card is asked.
package enum CodeForm {
  static func check(_ code: borrowing Secret, as role: CodeRole) throws(Failure) {
    guard code.count > 0 else { throw .code(.missing(role)) }
    guard let length = role.length else { return }
    try mapError(try AccessCode.FormatError.check(code, length: length...length)) {
      role.failure($0)
    }
  }

  static func pin(_ code: consuming Secret, as role: CodeRole = .pin) throws(Failure) -> PIN {
    do throws(AccessCode.FormatError) { return try PIN(code) } catch { throw role.failure(error) }
  }

  static func puk(_ code: consuming Secret) throws(Failure) -> PUK {
    do throws(AccessCode.FormatError) { return try PUK(code) } catch {
      throw CodeRole.puk.failure(error)
    }
  }

  /// A new PIN that is not easy to guess.
  static func newPIN(_ code: consuming Secret) throws(Failure) -> PIN {
    let pin = try pin(code, as: .newPIN)
    if let weakness = pin.weakness() { throw .code(.weak(weakness)) }
    return pin
  }
}

extension CodeRole {
  func failure(_ error: AccessCode.FormatError) -> Failure {
    switch error {
    case .length: .code(.length(self))
    case .notDigits: .code(.notDigits(self))
    }
  }
}
