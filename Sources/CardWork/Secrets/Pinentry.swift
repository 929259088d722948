import CIECard
import Glibc
import Messages
import Primitives

/// A window of the desktop in which a person is asked for a code: the program `pinentry`, which Debian's alternatives
/// select for the desktop, with the Assuan protocol (GnuPG, "The Assuan Protocol", §2.4).
package struct Pinentry {
  private let role: CodeRole
  private let context: RunContext
  private let process: ChildProcess
  private let answers: CInt
  private let requests: CInt

  /// Checks whether a window is the only means of asking: there is a display, no terminal, and standard input is empty.
  package static func isOnlyWay(environment: (String) -> String?) -> Bool {
    let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment($0)?.isEmpty == false }
    guard hasDisplay, Self.isStandardInputEmpty else { return false }
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    if terminal >= 0 { close(terminal) }
    return terminal < 0
  }

  /// True if the installed program can open a window: there is a screen, and it is neither one for terminals nor falls
  /// back to one, as pinentry-gnome3 does without a session bus.
  package static func isForDesktop(in context: RunContext) -> Bool {
    guard DesktopProgram.hasDisplay, let path = ChildProcess.path(of: "pinentry"),
      let name = realPath(path), !terminals.contains(where: { name.hasSuffix($0) }),
      let window = try? Pinentry(for: .pin, context)
    else { return false }
    defer { window.end() }
    do throws(Failure) {
      _ = try window.answer()
      guard let flavor = try window.say("GETINFO flavor") else { return true }
      let form = flavor.withBytes { String(decoding: $0, as: UTF8.self) }
      return !terminals.contains { form.hasSuffix($0) }
    } catch {
      // Versions before 1.0 refuse the request: for them the name decides.
      return true
    }
  }

  /// The ends of the names of those for terminals.
  private static let terminals = ["curses", "tty"]

  /// True if standard input is `/dev/null`, as a desktop starts programs, or was closed.
  private static var isStandardInputEmpty: Bool {
    var (input, null) = (stat(), stat())
    guard fstat(STDIN_FILENO, &input) == 0, stat("/dev/null", &null) == 0 else { return true }
    return input.st_mode & S_IFMT == S_IFCHR && input.st_rdev == null.st_rdev
  }

  /// Starts it.
  ///
  /// - Throws: `noPinentry` when it is not installed.
  init(for role: CodeRole, _ context: RunContext) throws(Failure) {
    guard let output = try? Pipe() else { throw .code(.noPinentry(role)) }
    guard let input = try? Pipe() else {
      output.close()
      throw .code(.noPinentry(role))
    }
    (answers, requests) = (output.reading, input.writing)
    self.role = role
    self.context = context
    do throws(SystemError) {
      process = try ChildProcess(
        "pinentry",
        streams: [
          STDIN_FILENO: .descriptor(input.reading), STDOUT_FILENO: .descriptor(output.writing),
        ])
    } catch {
      input.close()
      output.close()
      throw .code(.noPinentry(role))
    }
    close(output.writing)
    close(input.reading)
  }

  /// Asks once, and ends the program.
  ///
  /// - Parameter problem: with the entry before.
  /// - Throws: `declined` when the person closes the window or presses Cancel.
  func ask(_ prompt: Message, after problem: String? = nil) throws(Failure) -> Secret {
    defer { end() }
    _ = try answer()
    let language = context.language
    let reader = Message("pinentry.reader", ["reader": context.place])
    let parts = [context.purpose.elements, [prompt(language)], [reader(language)]]
      .filter { !$0.isEmpty }
      .map { $0.map(\.printable.assuan).joined(separator: "%0A") }
    // The window of `desk` has this name, too.
    try say("SETTITLE CIE")
    try say("SETDESC \(parts.joined(separator: "%0A%0A"))")
    try say("SETPROMPT \(role.text(language).assuan):")
    try say("SETOK \(Message("page.go")(language).assuan)")
    try say("SETCANCEL \(Message("page.cancel")(language).assuan)")
    if let problem { try say("SETERROR \(problem.assuan)") }
    if isatty(STDERR_FILENO) == 1, let name = ttyname(STDERR_FILENO) {
      try say("OPTION ttyname=\(String(cString: name))")
    }
    let code = try say("GETPIN")
    guard let code else { throw .code(.missing(role)) }
    return code
  }

  private func end() {
    close(requests)
    close(answers)
    kill(process.id, SIGTERM)
    process.wait()
  }

  /// Sends a request.
  ///
  /// - Returns: the data of the answer, if any.
  @discardableResult private func say(_ request: String) throws(Failure) -> Secret? {
    try mapError(try FileDescriptor(requests).writeAll([UInt8]((request + "\n").utf8))) {
      (_: SystemError) in Failure.code(.noPinentry(role))
    }
    return try answer()
  }

  /// The longest line (§2.3).
  private static let longestLine = 1000

  private func answer() throws(Failure) -> Secret? {
    var data: Secret?
    while true {
      let line = try CodeLine.read(
        answers, as: role, capacity: Self.longestLine, context.interruption)
      let word = line.withBytes { String(decoding: $0.prefix { $0 != 0x20 }, as: UTF8.self) }
      switch word {
      case "OK": return data
      case "D": data = line.dropping(2)
      case "ERR": throw .code(line.isRefusal() ? .declined(role) : .noPinentry(role))
      // A status or a comment; but an empty line is the end of a program that died.
      case "": throw .code(.noPinentry(role))
      default: continue
      }
    }
  }
}

extension String {
  /// The text as the parameter of a request: characters that could end the line, and the escape itself, by numbers
  /// (§2.3).
  fileprivate var assuan: String {
    exchanging("%", for: "%25").exchanging("\r", for: "%0D").exchanging("\n", for: "%0A")
  }
}

extension Secret {
  /// True for the error that a person caused, by Cancel or by closing the window: GPG_ERR_CANCELED, in the low 16 bits
  /// of its number, GPG_ERR_NOT_CONFIRMED or GPG_ERR_FULLY_CANCELED (libgpg-error, err-codes.h).
  fileprivate borrowing func isRefusal() -> Bool {
    let number = withBytes {
      String(decoding: $0.dropFirst(4).prefix { $0 != 0x20 }, as: UTF8.self)
    }
    return UInt32(number).map { [99, 114, 198].contains($0 & 0xFFFF) } ?? false
  }

  fileprivate borrowing func dropping(_ first: Int) -> Secret {
    Secret(count: max(0, count - first)) { rest in
      withBytes { rest.copyBytes(from: $0.dropFirst(first)) }
    }
  }
}
