internal import CIECard
internal import RedirectFlow

/// The login without a browser, at a test server of this machine: the provider's pages become states.
struct HeadlessSPID: Sendable {
  private let wire: SPIDWire
  private let visit: ProviderVisit

  init(_ wire: SPIDWire) {
    self.wire = wire
    visit = ProviderVisit(
      for: wire.method.base.origin, to: wire.method.destinations, wire.context.userAgent)
  }

  /// Brings the request to the provider.
  func begin(_ request: SPIDRequest) async throws(SignInError) -> SignInState {
    try await step { visit async throws(LoginError) in
      try await visit.begin(request.form, at: request.destination)
    }
  }

  private func step(
    _ body: (ProviderVisit) async throws(LoginError) -> ProviderVisit.Stage
  ) async throws(SignInError) -> SignInState {
    let stage: ProviderVisit.Stage
    do throws(LoginError) { stage = try await body(visit) } catch {
      switch error {
      case .cancelled: throw SignInError(.cancelled)
      case .refusedByIdentityProvider(let status):
        throw SignInError(.saml(number: status.errorNumber), number: status.errorNumber)
      case .errorPage(let code, _): throw SignInError(.saml(number: code), number: code)
      case .status(let status, _): throw SignInError(.status(status))
      default: throw SignInError(.login(error))
      }
    }
    switch stage {
    case .password(isWrong: false): return userNameState
    case .password(isWrong: true): throw SignInError(.invalidCredentials, again: userNameState)
    case .code(isWrong: false): return codeState
    case .code(isWrong: true): throw SignInError(.invalidCode, again: codeState)
    case .consent(let request): return consentState(request)
    case .end(let response): return .completed(try wire.account(of: response))
    }
  }

  private var userNameState: SignInState {
    .userNameRequired(UserNameRequired { name throws(SignInError) in passwordState(name) })
  }

  private func passwordState(_ name: String) -> SignInState {
    .passwordRequired(
      PasswordRequired { password async throws(SignInError) in
        try await step { visit async throws(LoginError) in
          try await visit.fill(["user": name, "password": password])
        }
      })
  }

  private var codeState: SignInState {
    .codeRequired(
      CodeRequired(
        sentTo: nil, channel: nil, length: nil,
        submitting: { code async throws(SignInError) in
          try await step { visit async throws(LoginError) in try await visit.fill(["code": code]) }
        }, resending: nil))
  }

  private func consentState(_ request: ConsentRequest) -> SignInState {
    .consentRequired(
      ConsentRequired(request) { isAgreed async throws(SignInError) in
        guard isAgreed else { throw SignInError(.login(.consentDenied)) }
        return try await step { visit async throws(LoginError) in try await visit.consent() }
      })
  }
}
