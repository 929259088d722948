internal import Primitives
internal import Synchronization

/// A watch of the window while the card is busy, on its own thread: the person continues in it, and its end ends
/// the login.
final class WindowWatch: Sendable {
  /// The login, kept while it is watched.
  private let login: Mutex<WindowLogin?>
  private let error = Mutex<LoginError?>(nil)
  private let isOver = CancellationToken()

  /// - Parameter whenGone: called once, on the thread, when the window is gone while it is watched.
  init(_ login: consuming WindowLogin, whenGone: @escaping @Sendable (LoginError) -> Void) {
    self.login = Mutex(login)
    DetachedThread.start { self.watch(whenGone) }
  }

  /// - Returns: the login in the window, to continue with.
  /// - Throws: the reason why the window is gone.
  func end() throws(LoginError) -> WindowLogin {
    isOver.cancel()
    let login = self.login.withLock { $0.take() }
    guard let login else { throw error.withLock { $0 } ?? LoginError(.used) }
    return login
  }

  /// Ends watching a window in which the login does not continue.
  func dismiss() { isOver.cancel() }

  private func watch(_ whenGone: (LoginError) -> Void) {
    login.withLock { login in
      do throws(LoginError) { try login?.resume(until: isOver) } catch {
        login = nil
        self.error.withLock { $0 = error }
      }
    }
    if let error = error.withLock({ $0 }) { whenGone(error) }
  }
}

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
