import Arguments
import Messages

/// The answer to a shell that asks for completions: `file`, `folder` or `words` on the first line; then the ending of the
/// files, or each word and its help on two lines.
struct ShellCompletion {
  let root: any ParsableCommand.Type
  let language: Language

  func lines(after words: some Sequence<String>) -> [String] {
    switch Continuation(of: Array(words), to: root) {
    case .file(let ending): ["file", ending ?? ""]
    case .folder: ["folder"]
    case .words(let words): ["words"] + words.flatMap { [$0, text(of: $0, $1)] }
    }
  }

  private func text(of word: String, _ help: String) -> String {
    switch word {
    case "--help": Message("frame.help")(language)
    case "--version": Message("frame.version")(language)
    default: help.isEmpty ? "" : Message(help)(language)
    }
  }
}
