/// Readers of a service provider's pages: its button, whose words the rules for the button fix.
extension LoadedPage {
  /// The request that pressing the button makes.
  func loginButton() throws(LoginError) -> FormSubmission {
    let stage = LoginStage.serviceProvider
    let ranked = content.controls.compactMap { control in
      LoginWords.rank(of: control).map { (rank: $0, action: control.action) }
    }
    guard let best = ranked.min(by: { $0.rank < $1.rank }) else { throw LoginError(.noLoginButton) }
    switch best.action {
    case .follow(let target):
      return FormSubmission(try RedirectURL(judging: target, at: stage), from: referrer)
    case .submit(let form, let button): return try submission(of: form, pressing: button, at: stage)
    }
  }

  var hasLoginButton: Bool {
    content.controls.contains { control in
      LoginWords.rank(of: control).map { $0 < .nameAlone } == true
    }
  }
}

/// The rank of a button's name as "Entra con CIE".
private enum LoginWords {
  /// The better first.
  enum Rank: Int, Comparable {
    /// A login with the card only.
    case card
    /// A choice of several logins, the card among them.
    case several
    /// The card alone, as under a logo.
    case nameAlone

    static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
  }

  static func rank(of control: PageControl) -> Rank? {
    control.names.compactMap(rank).min()
  }

  private static func rank(_ name: String) -> Rank? {
    let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    guard words.count <= 20, namesCard(words) else { return nil }
    // "Cos'è la CIE?" and "Come entrare con CIE" explain, "Accesso effettuato con CIE" reports.
    guard !words.contains(where: explanations.contains) else { return nil }
    if words.contains(where: entrances.contains) {
      return words.contains(where: others.contains) ? .several : .card
    }
    return words.allSatisfy(cardWords.contains) ? .nameAlone : nil
  }

  /// "CIE", "CieID", "carta d'identità elettronica", "electronic identity card".
  private static func namesCard(_ words: [String]) -> Bool {
    words.contains { ["cie", "cieid"].contains($0) }
      || words.contains { ["identità", "identita", "identity"].contains($0) }
        && words.contains { ["elettronica", "electronic"].contains($0) }
  }

  private static let entrances: Set<String> = [
    "entra", "entrare", "accedi", "accedere", "accesso", "autenticati", "autenticazione",
    "prosegui",
    "continua", "usa", "login", "log", "logon", "sign", "signin", "enter", "access", "continue",
    "proceed", "authenticate", "use",
  ]
  private static let others: Set<String> = [
    "spid", "cns", "ts", "eidas", "eid", "eidas2", "password",
  ]
  private static let explanations: Set<String> = [
    "come", "cos", "cosa", "cose", "che", "scopri", "info", "informazioni", "informativa", "guida",
    "aiuto", "assistenza", "problemi", "faq", "richiedi", "how", "what", "learn", "help", "about",
    "support", "more", "effettuato", "eseguito", "avvenuto", "riuscito", "esci", "logout", "revoca",
  ]
  private static let cardWords: Set<String> = [
    "cie", "cieid", "id", "logo", "icona", "carta", "d", "di", "identità", "identita",
    "elettronica",
    "la", "con", "with", "electronic", "identity", "card", "3", "0",
  ]
}
