import CIECard
import Messages
import SignIn

/// What a code is for; its name is that of the options, `--new-pin-file`.
enum CodeRole: String, Sendable, Equatable {
  case pin
  case puk
  case newPIN = "new-pin"
  /// Printed on the card: no secret, and shown when it is typed.
  case can
  /// Of an account at a service.
  case password
  /// That a service has just sent to the person.
  case oneTimeCode = "code"
  /// That protects the session on this machine.
  case localCode = "local-code"
  case newLocalCode = "new-local-code"

  /// What a person calls it.
  var text: Message { Message("code.\(rawValue)") }

  /// How many digits it has; `nil` for what somebody else has chosen.
  var length: Int? {
    switch self {
    case .pin, .puk, .newPIN: 8
    case .can: 6
    case .password, .oneTimeCode, .localCode, .newLocalCode: nil
    }
  }

  /// What its options are called after: `code` is `--code-fd` and `--code-file`.
  var option: String {
    switch self {
    case .pin, .puk, .newPIN, .can, .password, .oneTimeCode: rawValue
    case .localCode: "code"
    case .newLocalCode: "new-code"
    }
  }

  /// The longest line that is read, in bytes: more than any code has.
  var lineLimit: Int { self == .password ? 1024 : 64 }

  /// Whether the terminal shows what is typed.
  var isShown: Bool { self == .can }

  /// The options that it can come from instead.
  var options: Message {
    self == .can ? Message("code.options.can") : Message("code.options", ["code": option])
  }
}

/// Why a PIN or PUK is not shown to the card. It never carries the digits.
enum CodeProblem: Error, Sendable, Equatable {
  /// Nothing was entered.
  case missing(CodeRole)
  /// Not as many characters as it has digits.
  case length(CodeRole)
  /// Not only digits.
  case notDigits(CodeRole)
  /// The file can be read, or was made, by others.
  case exposedFile(CodeRole)
  /// The file or descriptor cannot be read.
  case unreadable(CodeRole, errno: Int32)
  /// No terminal to ask on.
  case noTerminal(CodeRole)
  /// No program that asks in a window.
  case noPinentry(CodeRole)
  /// The person closed the window.
  case declined(CodeRole)
  /// The two entries of the new PIN differ.
  case entriesDiffer
  /// The new PIN is easy to guess.
  case weak(PIN.Weakness)
  /// The new PIN is the old one.
  case unchanged
  /// It is no local code, whichever was set.
  case localCode(LocalCode.FormatError)
}
