/// A headless login at its beginning. Each step uses the value up and gives the next one, so that none is done twice
/// or left out, and a completed URL is loaded in the session in which the login began.
struct HeadlessLogin: ~Copyable {
  private var browser: Browser

  init(_ browser: consuming Browser) { self.browser = browser }

  /// How many buttons on the service provider's side are pressed at most: "log in", "with an identity card".
  private static let pressLimit = 3

  /// From the service provider's page to the link that hands the login over.
  consuming func reachHandOff(from page: RedirectURL) throws(LoginError) -> WaitingLogin {
    browser.report(.opening(page.origin))
    var arrival = try follow(FormSubmission(page), from: page)
    for _ in 0...Self.pressLimit {
      switch arrival {
      case .handOff(let link):
        return try WaitingLogin(browser, link)
      case .response(let submission):
        // The identity provider refuses the request; the service provider is to know. What says that somebody is
        // logged in, before any card was asked, is nothing to hand over.
        let answer = try AnsweredLogin(browser, submission)
        guard answer.response.status.isSuccess else { throw answer.refuse() }
        throw .noHandOff
      case .page(let page) where browser.environment.isIdentityProvider(page.url):
        let link = try page.handOff(browser.policy, in: browser.environment)
        return try WaitingLogin(browser, link)
      case .page(let page):
        arrival = try follow(try page.loginButton(), from: page.url)
      }
    }
    throw .noLoginButton
  }

  private mutating func follow(
    _ submission: FormSubmission, from page: RedirectURL
  ) throws(LoginError) -> Browser.Arrival {
    _ = try browser.isHandOff(submission.url.text, from: page, at: .serviceProvider)
    return try browser.open(submission, at: .serviceProvider)
  }
}

/// A headless login that waits for the card or the app.
struct WaitingLogin: ~Copyable {
  /// The link, checked.
  let handOff: HandOff
  private var browser: Browser

  fileprivate init(_ browser: consuming Browser, _ link: String) throws(LoginError) {
    do throws(HandOffProblem) { handOff = try HandOff(link, in: browser.environment) } catch {
      throw .handOff(error)
    }
    browser.report(.handOff)
    self.browser = browser
  }

  /// Loads the completed URL with the cookies of the login.
  consuming func resume(with url: RedirectURL) throws(LoginError) -> ResumedLogin {
    switch try browser.open(FormSubmission(url), at: .completion) {
    case .page(let page):
      return .asked(AskedLogin(browser, try page.consent()))
    case .response(let response):
      return .answered(try AnsweredLogin(browser, response))
    case .handOff: throw .unexpectedPage(.completion)
    }
  }
}

/// What the identity provider says once it knows the person.
enum ResumedLogin: ~Copyable {
  /// It asks for consent.
  case asked(AskedLogin)
  /// It has its answer for the service provider, without having asked.
  case answered(AnsweredLogin)
}

/// A headless login that waits for the person's consent.
struct AskedLogin: ~Copyable {
  private let form: ConsentForm
  private var browser: Browser

  fileprivate init(_ browser: consuming Browser, _ form: ConsentForm) {
    self.browser = browser
    self.form = form
  }

  /// What is asked, and who would be told: the response goes nowhere else.
  var request: ConsentRequest {
    ConsentRequest(
      serviceProvider: browser.rules.start, alternatives: browser.rules.allowed,
      attributes: form.attributes)
  }

  /// Tells the identity provider yes. It cannot be told no: a refusal sends nothing.
  consuming func accept() throws(LoginError) -> AnsweredLogin {
    switch try browser.open(form.accept, at: .consent) {
    case .response(let response):
      return try AnsweredLogin(browser, response)
    case .page, .handOff: throw .unexpectedPage(.consent)
    }
  }
}
