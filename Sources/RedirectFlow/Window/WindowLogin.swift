internal import Primitives

/// A login in the person's own browser, which is watched: the pages are the person's, the hand-off is taken.
///
/// The hand-off and its page are judged as in a headless login: by the policy, the environment and the page's own
/// content.
struct WindowLogin: ~Copyable {
  private var tabs: BrowserTabs
  private let environment: LoginEnvironment
  private let policy: NavigationPolicy
  private let report: @Sendable (LoginEvent) -> Void
  /// The session of the tab with the hand-off: the completed URL goes there.
  private var session: String?
  private var hasReachedIdentityProvider = false

  init(
    _ tabs: consuming BrowserTabs, _ environment: LoginEnvironment, _ policy: NavigationPolicy,
    report: @escaping @Sendable (LoginEvent) -> Void
  ) {
    self.tabs = tabs
    self.environment = environment
    self.policy = policy
    self.report = report
  }

  /// Opens the service provider's page and watches the person until a page hands the login over.
  mutating func reachHandOff(from page: RedirectURL) throws(LoginError) -> HandOff {
    report(.opening(page.origin))
    try tabs.watch(from: page)
    while true {
      let event = try tabs.nextEvent()
      guard let link = try handOff(in: event) else { continue }
      session = event.session
      let handOff = try mapError(try HandOff(link, in: environment)) { LoginError(.handOff($0)) }
      report(.handOff)
      return handOff
    }
  }

  /// Lets the person continue in the window while the card is busy. Hand-offs are blocked meanwhile.
  ///
  /// - Throws: `.cancelled` when the person has closed the tab of the hand-off, or all of them.
  mutating func resume(until isOver: CancellationToken) throws(LoginError) {
    while let (message, _) = try tabs.next(until: isOver) {
      guard let session, tabs[session] != nil else { throw LoginError(.cancelled) }
      guard case .event(let event) = message, event.name == "Fetch.requestPaused",
        let request = HeldRequest(event.values), let tab = event.session.flatMap({ tabs[$0] })
      else { continue }
      if request.frame == tab.frame, policy.handsOver(request.address, in: environment) {
        try abort(request, in: tab)
      } else {
        try proceed(request, in: tab)
      }
    }
  }

  indirect enum Arrival {
    /// A page for the person; the browser is released.
    case page(RedirectURL)
    /// An answer for the service provider, without a question to the person: the page that would send it by itself is
    /// held.
    case answer(HeldAnswer)
  }

  /// A page with an answer that the browser does not have yet.
  struct HeldAnswer {
    let page: RedirectURL
    let submission: FormSubmission
    let response: SAMLResponse
    fileprivate let request: HeldRequest
  }

  /// Loads the completed URL in the tab of the hand-off.
  mutating func resume(with url: RedirectURL) throws(LoginError) -> Arrival {
    guard let session, let tab = tabs[session] else { throw LoginError(.cancelled) }
    let opening = try tabs.send("Page.navigate", [.init("url", url.text)], to: tab)
    while true {
      switch try tabs.next().0 {
      case .answer(let number, let result):
        if number == opening { try BrowserTabs.check(result, url, .completion) }
      case .event(let event):
        guard event.name == "Fetch.requestPaused", let request = HeldRequest(event.values),
          let tab = event.session.flatMap({ tabs[$0] })
        else { continue }
        guard tab.session == session, request.frame == tab.frame else {
          try proceed(request, in: tab)
          continue
        }
        guard let page = try completion(request, in: tab) else { continue }
        if let answer = try Self.answer(on: page, request) { return .answer(answer) }
        try proceed(request, in: tab)
        try tabs.release()
        return .page(page.url)
      }
    }
  }

  /// Lets the browser have the answer, which its page sends, and releases the browser.
  mutating func release(_ answer: HeldAnswer) throws(LoginError) -> RedirectURL {
    guard let session, let tab = tabs[session] else { throw LoginError(.cancelled) }
    try proceed(answer.request, in: tab)
    try tabs.release()
    return answer.page
  }

  /// - Returns: `nil` for a page without an answer, and for an answer without personal data.
  private static func answer(
    on page: LoadedPage, _ request: HeldRequest
  ) throws(LoginError) -> HeldAnswer? {
    guard case .response(let submission)? = try page.message(at: .completion) else { return nil }
    let response = try mapError(try SAMLResponse(submission.method)) { LoginError(.handOff($0)) }
    guard response.hasAssertion else { return nil }
    return HeldAnswer(
      page: page.url, submission: submission, response: response, request: request)
  }

  /// The link in an event that hands the login over, if any.
  private mutating func handOff(in event: DevToolsEvent) throws(LoginError) -> String? {
    guard let tab = event.session.flatMap({ tabs[$0] }) else { return nil }
    switch event.name {
    case "Page.frameRequestedNavigation", "Page.frameStartedNavigating":
      // App links cause no HTTP request; in a new tab only the second event has the URL.
      guard let link = event.values["url"]?.text, event.values["frameId"]?.text == tab.frame,
        ASCII.lowercased(link.utf8.prefix(6)) == "cieid:"
      else { return nil }
      let page: RedirectURL?
      if let initiator = event.values["initiator"]?.text {
        page = try? RedirectURL(asBrowsersRead: initiator)
      } else {
        page = try tabs.origin(ofAddressIn: tab)
      }
      try requireIdentityProvider(page)
      return link
    case "Fetch.requestPaused":
      guard let request = HeldRequest(event.values) else { throw LoginError(.browserFailed) }
      guard request.frame == tab.frame else {
        try proceed(request, in: tab)
        return nil
      }
      return request.status == nil && !request.hasFailed
        ? try handOff(asking: request, in: tab) : try handOff(answering: request, in: tab)
    default: return nil
    }
  }

  /// A request for a page: one that hands the login over is never sent.
  private mutating func handOff(
    asking request: HeldRequest, in tab: BrowserTabs.Tab
  ) throws(LoginError) -> String? {
    if policy.handsOver(request.address, in: environment) {
      let page = try origin(of: request, in: tab)
      try abort(request, in: tab)
      try requireIdentityProvider(page)
      return request.address
    }
    let url = try? RedirectURL(asBrowsersRead: request.address)
    tabs[tab.session]?.lastRequest = url
    tabs[tab.session]?.asker = nil
    if let url, environment.isAnotherIdentityProvider(url) {
      throw LoginError(.navigation(.otherEnvironment(url.origin), .serviceProvider))
    }
    try proceed(request, in: tab)
    return nil
  }

  /// The page that makes a request: as the browser reports, else as its tabs show.
  private mutating func origin(
    of request: HeldRequest, in tab: BrowserTabs.Tab
  ) throws(LoginError) -> RedirectURL? {
    if let initiator = request.initiator { return try? RedirectURL(asBrowsersRead: initiator) }
    return request.isRedirect ? tab.lastRequest : try tabs.origin(ofRequestIn: tab)
  }

  /// The identity provider's page, unchanged: its automatic form or refresh, and its link.
  private mutating func handOff(
    answering request: HeldRequest, in tab: BrowserTabs.Tab
  ) throws(LoginError) -> String? {
    guard let page = try identityProviderPage(request, in: tab, .identityProvider) else {
      try proceed(request, in: tab)
      return nil
    }
    try proceed(request, in: tab)
    switch try page.message(at: .identityProvider) {
    case .refresh(let target): return policy.handsOver(target, in: environment) ? target : nil
    case .request, .response, .other: return nil
    case nil:
      do throws(LoginError) { return try page.handOff(policy, in: environment) } catch {
        // The person may still have to choose.
        guard case .noHandOff = error.cause else { throw error }
        return nil
      }
    }
  }

  /// - Returns: the page once the completed URL has led to one; it is held still.
  private mutating func completion(
    _ request: HeldRequest, in tab: BrowserTabs.Tab
  ) throws(LoginError) -> LoadedPage? {
    guard !policy.handsOver(request.address, in: environment) else {
      // The link, pressed while the card is busy.
      try abort(request, in: tab)
      return nil
    }
    let url = try RedirectURL(judging: request.address, at: .completion)
    guard environment.isIdentityProvider(url) else {
      throw LoginError(.navigation(.leftEnvironment(url.origin), .completion))
    }
    if let page = try identityProviderPage(request, in: tab, .completion) { return page }
    try proceed(request, in: tab)
    return nil
  }

  /// - Returns: `nil` for anything but a page, such as a redirect, or a page of another server.
  /// - Throws: the errors of a headless login for such a page.
  private mutating func identityProviderPage(
    _ request: HeldRequest, in tab: BrowserTabs.Tab, _ stage: LoginStage
  ) throws(LoginError) -> LoadedPage? {
    guard let status = request.status, !(300..<400).contains(status),
      let url = try? RedirectURL(asBrowsersRead: request.address), url.scheme == .https,
      environment.isIdentityProvider(url)
    else { return nil }
    let body = try tabs.body(of: request.id, in: tab)
    guard let response = request.response(body) else { return nil }
    return try LoadedPage(judging: response, at: url, stage, in: environment)
  }

  /// Throws unless it is the identity provider's own page, which alone may hand a login over.
  private func requireIdentityProvider(_ page: RedirectURL?) throws(LoginError) {
    guard let page else { throw LoginError(.noHandOff) }
    guard environment.isIdentityProvider(page) else {
      throw LoginError(.handOffElsewhere(page.origin))
    }
  }

  /// Lets the browser continue. Requests to the identity provider look like a phone's, because it offers the link to no
  /// other user agent.
  private mutating func proceed(
    _ request: HeldRequest, in tab: BrowserTabs.Tab
  ) throws(LoginError) {
    let id = JSON.Member("requestId", request.id)
    guard request.status == nil, !request.hasFailed,
      let url = try? RedirectURL(asBrowsersRead: request.address),
      environment.isIdentityProvider(url)
    else {
      try tabs.send("Fetch.continueRequest", [id], to: tab)
      return
    }
    if !hasReachedIdentityProvider { report(.reachedIdentityProvider(url.origin)) }
    hasReachedIdentityProvider = true
    let headers = request.headers(asFrom: LoginConfiguration.userAgent)
    try tabs.send(
      "Fetch.continueRequest", [id, .init("headers", headers), .init("interceptResponse", true)],
      to: tab)
  }

  private mutating func abort(
    _ request: HeldRequest, in tab: BrowserTabs.Tab
  ) throws(LoginError) {
    try tabs.send(
      "Fetch.failRequest",
      [.init("requestId", request.id), .init("errorReason", "Aborted")], to: tab)
  }
}
