import CIECard
import Glibc
import Messages
import System

/// What the program is doing, on one line of standard error that is written over; nothing when that is no terminal.
struct Progress: Sendable {
  private let isShown: Bool
  private let language: Language

  init(_ language: Language) {
    isShown = isatty(STDERR_FILENO) == 1
    self.language = language
  }

  /// Shows a text in place of the one before.
  func show(_ text: Message) {
    if isShown { Stream.error.write(raw: "\r\u{1B}[K\(text(language).printable)…") }
  }

  /// Takes away what is shown.
  func clear() {
    if isShown { Stream.error.write(raw: "\r\u{1B}[K") }
  }

  /// What the card reports its steps to.
  var reporter: @Sendable (Step) -> Void { { show($0.text) } }
}
