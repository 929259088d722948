import CProcessControl
import Glibc

/// How wide the terminal of a stream is.
enum TextWidth {
  /// The least that lines are fitted into.
  private static let least = 20

  /// COLUMNS, else what the terminal says; `nil` where lines may have any length.
  static func of(_ stream: Stream) -> Int? {
    let wish = getenv("COLUMNS").flatMap { Int(String(cString: $0)) }
    let width = wish.flatMap { $0 > 0 ? $0 : nil } ?? Int(cie_columns(stream.rawValue))
    return width > 0 ? max(width, least) : nil
  }

  /// The width of help, which has one also where it goes to a file.
  static var ofHelp: Int { of(.output) ?? 80 }
}

extension String {
  /// Lines of at most so many characters, broken between words. What is longer than a line stays whole: a URL or a
  /// fingerprint is to be copied.
  ///
  /// - Parameter indent: blanks before every line but the first.
  func wrapped(to width: Int, indent: Int) -> [String] {
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
