/// What a code is for; its name is that of the options, `--new-pin-file`.
enum CodeRole: String, Sendable, Equatable {
  case pin
  case puk
  case newPIN = "new-pin"

  /// What a person calls it.
  var text: Bilingual {
    switch self {
    case .pin: Bilingual(it: "PIN", en: "PIN")
    case .puk: Bilingual(it: "PUK", en: "PUK")
    case .newPIN: Bilingual(it: "nuovo PIN", en: "new PIN")
    }
  }
}
