import CIECard
import CProcessControl
import Glibc
import Primitives

/// Standard output and standard error, unbuffered.
package enum Stream: Int32 {
  case output = 1
  case error = 2

  package var isTerminal: Bool { isatty(rawValue) == 1 }

  /// Makes the three standard descriptors unusable if they are closed, so that no file or socket takes their numbers
  /// and gets our output.
  package static func occupyClosedDescriptors() {
    for (descriptor, wrongWay) in [(0, O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)] {
      guard fcntl(Int32(descriptor), F_GETFD) < 0 else { continue }
      // The lowest free number, which is this one.
      _ = open("/dev/null", wrongWay)
    }
  }

  /// Writes lines for people, whatever they contain: at most as long as the stream is wide, and without terminal
  /// controls.
  ///
  /// - Parameter indent: blanks before each continuation line.
  package func write(lines: [String], indent: Int = 2) {
    write(raw: lines.flatMap { fitted($0, indent: indent) }.map { $0 + "\n" }.joined())
  }

  /// The printable form of a line, as several lines if the stream is narrower.
  package func fitted(_ line: String, indent: Int) -> [String] {
    guard let width = TextWidth.of(self) else { return [line.printable] }
    return line.printable.wrapped(to: width, indent: indent)
  }

  /// Writes text that this program has made itself, terminal controls included. Write errors are ignored.
  package func write(raw text: String) {
    try? FileDescriptor(rawValue).writeAll([UInt8](text.utf8))
  }

  /// Writes all of a result.
  ///
  /// - Throws: `interrupted`, or `output` when it cannot be written.
  package func write(_ bytes: [UInt8], _ interruption: Interruption) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      // No more than PIPE_BUF, which does not block after poll said so (POSIX, write).
      let block = Array(rest.prefix(4096))
      try interruption.once(rawValue, .writable, { .file(.output(errno: $0)) }) {
        (file) throws(SystemError) in try file.writeAll(block)
      }
      rest = rest.dropFirst(block.count)
    }
  }
}

package enum TextWidth {
  private static let least = 20

  /// COLUMNS, else the terminal's width; `nil` if lines may have any length.
  static func of(_ stream: Stream) -> Int? {
    let wish = Environment.value(of: "COLUMNS").flatMap { Int($0) }
    let width = wish.flatMap { $0 > 0 ? $0 : nil } ?? Int(cie_columns(stream.rawValue))
    return width > 0 ? max(width, least) : nil
  }

  /// The width of help, which has one even in a file.
  package static var ofHelp: Int { of(.output) ?? 80 }
}

extension String {
  /// Lines of at most so many characters, broken between words. A longer word stays in one piece, because a URL or a
  /// fingerprint is to be copied.
  ///
  /// - Parameter indent: blanks before every line but the first.
  package func wrapped(to width: Int, indent: Int) -> [String] {
    guard count > width else { return [self] }
    let margin = String(repeating: " ", count: indent < width / 2 ? indent : 2)
    var lines: [String] = []
    var line = ""
    var gap = ""
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      if line.allSatisfy({ $0 == " " }) || line.count + gap.count + word.count <= width {
        line += gap + word
      } else {
        lines.append(line)
        line = margin + word
      }
      // Several blanks in a row are empty words between them: a table keeps its columns.
      gap = " "
    }
    return lines + [line]
  }
}
