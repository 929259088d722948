internal import Primitives

/// The page on which the identity provider asks for consent.
struct ConsentForm {
  /// The attributes to be released; never empty.
  let attributes: [ConsentRequest.Attribute]
  let accept: FormSubmission
}

extension LoadedPage {
  /// The consent page: the one form with one button for yes, and a list of the attributes.
  ///
  /// - Throws: `.unexpectedPage` for any other page, `.consentUnlisted` when the attributes cannot be listed, because
  ///   guessing would be consenting.
  func consent() throws(LoginError) -> ConsentForm {
    let stage = LoginStage.completion
    var found: [FormSubmission] = []
    for form in content.forms {
      // A page with a field to fill in asks another question.
      let isAsking = form.fields.contains { $0.kind == .text && $0.value.isEmpty }
      let buttons = form.fields.filter {
        $0.kind == .button && ConsentButton.agrees($0) && !isAsking
      }
      guard let button = buttons.first, form.sent(by: button).method == .post else { continue }
      guard buttons.count == 1 else { throw LoginError(.unexpectedPage(stage)) }
      found.append(try submission(of: form, pressing: button, at: stage))
    }
    guard let accept = found.first, found.count == 1 else {
      throw LoginError(.unexpectedPage(stage))
    }
    let attributes = try mapError(try ConsentList(content).attributes) {
      LoginError(.page($0, stage))
    }
    guard !attributes.isEmpty else { throw LoginError(.consentUnlisted(url.origin)) }
    return ConsentForm(attributes: attributes, accept: accept)
  }
}

/// The signs of a button for yes: its value, its name (Shibboleth IdP, attribute release), or its text.
private enum ConsentButton {
  private static let values: Set<String> = ["accept", "consent", "allow", "agree"]
  private static let names: Set<String> = ["_eventId_proceed"]
  private static let words: Set<String> = [
    "acconsento", "acconsenti", "accetto", "accetta", "autorizzo", "autorizza", "consenti",
    "conferma", "confermo", "prosegui", "procedi", "continua", "invia", "si", "sì", "ok", "accept",
    "agree", "allow", "authorize", "authorise", "consent", "confirm", "proceed", "continue",
    "submit", "yes",
  ]
  /// Words that refuse even beside a yes: "non acconsento", "rifiuta e prosegui".
  private static let refusals: Set<String> = [
    "non", "no", "rifiuto", "rifiuta", "nego", "nega", "annulla", "esci", "not", "don't", "deny",
    "reject", "decline", "refuse", "cancel", "disagree",
  ]

  static func agrees(_ button: PageForm.Control) -> Bool {
    let spoken = Set(
      button.label.lowercased().split { !$0.isLetter && $0 != "'" }.map(String.init))
    guard spoken.isDisjoint(with: refusals), !refusals.contains(button.value.lowercased()) else {
      return false
    }
    return values.contains(button.value.lowercased()) || names.contains(button.name)
      || !spoken.isDisjoint(with: words)
  }
}
