/// A page of a login, and where it came from.
struct LoadedPage {
  let url: RedirectURL
  let status: Int
  let content: Page
  /// Whether all of it has come; what a part of it would send by itself is not sent.
  let isComplete: Bool
  /// What it tells where it leads about itself.
  let referrer: Referrer

  init(_ response: HTTPResponse, at url: RedirectURL) throws(PageError) {
    self.init(response, at: url, try Page(body: response.body, url: url.text))
  }

  /// A page of which nothing can be read, at the end of a login: the service provider shows what it likes, or nothing.
  init(unreadable response: HTTPResponse, at url: RedirectURL) {
    self.init(response, at: url, Page(emptyAt: url.text))
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
    // A header field says the same as the element, and is asked first.
    refresh =
      response.header("refresh").flatMap { PageRefresh($0) }.flatMap { refresh in
        RedirectURL.target(of: refresh.target, on: url).flatMap { target in
          target == url.text ? nil : PageRefresh(delay: refresh.delay, target: target)
        }
      } ?? content.refresh
    self.content = content
  }

  private let refresh: PageRefresh?

  /// Where the page goes by itself, absolute, in the time that this program waits for it: at once where there is
  /// something to do, as a person would be quicker; later where a person could only wait. Nobody waits here in truth.
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

  /// What a form that is sent without anybody pressing anything brings.
  enum Message {
    /// An AuthnRequest (SAML 2.0 Bindings §3.5).
    case request(FormSubmission)
    /// A Response.
    case response(FormSubmission)
    /// Something else, sent by the page's script.
    case other(FormSubmission)
    /// No form: the page goes elsewhere by itself.
    case refresh(String)
  }

  /// The form that the page sends by itself, if it does.
  ///
  /// A form with a SAML message counts with or without a script: its only button says "continue".
  func message(at stage: LoginStage) throws(LoginError) -> Message? {
    guard isComplete else { return nil }
    for field in ["SAMLRequest", "SAMLResponse"] {
      let forms = content.forms.filter { $0.method == .post && $0.value(of: field) != nil }
      guard let form = forms.first else { continue }
      guard forms.count == 1 else { throw .unexpectedPage(stage) }
      let submission = try submission(of: form, at: stage)
      return field == "SAMLRequest" ? .request(submission) : .response(submission)
    }
    if let form = content.autoSubmittedForm { return .other(try submission(of: form, at: stage)) }
    return refreshTarget(at: stage).map { .refresh($0) }
  }

  /// What sending a form asks of its server.
  func submission(
    of form: PageForm, pressing button: PageForm.Control? = nil, at stage: LoginStage
  ) throws(LoginError) -> FormSubmission {
    guard let action = form.action else { throw .unexpectedPage(stage) }
    let target = try RedirectURL(judging: action, at: stage)
    let content = form.submission(pressing: button)
    switch form.method {
    case .post: return FormSubmission(target, .post(content), from: referrer)
    case .get: return FormSubmission(target.replacingQuery(content), from: referrer)
    }
  }
}

extension LoadedPage {
  /// The page that a server serves, if it is one and no error page.
  init(
    judging response: HTTPResponse, at url: RedirectURL, _ stage: LoginStage,
    in environment: LoginEnvironment
  ) throws(LoginError) {
    let isSuccess = (200..<300).contains(response.status)
    let refusal =
      stage == .response
      ? LoginError.refusedByServiceProvider(status: response.status)
      : .status(response.status, stage)
    do throws(PageError) { self = try LoadedPage(response, at: url) } catch {
      guard isSuccess else { throw refusal }
      guard stage == .response else { throw .page(error, stage) }
      self = LoadedPage(unreadable: response, at: url)
    }
    if environment.isIdentityProvider(url), let error = errorPage {
      throw .errorPage(code: error.number, stage)
    }
    guard isSuccess else { throw refusal }
  }
}
