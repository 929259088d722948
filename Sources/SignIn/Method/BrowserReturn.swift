package import CIECard
package import RedirectFlow
internal import Synchronization

/// Where a person's browser comes back to: a door on this machine that opens once, for who comes by itself, or whose
/// address is brought here by the person, or by a browser that is watched.
package struct BrowserReturn: Sendable {
  /// What a browser came back with.
  package struct Answer: Sendable {
    /// The parameters, no name twice.
    package let items: [QueryItem]
    /// The service's own address, where it was brought.
    package let address: RedirectURL?
    /// What the service shows there, where a watched browser has seen it.
    package let body: [UInt8]?

    /// The value of a parameter.
    package subscript(name: String) -> String? { items.first { $0.name == name }?.value }
  }

  /// Serves the page with which a login begins, and takes who comes back to this machine.
  package let listener: ReturnListener
  /// When it closes.
  package let end: UTCTime
  /// Where the browser ends.
  package let place: ReturnPlace
  /// Whether the data may be shown there.
  private let takesData: Bool
  private let state: String
  private let patience: Duration
  private let brought = Brought()

  /// Opens it; it closes when the sign-in is ended.
  ///
  /// - Parameters:
  ///   - state: what proves an answer to be the one to this sign-in (RFC 6749 §10.12). A service that ends at its own
  ///     server knows no such thing.
  ///   - takesData: whether the service's last page may be the data themselves.
  /// - Throws: `.listener`.
  package init(
    _ context: SignInContext, at place: ReturnPlace, state: String, takesData: Bool = false
  ) throws(SignInError) {
    let (path, port): (String?, UInt16?) =
      if case .loopback(let path, let port) = place { (path, port) } else { (nil, nil) }
    let isElsewhere = path == nil
    do throws(ReturnListenerError) {
      listener = try ReturnListener(
        ReturnPage(context.returnWords), path: path, port: port,
        answer: { !isElsewhere && Self.has(state, in: $0) })
    } catch { throw SignInError(.listener) }
    self.place = place
    self.state = state
    self.takesData = takesData
    end = context.endOfPatience
    patience = context.patience
    context.onCancel { [listener] in listener.cancel() }
  }

  /// In constant time: whoever tries many of them learns nothing.
  private static func has(_ state: String, in items: [QueryItem]) -> Bool {
    items.contains {
      $0.name == "state" && ConstantTime.equal([UInt8]($0.value.utf8), [UInt8](state.utf8))
    }
  }

  /// The address that the provider is told; `nil` where the service knows where it ends.
  package var address: String? {
    switch place {
    case .loopback: listener.address.text
    case .registered(let text): text
    case .hosts: nil
    }
  }

  /// What a service is told that lets its callers come back to themselves: where, and with which secret.
  package var parameters: [QueryItem] {
    address.map { [QueryItem("returnUrl", $0), QueryItem("state", state)] } ?? []
  }

  /// Whether nobody comes back by itself, so that the address must be brought.
  package var awaitsAddress: Bool {
    if case .loopback = place { false } else { true }
  }

  /// Whether an address is where the browser ends.
  package func takes(_ address: String) -> Bool { items(of: address) != nil }

  /// Whether data that are shown at an address may be those of the person.
  package func takesData(at url: RedirectURL) -> Bool {
    takesData && url.scheme == .https && place.origins.contains(url.origin)
  }

  private func items(of address: String) -> [QueryItem]? {
    guard let items = place.items(of: address) else { return nil }
    if case .registered = place, !Self.has(state, in: items) { return nil }
    return items
  }

  /// Takes the address at which a browser has ended; whoever waits gets it. The first one counts.
  ///
  /// - Parameter body: what the service shows there as data, whatever its address is.
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
  /// - Parameter page: what the browser is given before, once.
  /// - Throws: `.timedOut`, `.cancelled`; `.expired` for a second wait.
  package func answer(serving page: FormPage? = nil) throws(SignInError) -> Answer {
    do throws(ReturnListenerError) {
      return Answer(
        items: try listener.answer(timeout: patience, serving: page), address: nil, body: nil)
    } catch {
      if error == .cancelled, let answer = brought.take() { return answer }
      switch error {
      case .cancelled: throw SignInError(.cancelled)
      case .timedOut: throw SignInError(.timedOut)
      case .ended: throw SignInError(.expired)
      case .system, .random: throw SignInError(.listener)
      }
    }
  }
}

extension BrowserReturn: Redacted {
  /// Nothing of its secrets.
  package var description: String { "where a browser comes back to" }
}

extension BrowserReturn.Answer: Redacted {
  /// The names of its parameters.
  package var description: String { "answer " + items.map(\.name).joined(separator: ", ") }
}

/// An answer on its way from who brings it to who waits.
private final class Brought: Sendable {
  private let answer = Mutex<BrowserReturn.Answer?>(nil)

  func put(_ new: BrowserReturn.Answer) { answer.withLock { if $0 == nil { $0 = new } } }

  func take() -> BrowserReturn.Answer? { answer.withLock { $0.take() } }
}
