internal import Primitives

/// A headless login at its beginning. Each step uses the value up and returns the next one, so that no step is done
/// twice or left out, and a completed URL is loaded in the session in which the login began.
struct HeadlessLogin: ~Copyable {
  private var browser: Browser

  init(_ browser: consuming Browser) { self.browser = browser }

  /// The number of buttons pressed at most on the service provider's side: "log in", "with an identity card".
  private static let pressLimit = 3

  /// Goes from the service provider's page to the link that hands the login over.
  consuming func reachHandOff(from page: RedirectURL) throws(LoginError) -> WaitingLogin {
    browser.report(.opening(page.origin))
    var arrival = try follow(FormSubmission(page), from: page)
    for _ in 0...Self.pressLimit {
      switch arrival {
      case .handOff(let link):
        return try WaitingLogin(browser, link)
      case .response(let submission):
        // The identity provider refuses the request, and the service provider must learn of it. A success before any
        // card was asked for is not handed over.
        let answer = try AnsweredLogin(browser, submission)
        guard answer.response.status.isSuccess else { throw try answer.refuse() }
        throw LoginError(.noHandOff)
      case .page(let page) where browser.environment.isIdentityProvider(page.url):
        let link = try page.handOff(browser.policy, in: browser.environment)
        return try WaitingLogin(browser, link)
      case .page(let page):
        arrival = try follow(try page.loginButton(), from: page.url)
      }
    }
    throw LoginError(.noLoginButton)
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
  let handOff: HandOff
  private var browser: Browser

  fileprivate init(_ browser: consuming Browser, _ link: String) throws(LoginError) {
    handOff = try mapError(try HandOff(link, in: browser.environment)) { LoginError(.handOff($0)) }
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
    case .handOff: throw LoginError(.unexpectedPage(.completion))
    }
  }
}

/// The identity provider's next step once it knows the person.
enum ResumedLogin: ~Copyable {
  case asked(AskedLogin)
  /// It has its answer for the service provider, without asking.
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

  /// The requested attributes and their receiver: the response goes nowhere else.
  var request: ConsentRequest {
    ConsentRequest(
      serviceProvider: browser.rules.start, alternatives: browser.rules.allowed,
      attributes: form.attributes)
  }

  /// Sends the identity provider a yes. There is no message for no: a refusal sends nothing.
  consuming func accept() throws(LoginError) -> AnsweredLogin {
    switch try browser.open(form.accept, at: .consent) {
    case .response(let response):
      return try AnsweredLogin(browser, response)
    case .page, .handOff: throw LoginError(.unexpectedPage(.consent))
    }
  }
}
