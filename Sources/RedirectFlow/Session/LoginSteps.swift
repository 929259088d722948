/// One login's order of things, with the person asked in between. All of it on the card actor's thread.
struct LoginSteps: Sendable {
  let configuration: LoginConfiguration
  let card: any CardAccess
  let app: (any AppAccess)?
  let person: any LoginParticipant
  let observer: (any LoginObserver)?
  let cancellation: LoginCancellation
  let report: @Sendable (LoginEvent) -> Void
  /// The card's calls.
  let cardExchange: any CardExchange
  /// Makes the pages' user agent.
  let makeBrowser: @Sendable () throws(HTTPError) -> any PageExchange

  private var environment: LoginEnvironment { configuration.environment }

  /// Assisted: a link in, the completed URL out.
  func complete(
    _ link: String, on actor: isolated CardActor
  ) async throws(LoginError) -> RedirectURL {
    let handOff: HandOff
    do throws(HandOffProblem) { handOff = try HandOff(link, in: environment) } catch {
      throw .handOff(error)
    }
    report(.handOff)
    return try await complete(handOff, on: actor)
  }

  /// Headless: from the service provider's page to its session.
  func logIn(
    at page: RedirectURL, on actor: isolated CardActor
  ) async throws(LoginError) -> LoggedIn {
    let lastPage = LastPage()
    do throws(LoginError) { return try await logIn(at: page, lastPage, on: actor) } catch {
      if error.isAboutPages, let page = lastPage.page { observer?.examine(page) }
      throw error
    }
  }

  /// In the person's browser: from the service provider's page to the page after the completed URL, where the person
  /// goes on.
  func logIn(
    at page: RedirectURL, in browser: any RemoteBrowser, on actor: isolated CardActor
  ) async throws(LoginError) -> RedirectURL {
    let tabs = BrowserTabs(DevToolsConnection(browser, cancellation.token))
    var login = WindowLogin(tabs, environment, configuration.policy, report: report)
    let handOff = try login.reachHandOff(from: page)
    let watch = WindowWatch(login) { [cancellation, card] error in
      cancellation.cancel(because: error)
      card.giveUp()
    }
    let completed: RedirectURL
    do throws(LoginError) { completed = try await complete(handOff, on: actor) } catch {
      watch.dismiss()
      throw error
    }
    var resumed = try watch.end()
    try cancellation.check()
    return try resumed.resume(with: completed)
  }

  private func logIn(
    at page: RedirectURL, _ lastPage: LastPage, on actor: isolated CardActor
  ) async throws(LoginError) -> LoggedIn {
    let browser = Browser(
      try LoginError.at(.serviceProvider, makeBrowser), environment, configuration.policy,
      configuration.rules(from: page), lastPage: lastPage, report: report)
    let waiting = try HeadlessLogin(browser).reachHandOff(from: page)
    let completed = try await complete(waiting.handOff, on: actor)
    try cancellation.check()
    switch try waiting.resume(with: completed) {
    case .asked(let login):
      try await ask(login.request, on: actor)
      return try finish(try login.accept())
    case .answered(let login):
      // Without its page the identity provider asks nobody; the person is asked all the same.
      if login.response.status.isSuccess { try await ask(try login.request, on: actor) }
      return try finish(login)
    }
  }

  /// - Throws: `.consentDenied` unless the person agrees.
  private func ask(
    _ request: ConsentRequest, on actor: isolated CardActor
  ) async throws(LoginError) {
    report(.consentAsked(attributes: request.attributes.count))
    let agreed: Bool
    do { agreed = try await person.consents(to: request) } catch { throw LoginError(host: error) }
    try cancellation.check()
    report(.consentAnswered(agreed))
    guard agreed else { throw .consentDenied }
  }

  private func finish(_ login: consuming AnsweredLogin) throws(LoginError) -> LoggedIn {
    let session = try login.respond()
    report(.loggedIn(session.url.origin))
    return session
  }

  private func complete(
    _ handOff: HandOff, on actor: isolated CardActor
  ) async throws(LoginError) -> RedirectURL {
    switch handOff {
    case .card(let link):
      let server = environment.identityProvider.origin
      let presentation = LoginCard.CertificatePresentation(
        server: server, purpose: link.operationText)
      let isAllowed: Bool
      do { isAllowed = try await person.allows(presentation) } catch {
        throw LoginError(host: error)
      }
      guard isAllowed else { throw .cancelled }
      try cancellation.check()
      report(.presentingCertificate(to: server))
      let url = try complete(link)
      report(.cardAccepted)
      return url
    case .app, .hybrid:
      guard let app else { throw .needsApp }
      let login = AppHandOffLogin(
        environment: environment, app: app, scheme: configuration.callbackScheme,
        timeout: configuration.appTimeout, words: configuration.returnWords,
        cancellation: cancellation)
      let url = try login.complete(handOff)
      report(.appReturned)
      return url
    }
  }

  private func complete(_ link: CardHandOff) throws(LoginError) -> RedirectURL {
    switch environment.method {
    case .clientCertificate:
      try ClientCertificateLogin(environment: environment, exchange: cardExchange, card: card)
        .complete(link)
    case .signedChallenge:
      try SignedChallengeLogin(environment: environment, exchange: cardExchange, card: card)
        .complete(link)
    }
  }
}
