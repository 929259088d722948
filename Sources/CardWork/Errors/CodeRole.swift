package import CIECard
import Messages

/// The role of a code; its name is that of the options, `--new-pin-file`.
package enum CodeRole: String, Sendable, Equatable {
  case pin
  case puk
  case newPIN = "new-pin"
  /// Printed on the card: no secret, and shown when it is typed.
  case can
  /// Of an account at a service.
  case password
  /// Of a customer at a time stamp authority.
  case tsaPassword = "tsa-password"
  /// Sent to the person by a service just now.
  case oneTimeCode = "code"
  /// Protects the session on this machine.
  case localCode = "local-code"
  case newLocalCode = "new-local-code"

  /// Its name for people.
  var text: Message { Message("code.\(rawValue)") }

  /// The number of its digits; `nil` for one chosen by another party.
  var length: Int? {
    switch self {
    case .pin, .puk, .newPIN: 8
    case .can: 6
    case .password, .tsaPassword, .oneTimeCode, .localCode, .newLocalCode: nil
    }
  }

  /// The stem of its options: `code` is `--code-fd` and `--code-file`.
  var option: String {
    switch self {
    case .pin, .puk, .newPIN, .can, .password, .tsaPassword, .oneTimeCode: rawValue
    case .localCode: "code"
    case .newLocalCode: "new-code"
    }
  }

  /// The longest line that is read, in bytes: more than any code has.
  var lineLimit: Int { [.password, .tsaPassword].contains(self) ? 1024 : 64 }

  /// True if the terminal shows the input.
  var isShown: Bool { self == .can }

  /// The options that can supply it instead.
  var options: Message {
    self == .can ? Message("code.options.can") : Message("code.options", ["code": option])
  }
}

/// The reason why a PIN or PUK is not sent to the card. It never carries the digits.
package enum CodeProblem: Sendable, Equatable {
  /// Empty input.
  case missing(CodeRole)
  /// Another number of characters than it has digits.
  case length(CodeRole)
  case notDigits(CodeRole)
  /// The file can be read, or was made, by other users.
  case exposedFile(CodeRole)
  /// The file or descriptor cannot be read.
  case unreadable(CodeRole, errno: Int32)
  case noTerminal(CodeRole)
  /// No program for the question in a window.
  case noPinentry(CodeRole)
  /// The person closed the window.
  case declined(CodeRole)
  case entriesDiffer
  /// The new PIN is easy to guess.
  case weak(PIN.Weakness)
  /// The new PIN is the old one.
  case unchanged
}
