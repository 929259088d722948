import Glibc
package import Messages
import Primitives

/// The terminal for questions whose answers may be visible.
package struct QuestionTerminal: ~Copyable {
  private let descriptor: Int32
  private let context: RunContext
  package var language: Language { context.language }

  /// The controlling terminal; `nil` without one.
  package init?(_ context: RunContext) {
    descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC)
    self.context = context
    guard descriptor >= 0 else { return nil }
  }

  /// Writes lines, whatever they contain, and the question on the last one.
  borrowing func write(lines: [String], question: String = "") {
    let bytes = [UInt8]((lines.map { $0.printable + "\n" }.joined() + question).utf8)
    _ = Glibc.write(descriptor, bytes, bytes.count)
  }

  /// Asks a question under some lines; any answer but a clear yes is a no.
  package borrowing func agrees(to question: Message, _ lines: [String]) throws(Failure) -> Bool {
    let answer = try answer(to: question, lines, atMost: 16).lowercased()
    return Message("consent.yes")(context.language).split(separator: " ").contains { $0 == answer }
  }

  /// One line in answer to a question with lines above it, without the white space around it.
  package borrowing func answer(
    to question: Message, _ lines: [String] = [], atMost limit: Int
  ) throws(Failure) -> String {
    write(lines: lines, question: question(context.language) + " ")
    let line = try context.interruption.line(descriptor, atMost: limit) {
      .file(.unreadable(path: "/dev/tty", errno: $0))
    }
    return line.split(separator: " ").joined(separator: " ")
  }

  /// Waits until the person has finished reading, or a signal comes.
  package borrowing func waitForEnter() {
    let words = Message("terminal.stay")
    write(lines: [], question: words(context.language) + " ")
    var byte: UInt8 = 0
    while context.interruption.signal == nil {
      var descriptors = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
      guard poll(&descriptors, 1, 200) > 0 else { continue }
      guard read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") else { return }
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}

extension RunContext {
  /// Writes to standard error; if that is kept clean, to the terminal, if any, because the person who types a code must
  /// know its purpose.
  package func tell(_ lines: [String]) {
    guard isQuiet || isJSON && !Stream.error.isTerminal else {
      return Stream.error.write(lines: lines)
    }
    QuestionTerminal(self)?.write(lines: lines)
  }
}
