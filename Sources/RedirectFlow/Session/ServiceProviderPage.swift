/// What is read in a service provider's pages: its button, whose words the rules for the button fix.
extension LoadedPage {
  /// What pressing the button asks for: a link, or a form with such a button.
  ///
  /// - Throws: `.noLoginButton`.
  func loginButton() throws(LoginError) -> FormSubmission {
    if let link = content.links.first(where: { Self.isLogin($0.text) }) {
      return FormSubmission(try url.judged(link.href, at: .serviceProvider))
    }
    for form in content.forms {
      if let button = form.buttons.first(where: { Self.isLogin($0.text) }) {
        return try submission(of: form, pressing: button, at: .serviceProvider)
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
