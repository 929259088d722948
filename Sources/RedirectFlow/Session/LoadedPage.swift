/// A page of a login, and where it came from.
struct LoadedPage {
  let url: RedirectURL
  let status: Int
  let content: Page

  init(_ response: HTTPResponse, at url: RedirectURL) throws(PageError) {
    self.url = url
    status = response.status
    content = try Page(body: response.body, url: url.text)
  }

  /// What a form that is sent without anybody pressing anything brings.
  enum Message {
    /// An AuthnRequest (SAML 2.0 Bindings §3.5).
    case request(FormSubmission)
    /// A Response.
    case response(FormSubmission)
    /// Something else, sent by the page's script.
    case other(FormSubmission)
  }

  /// The form that the page sends by itself, if it does.
  ///
  /// A form with a SAML message counts with or without a script: its only button says "continue".
  func message(at stage: LoginStage) throws(LoginError) -> Message? {
    for field in ["SAMLRequest", "SAMLResponse"] {
      let forms = content.forms.filter { $0.method == .post && $0.value(of: field) != nil }
      guard let form = forms.first else { continue }
      guard forms.count == 1 else { throw .unexpectedPage(stage) }
      let submission = try submission(of: form, at: stage)
      return field == "SAMLRequest" ? .request(submission) : .response(submission)
    }
    return try content.autoSubmittedForm.map { (form) throws(LoginError) in
      .other(try submission(of: form, at: stage))
    }
  }

  /// What sending a form asks of its server.
  func submission(
    of form: PageForm, pressing button: PageForm.Field? = nil, at stage: LoginStage
  ) throws(LoginError) -> FormSubmission {
    guard let action = form.action else { throw .unexpectedPage(stage) }
    let target = try RedirectURL(judging: action, at: stage)
    let content = form.submission(pressing: button)
    switch form.method {
    case .post: return FormSubmission(target, .post(content))
    case .get:
      return FormSubmission(
        target.replacingQuery(content.fields.map { QueryItem($0.name, $0.value) }))
    }
  }
}
