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
      let buttons = form.fields.filter { $0.kind == .button }
      guard let yes = buttons.first(where: ConsentWords.yes.means),
        let no = buttons.first(where: ConsentWords.no.means)
      else { continue }
      found.append(
        ConsentForm(
          attributes: attributes, accept: try submission(of: form, pressing: yes, at: stage),
          deny: try submission(of: form, pressing: no, at: stage)))
    }
    guard let form = found.first, found.count == 1 else { throw .unexpectedPage(stage) }
    return form
  }

  /// Terms with their descriptions, and table rows of two cells.
  private var attributes: [ConsentRequest.Attribute] {
    let lists = content.elements(named: "dl").flatMap { list in
      let parts = list.all.filter { $0.name == "dt" || $0.name == "dd" }
      return zip(parts, parts.dropFirst())
        .filter { $0.0.name == "dt" && $0.1.name == "dd" }.map { ($0.0.text, $0.1.text) }
    }
    let rows = content.elements(named: "tr").compactMap { row -> (String, String)? in
      let cells = row.all.filter { $0.name == "td" || $0.name == "th" }.map(\.text)
      guard let label = cells.first, let value = cells.last, cells.count == 2 else { return nil }
      return (label, value)
    }
    return (lists + rows).map { ConsentRequest.Attribute(label: $0.0, value: $0.1) }
  }
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

  func means(_ button: PageForm.Field) -> Bool {
    values.contains(button.value) || names.contains(button.name)
      || texts.contains(button.label.lowercased())
  }
}
