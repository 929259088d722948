internal import Primitives
/// The order of steps in one login, with the questions to the person between them. All of it on the blocking actor's
/// thread.
struct LoginSteps: Sendable {
  let configuration: LoginConfiguration
  let card: any CardAccess
  let app: (any AppAccess)?
  let person: any LoginParticipant
  let observer: (any LoginObserver)?
  let cancellation: LoginCancellation
  let report: @Sendable (LoginEvent) -> Void
  let cardExchange: any CardExchange
  let makeBrowser: @Sendable () throws(HTTPError) -> any PageExchange

  private var environment: LoginEnvironment { configuration.environment }

  /// Assisted: a link in, the completed URL out.
  func complete(
    _ link: String, on actor: isolated BlockingActor
  ) async throws(LoginError) -> RedirectURL {
    let handOff = try mapError(try HandOff(link, in: environment)) { LoginError(.handOff($0)) }
    report(.handOff)
    return try await complete(handOff, on: actor)
  }

  /// Headless: from the service provider's page to its session.
  func logIn(
    at page: RedirectURL, on actor: isolated BlockingActor
  ) async throws(LoginError) -> LoggedIn {
    let lastPage = LastPage()
    do throws(LoginError) { return try await logIn(at: page, lastPage, on: actor) } catch {
      if error.isAboutPages, let page = lastPage.page { observer?.examine(page) }
      throw error
    }
  }

  /// In the person's browser: from the service provider's page to the page after the completed URL, where the person
  /// continues.
  func logIn(
    at page: RedirectURL, in browser: any RemoteBrowser, on actor: isolated BlockingActor
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
    switch try resumed.resume(with: completed) {
    case .page(let page): return page
    case .answer(let answer):
      // The browser would post it before the person has seen any of it.
      let rules = ServiceRules(start: page.origin, configuration)
      try rules.checkDestination(of: answer.response, in: answer.submission)
      let receiver = answer.submission.url.origin
      _ = try await askForReceiver(rules.unannounced(receiver), on: actor)
      _ = try await ask(
        try answer.response.request(for: receiver, from: environment.identityProvider.origin),
        on: actor)
      return try resumed.release(answer)
    }
  }

  private func logIn(
    at page: RedirectURL, _ lastPage: LastPage, on actor: isolated BlockingActor
  ) async throws(LoginError) -> LoggedIn {
    let browser = Browser(
      try LoginError.at(.serviceProvider, makeBrowser), environment, configuration.policy,
      ServiceRules(start: page.origin, configuration), lastPage: lastPage, report: report)
    let waiting = try HeadlessLogin(browser).reachHandOff(from: page)
    let completed = try await complete(waiting.handOff, on: actor)
    try cancellation.check()
    switch try waiting.resume(with: completed) {
    case .asked(let login):
      let agreement = try await ask(login.request, on: actor)
      let answered = try login.accept()
      let receiver = try await askForReceiver(answered.unannouncedReceiver, on: actor)
      return try finish(answered, agreement, receiver)
    case .answered(let login):
      let receiver = try await askForReceiver(login.unannouncedReceiver, on: actor)
      guard login.response.status.isSuccess else { throw try login.refuse() }
      // Without its page the identity provider has not asked; the person is asked all the same.
      let agreement = try await ask(try login.request, on: actor)
      return try finish(login, agreement, receiver)
    }
  }

  /// The person's answer to a question; an error of the program's part that asks it ends the login.
  private func answer(
    isolation: isolated (any Actor)? = #isolation, _ question: () async throws -> Bool
  ) async throws(LoginError) -> Bool {
    let answer: Bool
    do { answer = try await question() } catch { throw LoginError(endedBy: error) }
    try cancellation.check()
    return answer
  }

  /// - Returns: the receiver to whom the person agrees, if there was such a question; else `nil`.
  /// - Throws: `.receiver` unless the person agrees.
  private func askForReceiver(
    _ question: UnannouncedReceiver?, on actor: isolated BlockingActor
  ) async throws(LoginError) -> RedirectURL.Origin? {
    guard let question else { return nil }
    let isAccepted = try await answer { try await person.accepts(question) }
    guard isAccepted else { throw question.refusal }
    return question.receiver
  }

  /// - Returns: the person's agreement.
  /// - Throws: `.consentDenied` unless the person agrees.
  private func ask(
    _ request: ConsentRequest, on actor: isolated BlockingActor
  ) async throws(LoginError) -> ReleaseAgreement {
    report(.consentAsked(attributes: request.attributes.count))
    let agreed = try await answer { try await person.consents(to: request) }
    report(.consentAnswered(agreed))
    guard agreed else { throw LoginError(.consentDenied) }
    return ReleaseAgreement(request)
  }

  private func finish(
    _ login: consuming AnsweredLogin, _ agreement: ReleaseAgreement, _ receiver: RedirectURL.Origin?
  ) throws(LoginError) -> LoggedIn {
    let session = try login.respond(agreement, accepting: receiver)
    report(.loggedIn(session.url.origin))
    return session
  }

  private func complete(
    _ handOff: HandOff, on actor: isolated BlockingActor
  ) async throws(LoginError) -> RedirectURL {
    switch handOff {
    case .card(let link):
      let server = environment.identityProvider.origin
      let presentation = LoginCard.CertificatePresentation(
        server: server, purpose: link.operationText)
      guard try await answer({ try await person.allows(presentation) }) else {
        throw LoginError(.cancelled)
      }
      report(.presentingCertificate(to: server))
      let url = try CardLogin(environment: environment, exchange: cardExchange, card: card)
        .complete(link)
      report(.cardAccepted)
      return url
    case .app, .hybrid:
      guard let app else { throw LoginError(.needsApp) }
      let url = try AppHandOffLogin(
        configuration: configuration, app: app, cancellation: cancellation
      ).complete(handOff)
      report(.appReturned)
      return url
    }
  }
}
