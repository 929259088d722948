internal import Synchronization

/// The user agent of a headless login: one jar of cookies, and a check at every hop.
///
/// It loads pages and follows redirects and the forms that carry SAML messages. It never follows a link, presses a
/// button or leaves the places where a login belongs by itself.
struct Browser: ~Copyable {
  let exchange: any PageExchange
  let environment: LoginEnvironment
  let policy: NavigationPolicy
  let rules: ServiceRules
  let report: @Sendable (LoginEvent) -> Void
  /// The last page read, to explain later why the login ended there.
  let lastPage: LastPage
  /// The record of which side set which cookies.
  private(set) var setters = CookieSetters()
  /// True if the page loaded last is the direct answer to a form, not one navigated to afterwards.
  private(set) var isAnswerToForm = false
  private var forms = 0

  /// The number of redirects in a row that are followed: the chain of one request.
  static let redirectLimit = 10
  /// The number of forms sent without a press of a button, in a whole login; gateways on either side need some.
  static let formLimit = 10

  init(
    _ exchange: any PageExchange, _ environment: LoginEnvironment, _ policy: NavigationPolicy,
    _ rules: ServiceRules, lastPage: LastPage = LastPage(),
    report: @escaping @Sendable (LoginEvent) -> Void
  ) {
    self.exchange = exchange
    self.environment = environment
    self.policy = policy
    self.rules = rules
    self.lastPage = lastPage
    self.report = report
  }

  indirect enum Arrival {
    /// At a page that waits for the person.
    case page(LoadedPage)
    /// At a URL that hands the login over; it was not loaded.
    case handOff(String)
    /// At a form that hands a SAML response to the service provider; it was not posted.
    case response(FormSubmission)
  }

  /// Makes a request and follows its redirects and forms.
  mutating func open(
    _ submission: FormSubmission, at stage: LoginStage
  ) throws(LoginError) -> Arrival {
    var next = submission
    var stage = stage
    var redirects = 0
    while true {
      try check(next, &stage)
      let response = try LoginError.at(stage) { () throws(HTTPError) in
        // Once the response is handed over, the header alone decides that the login is finished.
        var request = next.request
        request.takesPart = stage == .response
        return try exchange.send(request)
      }
      setters.note(response, isIdentityProvider: environment.isIdentityProvider(next.url))
      if let redirect = next.request.redirected(by: response) {
        if try isHandOff(redirect.url, from: next.url, at: stage) { return .handOff(redirect.url) }
        redirects += 1
        guard redirects <= Self.redirectLimit else {
          throw LoginError(.navigation(.tooManyHops, stage))
        }
        let url = try RedirectURL(judging: redirect.url, at: stage)
        let referrer = next.referrer?.redirected(
          from: next.url, to: url, response.header("referrer-policy"))
        next = FormSubmission(url, redirect.method, from: referrer)
        continue
      }
      let page = try read(response, at: next.url, stage)
      if case .post = next.method { isAnswerToForm = true } else { isAnswerToForm = false }
      switch (try page.message(at: stage), stage) {
      case (nil, _): return .page(page)
      case (.refresh(let target), _):
        if try isHandOff(target, from: next.url, at: stage) { return .handOff(target) }
        do throws(LoginError) {
          next = FormSubmission(try RedirectURL(judging: target, at: stage), from: page.referrer)
        } catch {
          // The service provider has answered; a later step of its page that is not followed does not undo that.
          guard stage == .response else { throw error }
          return .page(page)
        }
      case (.request(let submission), .serviceProvider),
        (.response(let submission), .response),
        (.other(let submission), .serviceProvider),
        (.other(let submission), .identityProvider),
        (.other(let submission), .response):
        if try isHandOff(submission.url.text, from: next.url, at: stage) {
          return .handOff(submission.url.text)
        }
        if stage == .response { try submission.refuseBadStatus() }
        next = submission
      case (.response(let submission), .identityProvider),
        (.response(let submission), .completion), (.response(let submission), .consent):
        return .response(submission)
      // A consent page waits for the person, wherever a script would send it.
      case (.other, .completion): return .page(page)
      case (.request, _), (.response, .serviceProvider), (.response, .cardCall),
        (.other, .cardCall), (.other, .consent):
        throw LoginError(.unexpectedPage(stage))
      }
      forms += 1
      guard forms <= Self.formLimit else { throw LoginError(.navigation(.tooManyHops, stage)) }
      redirects = 0
    }
  }

  /// Checks whether a URL ends the browsing. Once the response is on its way, no URL does.
  ///
  /// Only the identity provider's own page, in the session that was begun here, hands a login over: a link from
  /// anywhere else belongs to another person's login.
  ///
  /// - Throws: `.handOffElsewhere`.
  func isHandOff(
    _ text: String, from page: RedirectURL, at stage: LoginStage
  ) throws(LoginError) -> Bool {
    switch stage {
    case .identityProvider: return policy.handsOver(text, in: environment)
    case .serviceProvider:
      guard !policy.handsOver(text, in: environment) else {
        throw LoginError(.handOffElsewhere(page.origin))
      }
      return false
    case .cardCall, .completion, .consent, .response: return false
    }
  }

  /// `https` everywhere; from the identity provider on only its own hosts, until there is a response to hand over.
  private mutating func check(
    _ next: FormSubmission, _ stage: inout LoginStage
  ) throws(LoginError) {
    guard next.url.scheme == .https else { throw LoginError(.navigation(.notHTTPS, stage)) }
    let isOurs = environment.isIdentityProvider(next.url)
    switch stage {
    case .serviceProvider:
      if isOurs {
        stage = .identityProvider
        report(.reachedIdentityProvider(next.url.origin))
      }
      fallthrough
    case .response:
      guard !environment.isAnotherIdentityProvider(next.url) else {
        throw LoginError(.navigation(.otherEnvironment(next.url.origin), stage))
      }
    case .identityProvider, .cardCall, .completion, .consent:
      guard isOurs else { throw LoginError(.navigation(.leftEnvironment(next.url.origin), stage)) }
    }
  }

  /// The page in a response, unless it is no page or an error page.
  private func read(
    _ response: HTTPResponse, at url: RedirectURL, _ stage: LoginStage
  ) throws(LoginError) -> LoadedPage {
    lastPage.set(url, response.body)
    return try LoadedPage(judging: response, at: url, stage, in: environment)
  }
}

/// Keeps the page that was loaded last.
final class LastPage: Sendable {
  private let state = Mutex<EndPage?>(nil)

  var page: EndPage? { state.withLock { $0 } }

  func set(_ url: RedirectURL, _ body: [UInt8]) {
    state.withLock { $0 = EndPage(url: url, body: body) }
  }
}
