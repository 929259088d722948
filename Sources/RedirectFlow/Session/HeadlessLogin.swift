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
    var arrival = try browser.open(FormSubmission(page), at: .serviceProvider)
    for _ in 0...Self.pressLimit {
      switch arrival {
      case .handOff(let link):
        return try WaitingLogin(browser, link)
      case .response(let response):
        // The identity provider refuses the request; the service provider is to know, and says no.
        _ = try AnsweredLogin(browser, response).respond()
        throw .noHandOff
      case .page(let page) where browser.environment.isIdentityProvider(page.url):
        let link = try page.handOff(browser.policy, in: browser.environment)
        return try WaitingLogin(browser, link)
      case .page(let page):
        arrival = try browser.open(try page.loginButton(), at: .serviceProvider)
      }
    }
    throw .noLoginButton
  }
}

/// A headless login that waits for the card or the app.
struct WaitingLogin: ~Copyable {
  /// The link, judged.
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
    case .page(let page): return .asked(AskedLogin(browser, try page.consent()))
    case .response(let response): return .answered(AnsweredLogin(browser, response))
    case .handOff: throw .unexpectedPage(.completion)
    }
  }
}

/// What the identity provider says once it knows the person.
enum ResumedLogin: ~Copyable {
  /// It asks for consent.
  case asked(AskedLogin)
  /// It has its answer for the service provider; with an error, most likely.
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

  /// What is asked.
  var attributes: [ConsentRequest.Attribute] { form.attributes }

  /// Tells the identity provider.
  consuming func answer(_ agreed: Bool) throws(LoginError) -> AnsweredLogin {
    switch try browser.open(agreed ? form.accept : form.deny, at: .consent) {
    case .response(let response): return AnsweredLogin(browser, response)
    case .page, .handOff: throw .unexpectedPage(.consent)
    }
  }
}

/// A headless login with an answer for the service provider.
struct AnsweredLogin: ~Copyable {
  private let response: FormSubmission
  private var browser: Browser

  fileprivate init(_ browser: consuming Browser, _ response: FormSubmission) {
    self.browser = browser
    self.response = response
  }

  /// Hands it over and follows the service provider to its page.
  ///
  /// - Throws: `.refusedByServiceProvider` when that does not let the person in.
  consuming func respond() throws(LoginError) -> LoggedIn {
    browser.report(.responding(to: response.url.origin))
    guard case .page(let page) = try browser.open(response, at: .response),
      !browser.environment.isIdentityProvider(page.url)
    else { throw .unexpectedPage(.response) }
    return LoggedIn(
      url: page.url, status: page.status,
      cookies: CookieLine.lines(browser.exchange.cookies, for: page.url.host))
  }
}
