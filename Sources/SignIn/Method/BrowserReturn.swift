internal import Primitives
internal import Synchronization

/// Return of the person's browser: a loopback listener for one redirect, or an address that the person or a watched
/// browser submits.
package struct BrowserReturn: Sendable {
  struct Answer: Sendable {
    /// Query parameters, no name twice.
    let items: [QueryItem]
    /// Address at the service, if it was submitted.
    let address: RedirectURL?
    /// Body of the service's page at that address, if a watched browser has read it.
    let body: [UInt8]?

    subscript(name: String) -> String? { items.first { $0.name == name }?.value }
  }

  /// Serves the first page of a login, and receives redirects to this machine.
  let listener: ReturnListener
  let end: UTCTime
  /// Redirect URI or servers at which the browser ends.
  let place: ReturnPlace
  /// True if the service's last page may have the person's data.
  private let takesData: Bool
  private let state: String
  private let patience: Duration
  private let brought = Brought()

  /// Opens it; ending the sign-in closes it.
  ///
  /// - Parameters:
  ///   - state: binds a response to this sign-in (RFC 6749 §10.12). A service whose flow ends at its own server has no
  ///     `state`.
  ///   - takesData: whether the service's last page may have the data themselves.
  /// - Throws: `.listener`.
  init(
    _ context: SignInContext, at place: ReturnPlace, state: String, takesData: Bool = false
  ) throws(SignInError) {
    let (path, port): (String?, UInt16?) =
      if case .loopback(let path, let port) = place { (path, port) } else { (nil, nil) }
    let isElsewhere = path == nil
    listener = try mapError(
      try ReturnListener(
        context.returnWords, path: path, port: port,
        answer: { !isElsewhere && Self.has(state, in: $0) })
    ) { (_: HandOffError) in SignInError(.listener) }
    self.place = place
    self.state = state
    self.takesData = takesData
    end = context.endOfPatience
    patience = context.patience
    context.onCancel { [listener] in listener.cancel() }
  }

  /// Compares in constant time, so that repeated guesses learn nothing.
  private static func has(_ state: String, in items: [QueryItem]) -> Bool {
    items.contains {
      $0.name == "state" && ConstantTime.equal([UInt8]($0.value.utf8), [UInt8](state.utf8))
    }
  }

  /// Redirect URI for the provider; `nil` if the service has a fixed one.
  var address: String? {
    switch place {
    case .loopback: listener.address.text
    case .registered(let text): text
    case .hosts: nil
    }
  }

  /// Parameters with redirect URI and secret, for a service that lets its clients receive the redirect.
  var parameters: [QueryItem] {
    address.map { [QueryItem("returnUrl", $0), QueryItem("state", state)] } ?? []
  }

  /// True if no redirect reaches this machine, so that the address must be submitted.
  var awaitsAddress: Bool {
    if case .loopback = place { false } else { true }
  }

  package func takes(_ address: String) -> Bool { items(of: address) != nil }

  /// True if the page at an address may have the person's data.
  package func takesData(at url: RedirectURL) -> Bool {
    takesData && url.scheme == .https && place.origins.contains(url.origin)
  }

  private func items(of address: String) -> [QueryItem]? {
    guard let items = place.items(of: address) else { return nil }
    if case .registered = place, !Self.has(state, in: items) { return nil }
    return items
  }

  /// Submits the address at which a browser has ended to the waiting thread. The first one counts.
  ///
  /// - Parameter body: data that the service's page shows there; then the address needs no parameters.
  /// - Throws: `.returnAddress` for another address.
  package func bring(_ address: String, showing body: [UInt8]? = nil) throws(SignInError) {
    let items = items(of: address)
    let url = try? RedirectURL(asBrowsersRead: address)
    guard items != nil || body != nil && url.map(takesData(at:)) == true else {
      throw SignInError(.returnAddress)
    }
    brought.put(Answer(items: items ?? [], address: url, body: body))
    listener.cancel()
  }

  /// Blocks until the browser comes back, or its address is brought.
  ///
  /// - Parameter page: served once before the redirect.
  /// - Throws: `.timedOut`, `.cancelled`; `.expired` for a second wait.
  func answer(serving page: FormPage? = nil) throws(SignInError) -> Answer {
    do throws(HandOffError) {
      return Answer(
        items: try listener.answer(timeout: patience, serving: page), address: nil, body: nil)
    } catch {
      if error == .listener(.cancelled), let answer = brought.take() { return answer }
      switch error {
      case .listener(.cancelled): throw SignInError(.cancelled)
      case .listener(.timedOut): throw SignInError(.timedOut)
      case .listener(.ended): throw SignInError(.expired)
      case .listener, .link, .code, .appReturn, .response: throw SignInError(.listener)
      }
    }
  }
}

extension BrowserReturn: Redacted {
  package var description: String { "where a browser comes back to" }
}

extension BrowserReturn.Answer: Redacted {
  var description: String { "answer " + items.map(\.name).joined(separator: ", ") }
}

/// Hand-over of an answer from the submitting thread to the waiting one.
private final class Brought: Sendable {
  private let answer = Mutex<BrowserReturn.Answer?>(nil)

  func put(_ new: BrowserReturn.Answer) { answer.withLock { if $0 == nil { $0 = new } } }

  func take() -> BrowserReturn.Answer? { answer.withLock { $0.take() } }
}
