internal import Primitives

/// The tabs of a remote-controlled browser: each is watched from before it loads anything.
///
/// Domains, commands and events are those of the Chrome DevTools Protocol (`Target`, `Page`, `Fetch`), which a script of
/// ours speaks in Firefox.
struct BrowserTabs: ~Copyable {
  struct Tab {
    /// The session by which it is commanded.
    let session: String
    /// Its main frame; frames inside pages have no part in a login.
    let frame: String
    let opener: String?
    /// The page that it showed according to the last event; a request may be reported before it.
    var page: RedirectURL?
    /// The last request of the navigation in progress.
    var lastRequest: RedirectURL?
    /// The page of another tab that makes this tab go elsewhere, until it does.
    var asker: Asker?
  }

  /// A page that makes another tab go elsewhere.
  struct Asker {
    let page: RedirectURL?
  }

  /// A page on its way into the first tab.
  private struct Opening {
    let page: RedirectURL
    /// The number of the command; `nil` until there is a tab.
    var command: Int?
  }

  private var connection: DevToolsConnection
  private var tabs: [String: Tab] = [:]
  private var opening: Opening?

  init(_ connection: consuming DevToolsConnection) { self.connection = connection }

  /// Begins to watch, and has the first tab open a page.
  mutating func watch(from page: RedirectURL) throws(LoginError) {
    opening = Opening(page: page)
    try connection.setAutoAttach(true, pausing: true)
  }

  /// Ends watching: the browser continues as any other.
  ///
  /// Held requests must be released, because a request that is held when the session ends is lost.
  mutating func release() throws(LoginError) {
    for tab in tabs.values {
      _ = try connection.result(of: try send("Fetch.disable", to: tab))
    }
    _ = try connection.result(of: try connection.setAutoAttach(false, pausing: false))
  }

  @discardableResult mutating func send(
    _ name: String, _ parameters: [JSON.Member] = [], to tab: Tab
  ) throws(LoginError) -> Int {
    try connection.send(name, parameters, in: tab.session)
  }

  /// The body of a held response (`Fetch.getResponseBody`); `nil` without one.
  mutating func body(of request: String, in tab: Tab) throws(LoginError) -> JSONValue? {
    try connection.result(
      of: try send("Fetch.getResponseBody", [.init("requestId", request)], to: tab))
  }

  /// The page from which a tab makes the held request: its own or, if it has no page yet, its opener's.
  ///
  /// The browser is asked for the page, because a request may be reported before its page; by the tab's history,
  /// because a page itself does not answer while it is about to be left.
  mutating func origin(ofRequestIn tab: Tab) throws(LoginError) -> RedirectURL? {
    if let asker = tab.asker { return asker.page }
    if let page = try shown(in: tab) { return page }
    guard let opener = tab.opener.flatMap({ tabs[$0] }) else { return nil }
    return try shown(in: opener)
  }

  /// The page from which a tab opens an address for an app, which has a separate event.
  mutating func origin(ofAddressIn tab: Tab) throws(LoginError) -> RedirectURL? {
    if let asker = tab.asker { return asker.page }
    if let page = tab.page ?? tab.opener.flatMap({ tabs[$0]?.page }) { return page }
    return try origin(ofRequestIn: tab)
  }

  private mutating func shown(in tab: Tab) throws(LoginError) -> RedirectURL? {
    let history = try connection.result(of: try send("Page.getNavigationHistory", to: tab))
    guard case .array(let entries)? = history?["entries"],
      let index = history?["currentIndex"]?.integer, entries.indices.contains(index)
    else { return nil }
    return entries[index]["url"]?.text.flatMap { try? RedirectURL(asBrowsersRead: $0) }
  }

  subscript(session: String) -> Tab? {
    get { tabs[session] }
    set { tabs[session] = newValue }
  }

  /// The next event after `watch`.
  ///
  /// - Throws: as `next`, and `.http` when the first page cannot be opened.
  mutating func nextEvent() throws(LoginError) -> DevToolsEvent {
    while true {
      let (message, tab) = try next()
      if let tab, let page = opening?.page, opening?.command == nil {
        let command = try send("Page.navigate", [.init("url", page.text)], to: tab)
        opening?.command = command
      }
      switch message {
      case .answer(let command, let result):
        guard let opening, opening.command == command else { continue }
        try Self.check(result, opening.page, .serviceProvider)
      case .event(let event): return event
      }
    }
  }

  /// The next event in a tab, or answer.
  ///
  /// - Throws: `.cancelled` when the person has closed the last tab, `.browserFailed` when one has crashed.
  mutating func next() throws(LoginError) -> (DevToolsMessage, opened: Tab?) {
    while true {
      if let next = try next(until: nil) { return next }
    }
  }

  /// The next event or answer, unless the wait is over.
  ///
  /// - Returns: `nil` when it is.
  mutating func next(
    until isOver: CancellationToken?
  ) throws(LoginError) -> (DevToolsMessage, opened: Tab?)? {
    guard let message = try connection.next(until: isOver) else { return nil }
    guard case .event(let event) = message else { return (message, nil) }
    switch event.name {
    case "Target.attachedToTarget": return (message, try attach(event.values))
    case "Target.detachedFromTarget":
      if let session = event.values["sessionId"]?.text { tabs[session] = nil }
      guard !tabs.isEmpty else { throw LoginError(.cancelled) }
    case "Inspector.targetCrashed": throw LoginError(.browserFailed)
    case "Page.frameNavigated": follow(event)
    case "Page.frameRequestedNavigation": noteAsker(event)
    default: break
    }
    return (message, nil)
  }

  private mutating func attach(_ values: JSONValue) throws(LoginError) -> Tab? {
    guard let session = values["sessionId"]?.text,
      let target = values["targetInfo"], let frame = target["targetId"]?.text
    else { throw LoginError(.browserFailed) }
    let opener = target["openerId"]?.text
    let tab = Tab(
      session: session, frame: frame, opener: tabs.values.first { $0.frame == opener }?.session)
    tabs[session] = tab
    try send("Page.enable", to: tab)
    try send("Inspector.enable", to: tab)
    let patterns = ["Request", "Response"].map {
      JSON.object([.init("resourceType", "Document"), .init("requestStage", $0)])
    }
    try send("Fetch.enable", [.init("patterns", .array(patterns))], to: tab)
    try send("Runtime.runIfWaitingForDebugger", to: tab)
    return tab
  }

  /// Notes the page that makes a tab go elsewhere, because only the event of that page names it.
  private mutating func noteAsker(_ event: DevToolsEvent) {
    guard let session = event.session, let frame = event.values["frameId"]?.text,
      let target = tabs.values.first(where: { $0.frame == frame })?.session
    else { return }
    let asker = target == session ? nil : Asker(page: tabs[session]?.page)
    tabs[target]?.asker = asker
  }

  /// Notes the page that a tab shows from now on.
  private mutating func follow(_ event: DevToolsEvent) {
    guard let session = event.session, let frame = event.values["frame"],
      frame["id"]?.text == tabs[session]?.frame
    else { return }
    tabs[session]?.page = frame["url"]?.text.flatMap { try? RedirectURL(asBrowsersRead: $0) }
  }

  /// Checks whether a page was opened (`Page.navigate`), with the errors of a headless login.
  static func check(
    _ result: JSONValue?, _ url: RedirectURL, _ stage: LoginStage
  ) throws(LoginError) {
    guard let text = result?["errorText"]?.text, !text.isEmpty, text != "net::ERR_ABORTED" else {
      return
    }
    throw LoginError(.http(HTTPError(browserError: text, host: url.host), stage))
  }
}
