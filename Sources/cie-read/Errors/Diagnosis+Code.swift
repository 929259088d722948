import CIECard

/// PIN and PUK: what the card says of them, and what is refused before it is asked.
extension Diagnosis {
  static func wrong(_ kind: CodeKind, _ tries: Int?) -> Diagnosis {
    let name = kind.word
    let rest =
      switch tries {
      case nil: Bilingual(it: "", en: "")
      case 1: Bilingual(it: ": resta un tentativo", en: ": one try is left")
      case .some(let count):
        Bilingual(it: ": restano \(count) tentativi", en: ": \(count) tries are left")
      }
    return Diagnosis(
      .wrongCode, "wrong-\(name.lowercased())",
      what: Bilingual(
        it: "Il \(name) è sbagliato\(rest(.italian)).",
        en: "The \(name) is wrong\(rest(.english))."),
      advice: Bilingual(
        it: "Controllare il \(name) prima di riprovare.",
        en: "Make sure of the \(name) before trying again."))
  }

  static func blocked(_ kind: CodeKind) -> Diagnosis {
    let advice =
      switch kind {
      case .pin:
        Bilingual(
          it: "Sbloccarlo con il PUK: cie-read pin unblock.",
          en: "Unblock it with the PUK: cie-read pin unblock.")
      case .puk:
        Bilingual(
          it: "Rivolgersi al Comune: serve una nuova carta.",
          en: "Turn to the municipality: a new card is needed.")
      }
    return Diagnosis(
      .blocked, "\(kind.word.lowercased())-blocked",
      what: Bilingual(
        it: "Il \(kind.word) è bloccato.", en: "The \(kind.word) is blocked."),
      advice: advice)
  }

  static func lastTry(_ kind: CodeKind) -> Diagnosis {
    Diagnosis(
      .blocked, "last-try-refused",
      what: Bilingual(
        it: "Resta un solo tentativo per il \(kind.word); non è stato usato.",
        en: "Only one try is left for the \(kind.word); it was not spent."),
      advice: Bilingual(
        it: "Chi è certo del \(kind.word) aggiunga --allow-last-try.",
        en: "If you are sure of the \(kind.word), add --allow-last-try."))
  }

  init(_ problem: CodeProblem) {
    switch problem {
    case .missing(let role):
      self.init(role, "missing", it: "non è stato indicato", en: "was not given")
    case .length(let role):
      let count = role.digits
      self.init(
        role, "length", it: "non è di \(count(.italian)) cifre",
        en: "has not \(count(.english)) digits")
    case .notDigits(let role):
      self.init(role, "not-digits", it: "non è fatto di sole cifre", en: "has not only digits")
    case .exposedFile(let role):
      self.init(
        .usage, "\(role.rawValue)-file-exposed",
        what: Bilingual(
          it: "Altri possono leggere il file di --\(role.rawValue)-file.",
          en: "Others can read the file given with --\(role.rawValue)-file."),
        advice: Bilingual(
          it: "Deve essere di chi esegue il programma, con permessi 0600 (chmod 600).",
          en: "It must belong to who runs the program, with mode 0600 (chmod 600)."))
    case .unreadable(let role, let code):
      self.init(
        .usage, "\(role.rawValue)-unreadable",
        what: Bilingual(
          it: "Non si riesce a leggere il \(role.text(.italian)): \(systemMessage(code)).",
          en: "The \(role.text(.english)) cannot be read: \(systemMessage(code))."),
        advice: Bilingual(
          it: "Controllare \(role.options(.italian)).", en: "Check \(role.options(.english))."))
    case .noTerminal(let role):
      self.init(
        .usage, "no-terminal",
        what: Bilingual(
          it: "Non c'è un terminale su cui chiedere il \(role.text(.italian)).",
          en: "There is no terminal on which to ask for the \(role.text(.english))."),
        advice: Bilingual(
          it: "Usare \(role.options(.italian)).", en: "Use \(role.options(.english))."))
    case .entriesDiffer:
      self.init(
        .usage, "new-pin-entries-differ",
        what: Bilingual(
          it: "Le due digitazioni del nuovo PIN sono diverse.",
          en: "The two entries of the new PIN differ."),
        advice: Bilingual(
          it: "Riprovare; il PIN non è cambiato.", en: "Try again; the PIN was not changed."))
    case .weak(let weakness):
      self.init(
        .usage, "new-pin-weak",
        what: Bilingual(
          it: "Il nuovo PIN è facile da indovinare.", en: "The new PIN is easy to guess."),
        advice: weakness.advice)
    case .unchanged:
      self.init(
        .usage, "new-pin-unchanged",
        what: Bilingual(
          it: "Il nuovo PIN è uguale al vecchio.", en: "The new PIN is the same as the old one."),
        advice: Bilingual(it: "Sceglierne un altro.", en: "Choose another one."))
    }
  }

  /// A code of wrong form: the card was not asked.
  private init(_ role: CodeRole, _ name: String, it: String, en: String) {
    self.init(
      .usage, "\(role.rawValue)-\(name)",
      what: Bilingual(
        it: "Il \(role.text(.italian)) \(it).", en: "The \(role.text(.english)) \(en)."),
      advice: Bilingual(
        it: "Servono \(role.digits(.italian)) cifre; alla carta non è stato chiesto nulla.",
        en: "It takes \(role.digits(.english)) digits; the card was asked nothing."))
  }
}

extension CodeRole {
  /// How many digits it has, in words.
  fileprivate var digits: Bilingual {
    switch self {
    case .pin, .puk, .newPIN: Bilingual(it: "otto", en: "eight")
    case .can: Bilingual(it: "sei", en: "six")
    }
  }
}

extension CodeKind {
  fileprivate var word: String {
    switch self {
    case .pin: "PIN"
    case .puk: "PUK"
    }
  }
}

extension PIN.Weakness {
  fileprivate var advice: Bilingual {
    switch self {
    case .sameDigits:
      Bilingual(
        it: "Sceglierne uno con cifre diverse tra loro.",
        en: "Choose one whose digits are not all the same.")
    case .consecutiveDigits:
      Bilingual(
        it: "Sceglierne uno le cui cifre non siano in fila.",
        en: "Choose one whose digits do not count up or down.")
    }
  }
}
