internal import Primitives

/// An app's answer to a hand-off.
package enum ReturnURL: Sendable, Hashable {
  /// Level 3: the completed URL, to be loaded at once in the session that began the login. A bearer secret.
  case completed(RedirectURL)
  /// Levels 1 and 2: the page that continues, to be loaded in the session that began the login.
  case resumed(RedirectURL)
  case failed(AppFailure)

  /// Checks a text in any of the forms in which apps pass URLs on (see `LinkText`).
  ///
  /// - Parameter handOff: the hand-off to which it answers; the answer must then name the same web flow.
  package init(
    _ text: String, in environment: LoginEnvironment, answering handOff: HandOff? = nil
  ) throws(HandOffError) {
    let url = try mapError(try RedirectURL(LinkText(text).url)) { HandOffError.appReturn(.url($0)) }
    guard url.scheme == .https else { throw .appReturn(.notHTTPS) }
    guard environment.isIdentityProvider(url) else { throw .appReturn(.foreignHost(url.origin)) }
    guard !url.hasEmptySegment else { throw .appReturn(.url(.emptySegment)) }
    var names: Set<String> = []
    for item in url.queryItems {
      guard names.insert(item.name).inserted else {
        throw .appReturn(.repeatedParameter(item.name))
      }
    }

    if let message = url.value(of: "cieid_error_message") {
      self = .failed(AppFailure(message: message))
    } else if environment.nextPaths.contains(url.path) {
      try Self.checkCompleted(url, answering: handOff)
      self = .completed(url)
    } else if Self.isResumption(url, in: environment) {
      try Self.checkResumed(url, answering: handOff)
      self = .resumed(url)
    } else {
      throw .appReturn(.unknownPage)
    }
  }

  /// Exactly three parameters: `login=1`, `codice` with 16 digits, and the web flow's own
  /// (cieid-ios-sdk of 2021, `StringURLValidator.swift`, which checks their names alone).
  private static func checkCompleted(
    _ url: RedirectURL, answering handOff: HandOff?
  ) throws(HandOffError) {
    guard let login = url.value(of: "login") else { throw .appReturn(.missingParameter("login")) }
    guard login == "1" else { throw .appReturn(.malformedParameter("login")) }
    guard let code = url.value(of: "codice") else { throw .appReturn(.missingParameter("codice")) }
    guard code.utf8.count == 16, code.utf8.allSatisfy(ASCII.isDigit) else {
      throw .appReturn(.malformedParameter("codice"))
    }
    let others = url.queryItems.filter { $0.name != "login" && $0.name != "codice" }
    guard let flow = others.first else { throw .appReturn(.missingParameter("conversation")) }
    if let other = others.dropFirst().first { throw .appReturn(.unexpectedParameter(other.name)) }
    guard HandOffParameters.isEchoName(flow.name) else {
      throw .appReturn(.unexpectedParameter(flow.name))
    }
    guard HandOffParameters.isEchoValue(flow.value) else {
      throw .appReturn(.malformedParameter(flow.name))
    }
    switch handOff {
    case .card(let card):
      guard flow == QueryItem(card.name, card.value) else { throw .appReturn(.otherSession) }
    case .app: throw .appReturn(.otherSession)
    case .hybrid, nil: return
    }
  }

  /// Checks for a page below the base with a component such as `livello2mobile`; the full list is not published.
  private static func isResumption(_ url: RedirectURL, in environment: LoginEnvironment) -> Bool {
    url.path.hasPrefix(environment.identityProvider.path)
      && url.segments.contains { $0.hasPrefix("livello1") || $0.hasPrefix("livello2") }
  }

  /// Parameters are not published, but for `value`; those of a completed URL are refused here.
  private static func checkResumed(
    _ url: RedirectURL, answering handOff: HandOff?
  ) throws(HandOffError) {
    for item in url.queryItems where HandOffParameters.reserved.contains(item.name) {
      throw .appReturn(.unexpectedParameter(item.name))
    }
    let value = url.value(of: "value")
    if let value, !HandOffParameters.isEchoValue(value) {
      throw .appReturn(.malformedParameter("value"))
    }
    switch handOff {
    case .app(let app):
      if let expected = app.value, value != expected { throw .appReturn(.otherSession) }
    case .card: throw .appReturn(.otherSession)
    case .hybrid, nil: return
    }
  }
}

/// The failure that an app of the identity provider reports, in `cieid_error_message`. The list of its texts is not
/// published; these were seen in cieid-ios-sdk, cieid-ionic and io-app.
package enum AppFailure: Sendable, Hashable {
  case cancelledByUser
  case certificateExpired
  case certificateRevoked
  /// The operation is not valid, or not valid any more.
  case invalidOperation
  case unknown
  case other(UntrustedText)

  /// - Parameter message: the parameter's value, decoded; its underscores stand for spaces.
  init(message: String) {
    let text = String(message.map { $0 == "_" ? " " : $0 })
    self =
      switch text {
      case "Operazione annullata dall'utente": .cancelledByUser
      case "Carta non valida: certificato scaduto": .certificateExpired
      case "Carta non valida: certificato revocato": .certificateRevoked
      case "Operazione non valida": .invalidOperation
      case _ where text.allSatisfy { $0 == " " }: .unknown
      default: .other(UntrustedText(text))
      }
  }
}
