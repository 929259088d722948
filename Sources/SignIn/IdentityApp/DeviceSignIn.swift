internal import CIECard
internal import RedirectFlow
internal import System

/// The identity app by the device authorization grant (RFC 8628) of an OpenID provider: authenticated on both sides, and
/// with the errors of the app's table under their numbers where they fit.
struct DeviceSignIn: Sendable {
  private let method: IdentityAppSignIn
  private let client: OpenIDClient
  private let context: SignInContext

  init(_ method: IdentityAppSignIn, _ client: OpenIDClient, _ context: SignInContext) {
    self.method = method
    self.client = client
    self.context = context
  }

  /// Asks the provider to begin.
  func begin() async throws(SignInError) -> SignInState {
    method.hooks.statusChanged(.fetchingScopeRequest)
    let device = try await DeviceAuthorization.begin(
      try await OpenIDSession.open(client, context), scopes: method.scope.openIDScopes)
    method.hooks.statusChanged(.launching)
    return .browserRequired(
      BrowserRequired(device.url, userCode: device.userCode, until: device.until) {
        () async throws(SignInError) in try await wait(for: device)
      })
  }

  private func wait(for device: DeviceAuthorization) async throws(SignInError) -> SignInState {
    method.hooks.statusChanged(.pollingForUserData)
    let answer: ServiceAnswer
    do throws(SignInError) { answer = try await device.tokens() } catch { throw numbered(error) }
    method.hooks.statusChanged(.authorizing)
    let tokens = try device.unproved(answer)
    guard method.hooks.shouldFetch(tokens.identity ?? tokens.access) else {
      return .completed(
        Account(
          service: context.service, method: IdentityAppSignIn.name.rawValue,
          claims: AccountClaims([AccountClaims.Claim]()), begun: context.now(), tokens: tokens))
    }
    method.hooks.statusChanged(.fetchingUserData)
    let account = try await device.account(of: answer, IdentityAppSignIn.name)
    return .completed(method.scope == .age ? account.withAgeOnly(context.now()) : account)
  }

  /// The same error with the number that the app's table has for it.
  private func numbered(_ error: SignInError) -> SignInError {
    let code: IdentityAppCode? =
      switch error.reason {
      case .denied: .userCancelled
      case .timedOut, .expired: .scopeRequestTimeOut
      default: nil
      }
    guard let code else { return error }
    return SignInError(
      error.reason, number: code.rawValue, correlationID: error.correlationID ?? context.processID)
  }
}

extension Account {
  /// The same account, of which only remains whether the person is of age: the date of birth is read and let go.
  fileprivate func withAgeOnly(_ now: UTCTime) -> Account {
    let subject = AccountClaims.Claim("sub", claims["sub"])
    guard let isAdult = claims[.dataNascita].flatMap({ Self.isAdult($0, now) }) else {
      return with(AccountClaims([subject]))
    }
    return with(AccountClaims([subject, .init("isAdult", [isAdult ? "1" : "0"])]))
  }

  private func with(_ claims: AccountClaims) -> Account {
    Account(service: service, method: method, claims: claims, begun: begun, tokens: tokens)
  }

  /// Whether somebody born on a day (`2001-02-03`) is 18 or older (Codice civile, art. 2).
  private static func isAdult(_ birth: String, _ now: UTCTime) -> Bool? {
    let parts = birth.prefix(10).split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3, (1...12).contains(parts[1]), (1...31).contains(parts[2]) else {
      return nil
    }
    let today = now.date
    let birthday = (parts[0] + 18, parts[1], parts[2])
    return birthday <= (today.year, today.month, today.day)
  }
}
