import Web
import TestSupport
import Testing

@testable import SignIn

/// Services of the sandbox that end at their own pages, as real ones do.
extension SandboxSignInTests {
  /// Last page of the service itself, as of a real back end; its address is copied.
  @Test func `a service that ends at its own page signs in with the address of that page`()
    async throws
  {
    let sandbox = try Self.fresh()
    let service = try SignInService(file: try sandbox.address("serviceReturns"))
    let browser = try await service.signIn(by: .spid, try sandbox.context()).begin()
      .provider.choose("timid").browser
    #expect(browser.awaitsAddress)
    let waiting = Task.detached { try await browser.wait() }
    let person = try SandboxPerson(sandbox, as: "password", at: browser.url)
    try browser.bring(try #require(person.lastAddress()))
    #expect(try await waiting.value.account.claims.all.count == 17)
  }

  @Test func `a bank that sends people to the service's own page signs in with its address`()
    async throws
  {
    let sandbox = try Self.fresh()
    let service = try SignInService(file: try sandbox.address("serviceReturns"))
    let browser = try await service.signIn(by: .bank, try sandbox.context()).begin()
      .provider.choose("bankid").provider.choose("sabbia").browser
    let person = try SandboxPerson(sandbox, as: "password", at: browser.url)
    try browser.bring(try #require(person.lastAddress()))
    #expect(try await browser.wait().account.claims[.codiceFiscale]?.count == 16)
  }
}
