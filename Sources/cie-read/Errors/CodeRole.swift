import Messages

/// What a code is for; its name is that of the options, `--new-pin-file`.
enum CodeRole: String, Sendable, Equatable {
  case pin
  case puk
  case newPIN = "new-pin"
  /// Printed on the card: no secret, and shown when it is typed.
  case can

  /// What a person calls it.
  var text: Message { Message("code.\(rawValue)") }

  /// How many digits it has.
  var length: Int {
    switch self {
    case .pin, .puk, .newPIN: 8
    case .can: 6
    }
  }

  /// Whether the terminal shows what is typed.
  var isShown: Bool { self == .can }

  /// The options that it can come from instead.
  var options: Message {
    self == .can ? Message("code.options.can") : Message("code.options", ["code": rawValue])
  }
}
