import Web
import TestSupport
import Testing

@testable import SignIn

/// Results of a refresh, allowed and forbidden.
extension SandboxOpenIDTests {
  @Test func `a session is prolonged with a new refresh token, and ended`() async throws {
    let sandbox = try sandbox()
    let first = try await signIn(sandbox)
    let method = try method(sandbox)
    let second = try method.client.refresh(first, context(sandbox))
    #expect(second.tokens?.access != first.tokens?.access)
    #expect(second.tokens?.refresh != first.tokens?.refresh)
    #expect(second.tokens?.identity == first.tokens?.identity)
    #expect(second.claims == first.claims)
    try method.client.signOut(second, context(sandbox))
    let error = try await refusal { try method.client.refresh(second, self.context(sandbox)) }
    #expect(error.reason == .refreshTokenExpired)
  }

  @Test func `a refresh token that was used once ends the session`() async throws {
    let sandbox = try sandbox()
    let first = try await signIn(sandbox)
    let method = try method(sandbox)
    let second = try method.client.refresh(first, context(sandbox))
    for account in [first, second] {
      let error = try await refusal { try method.client.refresh(account, self.context(sandbox)) }
      #expect(error.cause == .refreshTokenExpired)
    }
  }

  @Test func `an answer without a new refresh token keeps the old one`() async throws {
    let sandbox = try sandbox()
    let first = try await signIn(sandbox)
    try sandbox.arm("oidc-token-no-rotation")
    let second = try method(sandbox).client.refresh(first, context(sandbox))
    #expect(second.tokens?.refresh == first.tokens?.refresh)
    #expect(second.tokens?.access != first.tokens?.access)
  }

  @Test(arguments: [
    ("id-token", TokenProblem.audienceWrong), ("other-nonce", .nonceWrong),
    ("other-auth-time", .authenticationTimeWrong), ("new-azp", .authorizedPartyWrong),
    ("lower-acr", .levelTooLow),
  ])
  func `an identity token that comes with new tokens continues the first one`(
    fault: String, problem: TokenProblem
  ) async throws {
    let sandbox = try sandbox()
    let first = try await signIn(sandbox)
    try sandbox.arm("oidc-token-refresh-" + fault)
    let error = try await refusal {
      try self.method(sandbox).client.refresh(first, self.context(sandbox))
    }
    #expect(error.cause == .token(problem))
  }
}
