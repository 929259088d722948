internal import CIECard
internal import RedirectFlow
internal import System

/// The login in the person's own browser: a page of this machine sends the request to the provider, and the service's last
/// page leads back to this machine with a code for the person's data.
struct AssistedSPID: Sendable {
  private let wire: SPIDWire

  init(_ wire: SPIDWire) { self.wire = wire }

  /// - Returns: `browserRequired`, with the address of the page, which is served once.
  func begin(at provider: ProviderRequired.Provider) async throws(SignInError) -> SignInState {
    let context = wire.context
    let words = ReturnPage(context.returnWords)
    let listener: ReturnListener
    do throws(ReturnListenerError) {
      // Nothing but the secret path says that it is the answer to this login.
      listener = try ReturnListener(words) { [["code"], ["error"]].contains($0.map(\.name)) }
    } catch { throw SignInError(.listener) }
    context.onCancel { listener.cancel() }
    let request = try await wire.request(to: provider, returningTo: listener.address)
    let page = FormPage(sending: request.form, to: request.destination, words)
    let until = UTCTime(
      seconds: context.now().seconds + context.patience.components.seconds)
    return .browserRequired(
      BrowserRequired(listener.startAddress, until: until) { () async throws(SignInError) in
        let answer = try await answer(listener, page)
        guard answer.name == "code" else { throw SPIDWire.failure(answer.value, 403) }
        return .completed(try await wire.account(answer.value))
      })
  }

  /// What comes back, waited for on a thread of its own.
  private func answer(
    _ listener: ReturnListener, _ page: FormPage
  ) async throws(SignInError) -> QueryItem {
    let patience = wire.context.patience
    do throws(ReturnListenerError) {
      let items = try await CardActor().run { () throws(ReturnListenerError) in
        try listener.answer(timeout: patience, serving: page)
      }
      guard let item = items.first else { throw .ended }
      return item
    } catch {
      switch error {
      case .cancelled: throw SignInError(.cancelled)
      case .timedOut: throw SignInError(.timedOut)
      case .ended: throw SignInError(.expired)
      case .system, .random, .tooManyRequests: throw SignInError(.listener)
      }
    }
  }
}
