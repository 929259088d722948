internal import System

/// A login in the person's own browser, which is watched: the pages are the person's, the hand-off is taken.
///
/// What hands a login over, and from where, is judged as in a headless login: by the policy, the environment and the
/// page's own content.
struct WindowLogin: ~Copyable {
  private var tabs: BrowserTabs
  private let environment: LoginEnvironment
  private let policy: NavigationPolicy
  private let report: @Sendable (LoginEvent) -> Void
  /// Where the login was handed over: the completed URL goes to the same tab.
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
    try tabs.watch()
    var opening: Int?
    while true {
      let (message, opened) = try tabs.next()
      if let opened, opening == nil {
        opening = try tabs.send("Page.navigate", [("url", .text(page.text))], to: opened)
      }
      switch message {
      case .answer(let number, let result):
        if number == opening { try check(result, page, .serviceProvider) }
      case .event(let event):
        guard let link = try handOff(in: event) else { continue }
        session = event.session
        let handOff: HandOff
        do throws(HandOffProblem) { handOff = try HandOff(link, in: environment) } catch {
          throw .handOff(error)
        }
        report(.handOff)
        return handOff
      }
    }
  }

  /// Lets the person go on in the window while the card is asked. What would hand a login over goes nowhere meanwhile.
  ///
  /// - Throws: `.cancelled` when the person has closed the tab of the hand-off, or all of them.
  mutating func goOn(until isOver: CancellationToken) throws(LoginError) {
    while let (message, _) = try tabs.next(until: isOver) {
      guard let session, tabs[session] != nil else { throw .cancelled }
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

  /// Loads the completed URL in the tab of the hand-off and lets go of the browser.
  ///
  /// - Returns: the page that the tab then has.
  mutating func resume(with url: RedirectURL) throws(LoginError) -> RedirectURL {
    guard let session, let tab = tabs[session] else { throw .cancelled }
    let opening = try tabs.send("Page.navigate", [("url", .text(url.text))], to: tab)
    while true {
      switch try tabs.next().0 {
      case .answer(let number, let result):
        if number == opening { try check(result, url, .completion) }
      case .event(let event):
        guard event.name == "Fetch.requestPaused", let request = HeldRequest(event.values),
          let tab = event.session.flatMap({ tabs[$0] })
        else { continue }
        guard tab.session == session, request.frame == tab.frame else {
          try proceed(request, in: tab)
          continue
        }
        guard let page = try completion(request, in: tab) else { continue }
        try tabs.letGo()
        return page
      }
    }
  }

  /// The link with which something that happened hands the login over, if it does.
  private mutating func handOff(in event: DevToolsEvent) throws(LoginError) -> String? {
    guard let tab = event.session.flatMap({ tabs[$0] }) else { return nil }
    switch event.name {
    case "Page.frameRequestedNavigation", "Page.frameStartedNavigating":
      // What an app is to take is never asked for by HTTP. In a new tab, only the second event tells of it.
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
      guard let request = HeldRequest(event.values) else { throw .browserFailed }
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
      throw .navigation(.otherEnvironment(url.origin), .serviceProvider)
    }
    try proceed(request, in: tab)
    return nil
  }

  /// The page that makes a request: as the browser tells, else as its tabs show.
  private mutating func origin(
    of request: HeldRequest, in tab: BrowserTabs.Tab
  ) throws(LoginError) -> RedirectURL? {
    if let initiator = request.initiator { return try? RedirectURL(asBrowsersRead: initiator) }
    return request.isRedirect ? tab.lastRequest : try tabs.origin(ofRequestIn: tab)
  }

  /// The identity provider's page, as it came: what it would do by itself, and the link that it shows.
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
        guard case .noHandOff = error else { throw error }
        return nil
      }
    }
  }

  /// - Returns: the page once the completed URL has led to one.
  private mutating func completion(
    _ request: HeldRequest, in tab: BrowserTabs.Tab
  ) throws(LoginError) -> RedirectURL? {
    guard !policy.handsOver(request.address, in: environment) else {
      // The link, pressed while the card was asked.
      try abort(request, in: tab)
      return nil
    }
    let url = try RedirectURL(judging: request.address, at: .completion)
    guard environment.isIdentityProvider(url) else {
      throw .navigation(.leftEnvironment(url.origin), .completion)
    }
    let page = try identityProviderPage(request, in: tab, .completion)
    try proceed(request, in: tab)
    return page?.url
  }

  /// - Returns: `nil` for what is no page, such as a redirect, or not the identity provider's.
  /// - Throws: what a headless login throws for such a page.
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

  /// Only the identity provider's own page hands a login over.
  private func requireIdentityProvider(_ page: RedirectURL?) throws(LoginError) {
    guard let page else { throw .noHandOff }
    guard environment.isIdentityProvider(page) else { throw .handOffElsewhere(page.origin) }
  }

  /// Lets the browser go on. The identity provider is asked as by a phone: it offers the link to no other.
  private mutating func proceed(
    _ request: HeldRequest, in tab: BrowserTabs.Tab
  ) throws(LoginError) {
    let id = (name: "requestId", value: DevToolsValue.text(request.id))
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
      "Fetch.continueRequest", [id, ("headers", headers), ("interceptResponse", .flag(true))],
      to: tab)
  }

  private mutating func abort(
    _ request: HeldRequest, in tab: BrowserTabs.Tab
  ) throws(LoginError) {
    try tabs.send(
      "Fetch.failRequest",
      [("requestId", .text(request.id)), ("errorReason", .text("Aborted"))], to: tab)
  }

  /// Whether a page was opened (`Page.navigate`), in the words that a headless login has for it.
  private func check(
    _ result: JSONValue?, _ url: RedirectURL, _ stage: LoginStage
  ) throws(LoginError) {
    guard let text = result?["errorText"]?.text, !text.isEmpty, text != "net::ERR_ABORTED" else {
      return
    }
    throw .http(HTTPError(browserError: text, host: url.host), stage)
  }
}
