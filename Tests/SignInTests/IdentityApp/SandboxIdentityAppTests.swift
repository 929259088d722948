import CIECard
import Foundation
import RedirectFlow
import System
import TestSupport
import Testing

@testable import SignIn

/// The identity app against the sandbox: the original protocol, and ours.
extension SandboxSignInTests {
  /// The weak one, with other members where a test has them.
  private static func insecure(
    _ sandbox: Sandbox, _ changes: [String: String] = [:]
  ) throws -> IdentityAppSignIn {
    let path = try sandbox.address("serviceInsecure")
    let folder = String(path.prefix(through: path.lastIndex(of: "/") ?? path.startIndex))
    let value = try JSONValue([UInt8](Data(contentsOf: URL(filePath: path))))
    guard case .array(let methods) = value["methods"],
      case .object(var members) = methods.first(where: { $0["method"]?.text == "identity-app" })
    else { throw NotRefused() }
    members = members.filter { changes[$0.name] == nil && $0.name != "method" }
    members += changes.map { ($0.key, .string($0.value)) }
    var entry = try ServiceEntry(.object(members), folder: folder)
    let method = try IdentityAppSignIn(&entry)
    try entry.finish()
    return method
  }

  /// A sign-in that waits no real time.
  private static func quick(
    _ sandbox: Sandbox, _ clock: ScriptedClock = ScriptedClock(.now)
  ) throws -> SignInContext {
    try SignInContext(
      service: "Sandbox", trust: .file(path: try sandbox.address("ca")),
      timeout: .seconds(2), now: { clock.now }, sleep: { clock.wait($0) })
  }

  /// A sign-in by the weak protocol in which the person does something.
  private static func signIn(
    _ sandbox: Sandbox, _ outcome: String = "approve", scope: String = "identity"
  ) async throws -> Account {
    let method = try insecure(sandbox, ["scope": scope])
    let browser = try await method.begin(try quick(sandbox)).browser
    try sandbox.answer(browser.url.text, outcome)
    return try await browser.wait().account
  }

  @Test(arguments: ["approve", "dispatched"])
  func `the sandbox's identity app tells who somebody is, with a picture`(outcome: String)
    async throws
  {
    let sandbox = try Self.fresh()
    let account = try await Self.signIn(sandbox, outcome)
    #expect(account.claims[.codiceFiscale] == "SMPSLL82X99Z999S")
    #expect(account.claims[.cognome] == "ESEMPIO" && account.claims["userId"].first?.count == 36)
    #expect(account.claims[.numeroTelefono] == "390000000042")
    #expect(account.claims.photo?.starts(with: [0x89, 0x50, 0x4E, 0x47]) == true)
    #expect(account.tokens?.access.split(separator: ".").count == 3)
  }

  @Test(arguments: [
    ("minimum", "email", true), ("anonymous", "email", false), ("residence", "address", true),
    ("age", "documents.genericId.isAdult", true), ("age", "birthdate", false),
  ])
  func `the sandbox's identity app tells no more than it is asked for`(
    scope: String, claim: String, isThere: Bool
  ) async throws {
    let account = try await Self.signIn(try Self.fresh(), scope: scope)
    #expect(account.claims[claim].isEmpty != isThere)
    #expect(account.claims["given_name"].isEmpty && !account.claims["userId"].isEmpty)
  }

  @Test(arguments: [
    ("browser", 998), ("cancel", 923), ("upgrade", 922), ("verify-error", 924), ("unknown", 998),
    ("pending", 925),
  ])
  func `what happens in the sandbox's identity app has its number`(outcome: String, number: Int)
    async throws
  {
    let error = try await refusal { try await Self.signIn(try Self.fresh(), outcome) }
    #expect(error.number == number)
  }

  @Test(arguments: [
    ("sip-timeout-0", 925), ("sip-timeout-negative", 912), ("sip-timeout-huge", 912),
    ("sip-uuid-path", 914), ("sip-uuid-url", 914), ("sip-no-action", 998),
    ("sip-wrong-signature", 931), ("sip-empty-signature", 931), ("sip-bad-key", 931),
    ("sip-odd-digits", 931), ("sip-no-digits", 931), ("sip-short-iv", 932),
    ("sip-other-secret", 997), ("sip-not-json", 997),
  ])
  func `each fault of the sandbox's identity app has its number`(fault: String, number: Int)
    async throws
  {
    let sandbox = try Self.fresh()
    try sandbox.arm(fault)
    let error = try await refusal { try await Self.signIn(sandbox) }
    #expect(error.number == number && error.correlationID?.count == 36)
  }

  /// Why the protocol is marked insecure.
  @Test(arguments: ["sip-other-key", "sip-changed-by-stranger"])
  func `the original protocol takes what a stranger has signed`(fault: String) async throws {
    let sandbox = try Self.fresh()
    try sandbox.arm(fault)
    let account = try await Self.signIn(sandbox)
    #expect(account.claims[.codiceFiscale] == "SMPSLL82X99Z999S")
  }

  @Test func `who is not registered is 401, and data that were fetched are 409`() async throws {
    let sandbox = try Self.fresh()
    for changes in [["appId": "nobody"], ["mobileId": "nobody"]] {
      let error = try await refusal {
        try await Self.insecure(sandbox, changes).begin(try Self.quick(sandbox))
      }
      #expect(error.reason == .identityApp(.unauthorized) && error.number == 401)
    }
    let browser = try await Self.insecure(sandbox).begin(try Self.quick(sandbox)).browser
    try sandbox.answer(browser.url.text)
    _ = try await browser.wait().account
    let again = try await refusal { try await browser.wait() }
    #expect(again.reason == .identityApp(.insufficientFunds) && again.number == 409)
  }

  static let identityAppFaults: [(fault: String, number: Int)] = [
    ("way-400", 400), ("way-401", 401), ("way-403", 999), ("way-404", 921), ("way-405", 405),
    ("way-409", 409), ("way-429", 429), ("way-500", 500), ("way-503", 999), ("way-504", 504),
    ("way-not-json", 911), ("way-not-utf8", 911), ("way-html", 911), ("way-content-type", 911),
    ("way-empty", 912), ("way-array", 912), ("way-deep", 911), ("way-no-members", 912),
    ("way-wrong-types", 912), ("way-repeated-member", 912), ("way-huge", 999),
    ("way-endless", 999), ("way-truncated", 999), ("way-slow", 999), ("way-drip", 999),
    ("way-redirect-loop", 911), ("way-redirect-host", 911), ("way-redirect-http", 911),
  ]

  @Test(arguments: identityAppFaults)
  func `each fault of the server under the identity app has its number`(fault: String, number: Int)
    async throws
  {
    let sandbox = try Self.fresh()
    try sandbox.arm(fault, at: "sip/verify-partner")
    #expect(try await refusal { try await Self.signIn(sandbox) }.number == number)
  }

  @Test func `an outage while the app is asked passes`() async throws {
    let sandbox = try Self.fresh()
    let browser = try await Self.insecure(sandbox).begin(try Self.quick(sandbox)).browser
    try sandbox.answer(browser.url.text)
    try sandbox.arm("way-truncated", at: "sip/poll")
    try sandbox.arm("way-429", at: "sip/poll")
    _ = try await browser.wait().account
  }

  @Test func `the sandbox's identity app hears that nobody waits any more`() async throws {
    let sandbox = try Self.fresh()
    let context = try Self.quick(sandbox)
    let browser = try await Self.insecure(sandbox).begin(context).browser
    context.cancel()
    #expect(try await refusal { try await browser.wait() }.isCancelled)
    // A fault that waits for that request is gone when it has come.
    try sandbox.arm("way-404", at: "sip/cancel")
    let other = try Self.quick(sandbox)
    let second = try await Self.insecure(sandbox).begin(other).browser
    other.cancel()
    #expect(try await refusal { try await second.wait() }.isCancelled)
    #expect(try sandbox.armed().isEmpty)
  }

  // Ours.

  private static func device(_ sandbox: Sandbox) throws -> IdentityAppSignIn {
    try #require(try sandbox.service().description.method(.identityApp) as? IdentityAppSignIn)
  }

  @Test func `the device grant signs in by the phone, is renewed and ended`() async throws {
    let sandbox = try Self.fresh()
    let heard = HeardStatuses()
    var method = try Self.device(sandbox)
    method.hooks = heard.hooks
    let browser = try await method.begin(try Self.quick(sandbox)).browser
    let code = try #require(browser.userCode?.raw)
    #expect(browser.url.text.contains(code) && !method.canHandle(browser.url.text))
    try sandbox.decide(code)
    let account = try await browser.wait().account
    #expect(account.method == "identity-app" && account.claims[.cognome] == "PROVA")
    #expect(heard.all == IdentityAppStatus.allCases)
    try await method.signOut(account, try Self.quick(sandbox))
  }

  @Test func `with the device grant, too, a program may take the token alone`() async throws {
    let sandbox = try Self.fresh()
    var method = try Self.device(sandbox)
    method.hooks.shouldFetch = { $0.split(separator: ".").count != 3 }
    let browser = try await method.begin(try Self.quick(sandbox)).browser
    try sandbox.decide(try #require(browser.userCode?.raw))
    let account = try await browser.wait().account
    #expect(account.claims.all.isEmpty && account.tokens?.identity?.isEmpty == false)
  }

  @Test func `whether somebody is of age is told without the day of birth`() async throws {
    let sandbox = try Self.fresh()
    var method = try Self.device(sandbox)
    method.scope = .age
    let browser = try await method.begin(try Self.quick(sandbox)).browser
    try sandbox.decide(try #require(browser.userCode?.raw))
    let account = try await browser.wait().account
    #expect(account.claims["isAdult"] == ["1"])
    #expect(Set(account.claims.all.map(\.name)) == ["sub", "isAdult"])
  }

  @Test func `of somebody anonymous only a number is known`() async throws {
    let sandbox = try Self.fresh()
    var method = try Self.device(sandbox)
    method.scope = .anonymous
    let browser = try await method.begin(try Self.quick(sandbox)).browser
    try sandbox.decide(try #require(browser.userCode?.raw))
    let account = try await browser.wait().account
    #expect(account.claims["sub"].count == 1 && account.claims[.cognome] == nil)
  }

  @Test func `a scope that the provider does not know is refused before anybody is asked`()
    async throws
  {
    let sandbox = try Self.fresh()
    var method = try Self.device(sandbox)
    method.scope = .residence
    let error = try await refusal { try await method.begin(try Self.quick(sandbox)) }
    #expect(error.isInvalidScope)
  }

  @Test(arguments: [("deny", 923), ("expire", 925)])
  func `the device grant's end has the number of the app's table`(outcome: String, number: Int)
    async throws
  {
    let sandbox = try Self.fresh()
    let browser = try await Self.device(sandbox).begin(try Self.quick(sandbox)).browser
    try sandbox.decide(try #require(browser.userCode?.raw), outcome)
    #expect(try await refusal { try await browser.wait() }.number == number)
  }

  @Test func `waiting for a phone is ended at any time, and ends by itself`() async throws {
    let sandbox = try Self.fresh()
    let context = try Self.quick(sandbox)
    let browser = try await Self.device(sandbox).begin(context).browser
    context.cancel()
    #expect(try await refusal { try await browser.wait() }.isCancelled)
    // Five seconds between two questions instead of one: fewer of them.
    try sandbox.arm("oidc-device-no-interval")
    try sandbox.arm("oidc-poll-pending", once: false)
    let other = try await Self.device(sandbox).begin(try Self.quick(sandbox)).browser
    let error = try await refusal { try await other.wait() }
    #expect(error.reason == .timedOut && error.number == 925)
  }
}
