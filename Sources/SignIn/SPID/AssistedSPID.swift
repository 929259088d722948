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
    // Nothing but the secret path says that it is the answer to this login.
    let door = try BrowserReturn(wire.context) { [["code"], ["error"]].contains($0.map(\.name)) }
    let request = try await wire.request(to: provider, returningTo: door.listener.address)
    let page = FormPage(
      sending: request.form, to: request.destination, ReturnPage(wire.context.returnWords))
    return .browserRequired(
      BrowserRequired(door.listener.startAddress, until: door.end) { () async throws(SignInError) in
        guard let answer = try await door.answer(serving: page).first else {
          throw SignInError(.expired)
        }
        guard answer.name == "code" else { throw SPIDWire.failure(answer.value, 403) }
        return .completed(try await wire.account(answer.value))
      })
  }
}
