import Web
import Primitives
import TestSupport
import Testing

@testable import SignIn

/// Redirect URIs, at a provider that compares them exactly.
extension SandboxOpenIDTests {
  /// RFC 8252 §8.4: the sandbox's provider allows another port, but no other difference.
  @Test func `the return address is the same each time but for its port, or that too`() async throws
  {
    let sandbox = try sandbox()
    func address(_ changes: [String: JSONValue]) async throws -> RedirectURL {
      let browser = try method(sandbox, changes).begin(context(sandbox)).browser
      return try #require(browser.door).listener.address
    }
    let first = try await address([:])
    #expect(first.path == "/signed-in" && first.query == nil)
    #expect(try await address([:]).path == first.path)
    let port = first.port
    let fixed = JSONValue.string("http://127.0.0.1:\(port)/signed-in")
    #expect(try await address(["returnUrl": fixed]).port == port)
    let other = try method(
      sandbox, ["returnUrl": .string("http://127.0.0.1/other")]
    ).begin(context(sandbox)).browser
    // Page with status 400, without a redirect.
    #expect(throws: (any Error).self) { try sandbox.visit(other.url.text, "approve") }
  }

  @Test func `an address of an app's scheme is brought, and must carry what was asked with`()
    async throws
  {
    let sandbox = try sandbox()
    let changes = ["returnUrl": JSONValue.string("invalid.cie-sandbox.client:/signed-in")]
    let browser = try method(sandbox, changes).begin(context(sandbox)).browser
    #expect(browser.awaitsAddress)
    let address = try sandbox.visit(browser.url.text, "approve")
    #expect(address.hasPrefix("invalid.cie-sandbox.client:/signed-in?"))
    let forged = address.replacing("state=", with: "state=x")
    let error = #expect(throws: SignInError.self) { try browser.bring(forged) }
    #expect(error?.reason == .returnAddress)
    try browser.bring(address)
    #expect(try await browser.wait().account.claims[AccountField.cognome] == "PROVA")
  }
}
