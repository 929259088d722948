struct LoadedPage {
  let url: RedirectURL
  let status: Int
  let content: Page
  /// True if all of it has come; a partial page sends nothing by itself.
  let isComplete: Bool
  let referrer: Referrer

  init(_ response: HTTPResponse, at url: RedirectURL) throws(PageError) {
    self.init(response, at: url, try Page(body: response.body, url: url.text))
  }

  private init(_ response: HTTPResponse, at url: RedirectURL, _ content: Page) {
    self.url = url
    status = response.status
    isComplete = response.isComplete
    var referrer = Referrer(url)
    if let policy = response.header("referrer-policy").flatMap(ReferrerPolicy.init(header:)) {
      referrer.policy = policy
    }
    self.referrer = referrer
    // A header field has the meaning of the element, and takes precedence.
    refresh =
      response.header("refresh").flatMap { PageRefresh($0) }.flatMap { refresh in
        RedirectURL.target(of: refresh.target, on: url).flatMap { target in
          target == url.text ? nil : PageRefresh(delay: refresh.delay, target: target)
        }
      } ?? content.refresh
    self.content = content
  }

  private let refresh: PageRefresh?

  /// The address, absolute, to which the page goes by itself within the time that this program accepts: only at once
  /// where the page has something to press, as a person would be quicker; later on a page on which a person could only
  /// wait. The program does not really wait.
  func refreshTarget(at stage: LoginStage) -> String? {
    guard let refresh, isComplete else { return nil }
    let patience =
      switch stage {
      case .serviceProvider: hasLoginButton ? 1 : 30
      case .identityProvider: content.controls.isEmpty ? 30 : 1
      case .completion, .consent: content.forms.isEmpty ? 10 : 1
      case .response: 10
      case .cardCall: -1
      }
    return refresh.delay <= patience ? refresh.target : nil
  }

  /// The contents of a form that is sent without a press of a button.
  enum Message {
    /// An AuthnRequest (SAML 2.0 Bindings §3.5).
    case request(FormSubmission)
    case response(FormSubmission)
    /// Something else, sent by the page's script.
    case other(FormSubmission)
    /// No form: the page goes elsewhere by itself.
    case refresh(String)
  }

  /// The form that the page sends by itself, if any.
  ///
  /// A form with a SAML message counts with or without a script: its only button says "continue", and it names the
  /// receiver when a script would do so otherwise.
  func message(at stage: LoginStage) throws(LoginError) -> Message? {
    guard isComplete else { return nil }
    for field in ["SAMLRequest", "SAMLResponse"] {
      let forms = content.forms.filter { $0.value(of: field) != nil }
        .map { ($0, $0 == content.autoSubmittedForm ? nil : $0.onlyButton) }
        .filter { form, button in form.sent(by: button).method == .post }
      guard let (form, button) = forms.first else { continue }
      guard forms.count == 1 else { throw LoginError(.unexpectedPage(stage)) }
      let submission = try submission(of: form, pressing: button, at: stage)
      return field == "SAMLRequest" ? .request(submission) : .response(submission)
    }
    if let form = content.autoSubmittedForm { return .other(try submission(of: form, at: stage)) }
    return refreshTarget(at: stage).map { .refresh($0) }
  }

  func submission(
    of form: PageForm, pressing button: PageForm.Control? = nil, at stage: LoginStage
  ) throws(LoginError) -> FormSubmission {
    let sent = form.sent(by: button)
    guard let action = sent.action else { throw LoginError(.unexpectedPage(stage)) }
    let target = try RedirectURL(judging: action, at: stage)
    let content = form.submission(pressing: button)
    switch sent.method {
    case .post: return FormSubmission(target, .post(content), from: referrer)
    case .get: return FormSubmission(target.replacingQuery(content), from: referrer)
    case .dialog: throw LoginError(.unexpectedPage(stage))
    }
  }
}

extension LoadedPage {
  /// The page in a response, unless it is no page or an error page.
  init(
    judging response: HTTPResponse, at url: RedirectURL, _ stage: LoginStage,
    in environment: LoginEnvironment
  ) throws(LoginError) {
    let isSuccess = (200..<300).contains(response.status)
    let refusal =
      LoginError(
        stage == .response
          ? .refusedByServiceProvider(status: response.status) : .status(response.status, stage))
    do throws(PageError) { self = try LoadedPage(response, at: url) } catch {
      guard isSuccess else { throw refusal }
      guard stage == .response else { throw LoginError(.page(error, stage)) }
      // The service provider may show any page, or an empty one.
      self = LoadedPage(response, at: url, Page(emptyAt: url.text))
    }
    if environment.isIdentityProvider(url) { try refuseErrorPage(at: stage) }
    guard isSuccess else { throw refusal }
  }
}
