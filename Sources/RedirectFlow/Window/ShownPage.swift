internal import Primitives

/// A page that a program shows in a remote-controlled browser, without watching the person in it.
///
/// Its address goes through the browser's pipe, because any user of the machine can read the arguments of a process.
package struct ShownPage: ~Copyable {
  private var connection: DevToolsConnection

  /// - Parameter token: ends waiting for the browser.
  package init(in browser: any RemoteBrowser, until token: CancellationToken) {
    connection = DevToolsConnection(browser, token)
  }

  /// Loads an address in the first tab, and brings it to the front.
  package mutating func show(_ address: String) throws(LoginError) {
    try connection.setAutoAttach(true, pausing: false)
    while true {
      guard case .event(let event) = try connection.next(until: nil),
        event.name == "Target.attachedToTarget", let session = event.values["sessionId"]?.text
      else { continue }
      try connection.send("Page.navigate", [.init("url", address)], in: session)
      try connection.send("Page.bringToFront", in: session)
      break
    }
    let end = try connection.setAutoAttach(false, pausing: false)
    _ = try connection.result(of: end)
  }
}
