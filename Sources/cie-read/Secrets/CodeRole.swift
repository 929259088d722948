/// What a code is for; its name is that of the options, `--new-pin-file`.
enum CodeRole: String, Sendable, Equatable {
  case pin
  case puk
  case newPIN = "new-pin"
  /// Printed on the card: no secret, and shown when it is typed.
  case can

  /// What a person calls it.
  var text: Bilingual {
    switch self {
    case .pin: Bilingual(it: "PIN", en: "PIN")
    case .puk: Bilingual(it: "PUK", en: "PUK")
    case .newPIN: Bilingual(it: "nuovo PIN", en: "new PIN")
    case .can: Bilingual(it: "CAN", en: "CAN")
    }
  }

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
  var options: Bilingual {
    switch self {
    case .pin, .puk, .newPIN:
      Bilingual(
        it: "--\(rawValue)-fd o --\(rawValue)-file", en: "--\(rawValue)-fd or --\(rawValue)-file")
    case .can: Bilingual(it: "--can o --can-fd", en: "--can or --can-fd")
    }
  }
}
