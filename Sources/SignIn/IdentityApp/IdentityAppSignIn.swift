/// Sign-in by an identity app on a phone: a link or its QR code, the person's answer there, and polling here, by the
/// device authorization grant (RFC 8628) of an OpenID provider.
struct IdentityAppSignIn: Sendable {
  var scope: IdentityAppScope
  var hooks = SignInHooks.IdentityApp()
  let client: OpenIDClient

  init(_ entry: inout ServiceEntry) throws(SignInError) {
    let scope = try entry.optionalText("scope").map(IdentityAppScope.init) ?? .identity
    guard let scope else { throw .of(.wrongMember("scope")) }
    self.scope = scope
    client = try OpenIDClient(&entry)
  }

  func begin(_ context: SignInContext) throws(SignInError) -> SignInState {
    hooks.statusChanged(.fetchingScopeRequest)
    let device = try DeviceAuthorization.begin(
      try OpenIDSession(client, context), scopes: scope.openIDScopes)
    hooks.statusChanged(.launching)
    return .browserRequired(
      SignInState.BrowserRequired(
        context, device.url, userCode: device.userCode, until: device.until
      ) {
        () throws(SignInError) in try wait(for: device, context)
      })
  }

  private func wait(
    for device: DeviceAuthorization, _ context: SignInContext
  ) throws(SignInError) -> SignInState {
    hooks.statusChanged(.pollingForUserData)
    let answer = try mapError(try device.tokens()) { (error: SignInError) in error.numbered(context)
    }
    hooks.statusChanged(.authorizing)
    let tokens = try device.unproved(answer)
    guard hooks.shouldFetch(tokens.identity ?? tokens.access) else {
      return .completed(
        Account(
          service: context.service, method: SignInMethod.identityApp.rawValue,
          claims: AccountClaims([AccountClaims.Claim]()), begun: context.now(), tokens: tokens))
    }
    hooks.statusChanged(.fetchingUserData)
    let account = try device.account(of: answer, .identityApp)
    return .completed(scope == .age ? account.withAgeOnly(context.now()) : account)
  }
}

extension SignInError {
  /// Copy with its number in the table of the identity app's kit (Civic Connect for iOS): 923, the person refused; 925,
  /// the time is over.
  fileprivate func numbered(_ context: SignInContext) -> SignInError {
    let number: Int? =
      switch cause {
      case .denied: 923
      case .timedOut, .expired: 925
      default: nil
      }
    guard let number else { return self }
    return SignInError(cause, number: number, correlationID: correlationID ?? context.processID)
  }
}

extension Account {
  /// Copy whose only claims are `sub` and legal age, without the date of birth.
  fileprivate func withAgeOnly(_ now: UTCTime) -> Account {
    let subject = AccountClaims.Claim("sub", claims["sub"])
    let isAdult = claims[.dataNascita].flatMap { Self.isAdult($0, now) }
    let age = isAdult.map { AccountClaims.Claim("isAdult", [$0 ? "1" : "0"]) }
    var account = self
    account.claims = AccountClaims([subject] + (age.map { [$0] } ?? []))
    // The ID token has the date of birth.
    account.tokens?.identity = nil
    return account
  }

  /// True for age 18 or older by the date of birth (`2001-02-03`; Codice civile, art. 2); `nil` for an invalid date.
  private static func isAdult(_ birth: String, _ now: UTCTime) -> Bool? {
    let parts = birth.prefix(10).split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3, UTCCalendar.isDay(year: parts[0], month: parts[1], day: parts[2]) else {
      return nil
    }
    let today = now.date
    let birthday = (parts[0] + 18, parts[1], parts[2])
    return birthday <= (today.year, today.month, today.day)
  }
}

/// Data requested from an identity app; the kit has other names for them (Civic Connect for iOS, `ScopeRequestType`).
enum IdentityAppScope: String, Sendable, Hashable, CaseIterable {
  /// E-mail and phone, for a simple registration (the kit's `basicSignup`).
  case minimum
  /// Only an identifier by which the same person is recognized here.
  case anonymous
  /// Name and document.
  case identity
  /// Address of the person.
  case residence
  /// Legal age, without the date of birth: the ID token, which has it, is not kept.
  case age

  var openIDScopes: [String] {
    switch self {
    case .minimum: ["openid", "email", "phone"]
    case .age: ["openid", "profile"]
    case .anonymous: ["openid"]
    case .identity: ["openid", "identity"]
    case .residence: ["openid", "address"]
    }
  }
}
