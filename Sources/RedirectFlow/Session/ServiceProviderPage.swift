/// What is read in a service provider's pages: its button, whose words the rules for the button fix.
extension LoadedPage {
  /// What pressing the button asks for: a link, or a form with such a button.
  ///
  /// - Throws: `.noLoginButton`.
  func loginButton() throws(LoginError) -> FormSubmission {
    let stage = LoginStage.serviceProvider
    if let link = content.links.first(where: { Self.isLogin($0.text) }) {
      return FormSubmission(try RedirectURL(judging: link.target, at: stage))
    }
    for (form, element) in zip(content.forms, content.elements(named: "form")) {
      if let button = form.fields.first(where: { $0.kind == .button && Self.isLogin($0.label) }) {
        return try submission(of: form, pressing: button, at: stage)
      }
      // A button without a name is no field, and yet sends the form.
      let buttons = element.elements(named: "button").map(\.text)
      let inputs = element.elements(named: "input").compactMap { $0.attributes["value"] }
      if (buttons + inputs).contains(where: Self.isLogin) {
        return try submission(of: form, at: stage)
      }
    }
    throw .noLoginButton
  }

  /// "Entra con CIE", with whatever stands between the words.
  private static func isLogin(_ text: String) -> Bool {
    let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
    return words.contains("cie") && words.contains("entra")
  }
}
