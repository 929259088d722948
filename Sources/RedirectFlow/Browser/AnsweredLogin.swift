/// A headless login with an answer for the service provider, which goes where it may go.
struct AnsweredLogin: ~Copyable {
  /// The answer, as far as whoever carries it can read it.
  let response: SAMLResponse
  private let submission: FormSubmission
  private var browser: Browser

  /// - Throws: `.response` when it cannot be read, `.receiver` when it goes to somebody else.
  init(
    _ browser: consuming Browser, _ submission: FormSubmission
  ) throws(LoginError) {
    let response = try Self.read(submission)
    try browser.rules.check(submission, response)
    self.browser = browser
    self.response = response
    self.submission = submission
  }

  private static func read(_ submission: FormSubmission) throws(LoginError) -> SAMLResponse {
    do { return try SAMLResponse(submission.method) } catch { throw .response(error) }
  }

  /// What the answer tells, where the identity provider did not ask; to exactly one receiver.
  ///
  /// - Throws: `.consentUnlisted` when only the receiver can read it.
  var request: ConsentRequest {
    get throws(LoginError) {
      guard !response.isEncrypted else {
        throw .consentUnlisted(browser.environment.identityProvider.origin)
      }
      return ConsentRequest(
        serviceProvider: submission.url.origin, alternatives: [],
        attributes: response.attributes.map {
          .init(label: $0.friendlyName ?? $0.name, value: $0.values.joined(separator: ", "))
        })
    }
  }

  /// Hands it over and follows the service provider to its page.
  ///
  /// - Throws: `.refusedByIdentityProvider` for a status other than success, `.refusedByServiceProvider` and
  ///   `.notLoggedIn` when the service provider does not let the person in.
  consuming func respond() throws(LoginError) -> LoggedIn {
    guard response.status.isSuccess else { throw refuse() }
    let page = try deliver()
    let session = LoggedIn(
      url: page.url, status: page.status,
      cookies: browser.exchange.cookies.compactMap { LoggedIn.Cookie(netscapeLine: $0) }
        .filter { $0.belongs(to: page.url.host) && !browser.setters.isIdentityProviders($0.name) },
      samlStatus: response.status, attributes: response.attributes)
    try browser.rules.check(session, page, isDirectAnswer: browser.isAnswerToForm)
    return session
  }

  /// Lets the service provider know that there is no login, as a browser would; what it says to that does not matter.
  ///
  /// - Returns: why there is none.
  consuming func refuse() -> LoginError {
    let status = response.status
    // An identity provider that refuses and tells of the person all the same is not helped with that.
    if !response.hasAssertion { _ = try? deliver() }
    return .refusedByIdentityProvider(status)
  }

  /// Posts it and goes where the service provider leads.
  private mutating func deliver() throws(LoginError) -> LoadedPage {
    browser.report(.responding(to: submission.url.origin))
    guard case .page(let page) = try browser.open(submission, at: .response),
      !browser.environment.isIdentityProvider(page.url)
    else { throw .unexpectedPage(.response) }
    return page
  }
}
