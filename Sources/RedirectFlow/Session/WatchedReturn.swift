internal import Primitives

/// A sign-in in the person's own browser, which is watched: the pages are the person's, and the browser's last address
/// is taken, as by the login kits' views.
package struct WatchedReturn: Sendable {
  package struct End: Sendable {
    /// The address, as the browser writes it.
    package let address: String
    /// The content at the address, if it is data (JSON) and no page.
    package let body: [UInt8]?
  }

  private let browser: any RemoteBrowser
  private let isEnd: @Sendable (String) -> Bool
  private let takesData: @Sendable (RedirectURL) -> Bool
  private let token = CancellationToken()

  /// - Parameters:
  ///   - isEnd: checks whether the sign-in ends at an address; that is then never requested.
  ///   - takesData: `true` if it ends with data that a server sends.
  package init(
    in browser: any RemoteBrowser, isEnd: @escaping @Sendable (String) -> Bool,
    takesData: @escaping @Sendable (RedirectURL) -> Bool
  ) {
    self.browser = browser
    self.isEnd = isEnd
    self.takesData = takesData
  }

  package func cancel() { token.cancel() }

  package var isCancelled: Bool { token.isCancelled }

  /// Opens a page, and watches from then on, on its own thread.
  ///
  /// - Throws: `.cancelled` when the person has closed the browser, `.browserFailed` when it has crashed.
  package func end(from page: RedirectURL) async throws(LoginError) -> End {
    try await BlockingActor().run { () throws(LoginError) in
      var tabs = BrowserTabs(DevToolsConnection(browser, token))
      return try watch(&tabs, from: page)
    }
  }

  private func watch(
    _ tabs: inout BrowserTabs, from page: RedirectURL
  ) throws(LoginError) -> End {
    try tabs.watch(from: page)
    while true {
      let event = try tabs.nextEvent()
      guard let tab = event.session.flatMap({ tabs[$0] }) else { continue }
      if let end = try end(in: event, tab, &tabs) { return end }
    }
  }

  private func end(
    in event: DevToolsEvent, _ tab: BrowserTabs.Tab, _ tabs: inout BrowserTabs
  ) throws(LoginError) -> End? {
    switch event.name {
    case "Page.frameRequestedNavigation", "Page.frameStartedNavigating":
      // App links cause no HTTP request; in a new tab only the second event has the URL.
      guard let address = event.values["url"]?.text, event.values["frameId"]?.text == tab.frame,
        isEnd(address)
      else { return nil }
      return End(address: address, body: nil)
    case "Fetch.requestPaused":
      guard let request = HeldRequest(event.values) else { throw LoginError(.browserFailed) }
      let id = JSON.Member("requestId", request.id)
      if request.frame == tab.frame {
        if request.status == nil, !request.hasFailed, isEnd(request.address) {
          try tabs.send("Fetch.failRequest", [id, .init("errorReason", "Aborted")], to: tab)
          return End(address: request.address, body: nil)
        }
        if let body = try data(of: request, tab, &tabs) {
          return End(address: request.address, body: body)
        }
      }
      try tabs.send("Fetch.continueRequest", [id], to: tab)
      return nil
    default: return nil
    }
  }

  private func data(
    of request: HeldRequest, _ tab: BrowserTabs.Tab, _ tabs: inout BrowserTabs
  ) throws(LoginError) -> [UInt8]? {
    guard let status = request.status, (200..<300).contains(status),
      let url = try? RedirectURL(asBrowsersRead: request.address), takesData(url),
      let type = request.responseHeaders.first(where: { $0.name == "content-type" })?.value,
      ASCII.lowercased(type.utf8.prefix { $0 != UInt8(ascii: ";") }) == "application/json"
    else { return nil }
    return request.response(try tabs.body(of: request.id, in: tab))?.body
  }
}
