internal import Primitives

/// A headless login with an answer for the service provider, delivered only to an allowed receiver and as agreed.
struct AnsweredLogin: ~Copyable {
  /// The answer, as far as its carrier can read it.
  let response: SAMLResponse
  private let submission: FormSubmission
  private var browser: Browser

  /// - Throws: `.response` when it cannot be read, `.receiver` when it was made for another receiver than it goes to.
  init(
    _ browser: consuming Browser, _ submission: FormSubmission
  ) throws(LoginError) {
    let response = try mapError(try SAMLResponse(submission.method)) { LoginError(.handOff($0)) }
    try browser.rules.checkDestination(of: response, in: submission)
    self.browser = browser
    self.response = response
    self.submission = submission
  }

  /// The contents of the answer, when the identity provider did not ask; for exactly one receiver.
  ///
  /// - Throws: `.consentUnlisted` when only the receiver can read it.
  var request: ConsentRequest {
    get throws(LoginError) {
      try response.request(
        for: submission.url.origin, from: browser.environment.identityProvider.origin)
    }
  }

  /// The question to the person when the answer goes to an unannounced receiver.
  var unannouncedReceiver: UnannouncedReceiver? {
    browser.rules.unannounced(submission.url.origin)
  }

  /// Hands it over and follows the service provider to its page.
  ///
  /// - Parameter receiver: a further receiver, beyond the announced ones, to which the person agreed.
  /// - Throws: `.refusedByIdentityProvider` for a status other than success, `.receiver` when it goes elsewhere,
  ///   `.moreThanAgreed`, `.refusedByServiceProvider` and `.notLoggedIn` when the service provider does not let the
  ///   person in.
  consuming func respond(
    _ agreement: ReleaseAgreement, accepting receiver: RedirectURL.Origin? = nil
  ) throws(LoginError) -> LoggedIn {
    if let other = unannouncedReceiver, other.receiver != receiver { throw other.refusal }
    guard response.status.isSuccess else { throw try refuse() }
    try agreement.check(response)
    if response.isEncrypted { browser.report(.answerSealed(for: submission.url.origin)) }
    let page = try deliver()
    let session = LoggedIn(
      url: page.url, status: page.status,
      cookies: browser.exchange.cookies.compactMap { LoggedIn.Cookie(netscapeLine: $0) }
        .filter { $0.belongs(to: page.url.host) && !browser.setters.isIdentityProviders($0.name) },
      samlStatus: response.status, attributes: response.attributes)
    try browser.rules.check(session, page, isDirectAnswer: browser.isAnswerToForm)
    return session
  }

  /// Lets the service provider know that there is no login, as a browser would; its reply does not matter.
  ///
  /// - Returns: the reason for the refusal.
  /// - Throws: `.receiver` when it goes elsewhere.
  consuming func refuse() throws(LoginError) -> LoginError {
    if let other = unannouncedReceiver { throw other.refusal }
    let status = response.status
    // A refusal that carries personal data all the same is not delivered.
    if !response.hasAssertion { _ = try? deliver() }
    return LoginError(.refusedByIdentityProvider(status))
  }

  private mutating func deliver() throws(LoginError) -> LoadedPage {
    browser.report(.responding(to: submission.url.origin))
    guard case .page(let page) = try browser.open(submission, at: .response),
      !browser.environment.isIdentityProvider(page.url)
    else { throw LoginError(.unexpectedPage(.response)) }
    return page
  }
}
