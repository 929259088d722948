/// The page on which the identity provider asks for consent.
struct ConsentForm {
  /// What would be told.
  let attributes: [ConsentRequest.Attribute]
  /// Yes.
  let accept: FormSubmission
  /// No.
  let deny: FormSubmission
}

extension LoadedPage {
  /// The consent page: the one form with a button for yes and one for no.
  ///
  /// - Throws: `.unexpectedPage` when it is none; guessing would be consenting.
  func consent() throws(LoginError) -> ConsentForm {
    let stage = LoginStage.completion
    var found: [ConsentForm] = []
    for form in content.forms where form.method == .post {
      guard let yes = form.buttons.first(where: ConsentWords.yes.means),
        let no = form.buttons.first(where: ConsentWords.no.means)
      else { continue }
      found.append(
        ConsentForm(
          attributes: attributes, accept: try submission(of: form, pressing: yes, at: stage),
          deny: try submission(of: form, pressing: no, at: stage)))
    }
    guard let form = found.first, found.count == 1 else { throw .unexpectedPage(stage) }
    return form
  }

  private var attributes: [ConsentRequest.Attribute] { [] }
}

/// How a button says what it means: by its value, by its name (Shibboleth IdP, attribute release), or by its text.
private struct ConsentWords {
  let values: Set<String>
  let names: Set<String>
  let texts: Set<String>

  static let yes = ConsentWords(
    values: ["accept"], names: ["_eventId_proceed"], texts: ["acconsento", "accetta", "prosegui"])
  static let no = ConsentWords(
    values: ["deny"], names: ["_eventId_AttributeReleaseRejected"],
    texts: ["non acconsento", "rifiuta"])

  func means(_ button: Page.Form.Button) -> Bool {
    button.value.map(values.contains) == true || button.name.map(names.contains) == true
      || texts.contains(button.text.lowercased())
  }
}
