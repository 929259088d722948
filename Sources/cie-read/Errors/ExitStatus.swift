import Glibc
import Messages

/// The exit status, for scripts; `help exit-codes` and the manual list the same numbers.
struct ExitStatus: Sendable, Hashable {
  let rawValue: Int32

  /// Done, and no check was false.
  static let ok = ExitStatus(rawValue: 0)

  /// Every exit status of the program, in ascending order.
  static let all = ([ok] + Diagnosis.Kind.allCases.map { ExitStatus($0) } + ending.map(of))
    .sorted { $0.rawValue < $1.rawValue }

  /// The signals that have an exit status each; every other end has that of SIGINT.
  private static let ending = [SIGHUP, SIGQUIT, SIGTERM]

  private static func of(_ signal: Int32) -> ExitStatus { ExitStatus(rawValue: 128 + signal) }
}

extension ExitStatus {
  /// The exit status for such a failure.
  ///
  /// - Parameter signal: the signal that ended the program, if any.
  init(_ kind: Diagnosis.Kind, signal: Int32? = nil) {
    if kind == .interrupted, let signal, Self.ending.contains(signal) {
      self = .of(signal)
    } else {
      self.init(rawValue: kind.consequences.exit)
    }
  }

  /// Its meaning, in one line, for the help and the manual.
  var meaning: Message { Message("exit.\(rawValue)") }
}
