import Primitives
import Foundation
import Web
import Synchronization
import TestSupport
import Testing

@testable import SignIn

/// Identity app against the sandbox, by the device authorization grant.
extension SandboxSignInTests {
  /// Creates a sign-in without real waiting.
  private static func quick(
    _ sandbox: Sandbox, _ clock: ScriptedClock = ScriptedClock(.now),
    timeout: Duration = .seconds(60)
  ) throws -> SignInContext {
    try SignInContext(
      service: "Sandbox", trust: try sandbox.address("ca"),
      timeout: timeout, now: { clock.now }, sleep: { clock.wait($0) })
  }

  private static func device(_ sandbox: Sandbox) throws -> IdentityAppSignIn {
    guard case .identityApp(let way) = try sandbox.service().description.way(.identityApp) else {
      throw NotRefused()
    }
    return way
  }

  @Test func `the device grant signs in by the phone, is renewed and ended`() async throws {
    let sandbox = try Self.fresh()
    let heard = HeardStatuses()
    var method = try Self.device(sandbox)
    method.hooks = heard.hooks
    let browser = try method.begin(try Self.quick(sandbox)).browser
    let code = try #require(browser.userCode?.raw)
    #expect(browser.url.text.contains(code))
    try sandbox.decide(code)
    let account = try await browser.wait().account
    #expect(account.method == "identity-app" && account.claims[.cognome] == "PROVA")
    #expect(heard.all == SignInHooks.IdentityAppStatus.allCases)
    try method.client.signOut(account, try Self.quick(sandbox))
  }

  @Test func `a program that fetches the data elsewhere gets the token alone`() async throws {
    let sandbox = try Self.fresh()
    var method = try Self.device(sandbox)
    method.hooks.shouldFetch = { $0.split(separator: ".").count != 3 }
    let browser = try method.begin(try Self.quick(sandbox)).browser
    try sandbox.decide(try #require(browser.userCode?.raw))
    let account = try await browser.wait().account
    #expect(account.claims.all.isEmpty && account.tokens?.identity?.isEmpty == false)
  }

  @Test func `whether somebody is of age is told without the day of birth`() async throws {
    let sandbox = try Self.fresh()
    var method = try Self.device(sandbox)
    method.scope = .age
    let browser = try method.begin(try Self.quick(sandbox)).browser
    try sandbox.decide(try #require(browser.userCode?.raw))
    let account = try await browser.wait().account
    #expect(account.claims["isAdult"] == ["1"])
    #expect(Set(account.claims.all.map(\.name)) == ["sub", "isAdult"])
    #expect(account.tokens?.access.isEmpty == false && account.tokens?.identity == nil)
  }

  /// Less data than the kit's types give, except for the simple registration, because unneeded data are not requested.
  @Test(arguments: [
    (IdentityAppScope.minimum, ["email", "phone_number"]), (.anonymous, []),
    (.residence, ["address"]),
    (.age, ["isAdult"]),
    (
      .identity,
      ["given_name", "family_name", "birthdate", "https://attributes.eid.gov.it/fiscal_number"]
    ),
  ])
  func `by the device grant each scope tells exactly this of the person`(
    _ scope: IdentityAppScope, _ names: [String]
  ) async throws {
    let sandbox = try Self.fresh()
    var method = try Self.device(sandbox)
    method.scope = scope
    let browser = try method.begin(try Self.quick(sandbox)).browser
    try sandbox.decide(try #require(browser.userCode?.raw))
    let account = try await browser.wait().account
    #expect(Set(account.claims.all.map(\.name)).subtracting(["acr"]) == Set(names + ["sub"]))
    #expect(account.claims["sub"].count == 1)
  }

  @Test func `a scope that the provider does not know is refused before anybody is asked`()
    async throws
  {
    let sandbox = try Self.fresh()
    var method = try Self.device(sandbox)
    try sandbox.arm("oidc-device-invalid-scope")
    method.scope = .residence
    let error = try await refusal { try method.begin(try Self.quick(sandbox)) }
    #expect(error.reason == .invalidScope)
  }

  @Test(arguments: [("deny", 923), ("expire", 925)])
  func `the device grant's end has the number of the app's table`(outcome: String, number: Int)
    async throws
  {
    let sandbox = try Self.fresh()
    let browser = try Self.device(sandbox).begin(try Self.quick(sandbox)).browser
    try sandbox.decide(try #require(browser.userCode?.raw), outcome)
    #expect(try await refusal { try await browser.wait() }.number == number)
  }

  @Test func `waiting for a phone is ended at any time, and ends by itself`() async throws {
    let sandbox = try Self.fresh()
    let context = try Self.quick(sandbox)
    let browser = try Self.device(sandbox).begin(context).browser
    context.cancel()
    #expect(try await refusal { try await browser.wait() }.reason == .cancelled)
    // With an interval of five seconds instead of one, there are fewer polls.
    try sandbox.arm("oidc-device-no-interval")
    try sandbox.arm("oidc-poll-pending", once: false)
    let other = try Self.device(sandbox).begin(try Self.quick(sandbox)).browser
    let error = try await refusal { try await other.wait() }
    #expect(error.cause == .timedOut && error.number == 925)
  }
}

/// Records the steps of a sign-in by an identity app.
final class HeardStatuses: Sendable {
  private let statuses = Mutex<[SignInHooks.IdentityAppStatus]>([])

  var all: [SignInHooks.IdentityAppStatus] { statuses.withLock { $0 } }

  var hooks: SignInHooks.IdentityApp {
    SignInHooks.IdentityApp(statusChanged: { status in self.statuses.withLock { $0.append(status) }
    })
  }
}
