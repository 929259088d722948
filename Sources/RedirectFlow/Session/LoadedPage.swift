/// A page of a login, and where it came from.
struct LoadedPage {
  let url: RedirectURL
  let status: Int
  let content: Page

  init(_ response: HTTPResponse, at url: RedirectURL) {
    self.url = url
    status = response.status
    content = Page(response.body)
  }

  /// A form that a browser would submit by itself: the HTTP-POST binding (SAML bindings §3.5).
  enum MessageKind {
    case request
    case response
  }

  /// The SAML message that the page has in a form, if it has exactly one such form.
  ///
  /// Told by the field and not by a script: what does not carry a message is never sent without being asked.
  func samlMessage(
    at stage: LoginStage
  ) throws(LoginError) -> (kind: MessageKind, submission: FormSubmission)? {
    for (field, kind) in [("SAMLRequest", MessageKind.request), ("SAMLResponse", .response)] {
      let forms = content.forms.filter { form in
        form.method == .post && form.fields.contains { $0.name == field }
      }
      guard let form = forms.first else { continue }
      guard forms.count == 1 else { throw .unexpectedPage(stage) }
      return (kind, try submission(of: form, at: stage))
    }
    return nil
  }

  /// What sending a form asks of its server.
  func submission(
    of form: Page.Form, pressing button: Page.Form.Button? = nil, at stage: LoginStage
  ) throws(LoginError) -> FormSubmission {
    let action = try url.judged(form.action ?? "", at: stage)
    var fields = form.fields
    if let button { fields += button.field }
    switch form.method {
    case .post: return FormSubmission(action, .post(HTTPForm(fields)))
    case .get:
      return FormSubmission(action.replacingQuery(fields.map { QueryItem($0.name, $0.value) }))
    }
  }
}
