import Foundation
import Web
import Primitives
import TestSupport
import Testing

@testable import SignIn

/// Services that end at their own page, as those of the kits do, without our extension.
@Suite struct SPIDReturnTests {
  private static let me = "https://sp.test/me?code=c"

  private func atBrowser(_ servers: ScriptedServers) async throws -> SignInState.BrowserRequired {
    var script = SPIDScript()
    script.further = #","hosts":["idp.test"]"#
    return try await script.method().begin(servers.context()).provider.choose("posteid").browser
  }

  private func servers() -> ScriptedServers {
    let script = SPIDScript()
    return ScriptedServers([
      "GET \(SPIDScript.base)list-providers": script.list,
      "GET \(SPIDScript.base)auth-spid": script.request, "GET \(Self.me)": script.user,
    ])
  }

  @Test func `the address at which the browser ends is brought, and the data are fetched there`()
    async throws
  {
    let servers = servers()
    let browser = try await atBrowser(servers)
    #expect(browser.awaitsAddress && browser.url.host == "127.0.0.1")
    let asked = try #require(servers.requests.last)
    #expect(!asked.contains("returnUrl") && !asked.contains("state"))
    async let end = browser.wait()
    // Meanwhile the page with the request is served.
    #expect(try await Visitor.get(browser.url.text).contains("SAMLRequest"))
    for other in ["https://evil.test/me?code=c", "https://sp.test/me", "http://sp.test/me?code=c"] {
      let error = #expect(throws: SignInError.self) { try browser.bring(other) }
      #expect(error?.reason == .returnAddress)
    }
    // Programs on this machine cannot submit an answer to the listener.
    let door = try #require(browser.door)
    let local = try await Visitor.get(door.listener.address.text + "?code=c&state=")
    #expect(local.hasPrefix("HTTP/1.1 404"))
    try browser.bring(Self.me)
    let account = try await end.account
    #expect(servers.requests.last == "GET " + Self.me)
    #expect(account.claims[.codiceFiscale] == "PRVGSM80A41H501Y")
  }

  @Test func `requests go to providers, and data come from the servers of the return`() throws {
    var script = SPIDScript()
    script.further = #","hosts":["idp.test"],"returnHosts":["back.test"]"#
    let method = try script.method()
    #expect(
      method.destinations.map(\.description).sorted() == ["https://idp.test", "https://sp.test"])
    let provider = try RedirectURL("https://idp.test/me?code=c")
    let back = try RedirectURL("https://back.test/me?code=c")
    let servers = ScriptedServers([
      "GET \(provider.text)": script.user, "GET \(back.text)": script.user,
    ])
    let wire = SPIDWire(method, try servers.context())
    let error = #expect(throws: SignInError.self) { try wire.account(at: provider) }
    #expect(error?.cause == .exchange(.foreignHost(provider.origin)))
    #expect(servers.requests.isEmpty)
    #expect(try wire.account(at: back).claims[.codiceFiscale] == "PRVGSM80A41H501Y")
  }

  @Test func `an error in the address ends the sign-in under its number`() async throws {
    let browser = try await atBrowser(servers())
    try browser.bring("https://sp.test/failed?error=nr22")
    let error = try await refusal { try await browser.wait() }
    #expect(error.cause == .saml(number: 22))
  }

  @Test func `data that a watched browser has seen at the service's server are the person's`()
    async throws
  {
    let servers = servers()
    let browser = try await atBrowser(servers)
    let door = try #require(browser.door)
    let body = [UInt8](#"{"codiceFiscale":"PRVGSM80A41H501Y"}"#.utf8)
    #expect(throws: SignInError.self) {
      try door.bring("https://evil.test/me", showing: body)
    }
    try door.bring("https://sp.test/me", showing: body)
    let before = servers.requests.count
    #expect(try await browser.wait().account.claims[.codiceFiscale] == "PRVGSM80A41H501Y")
    #expect(servers.requests.count == before, "nothing is fetched again")
  }

  @Test func `a bank sends the person to the service's own server, with a code`() async throws {
    let servers = BankScript().servers
    let entry = #"{"base":"\#(BankScript.base)","hosts":["bank.test"],"returnHosts":["back.test"]}"#
    let browser = try await BankScript.method(entry: entry).begin(try servers.context())
      .provider.choose("sabbia").browser
    #expect(browser.awaitsAddress && browser.url.host == "bank.test")
    #expect(servers.requests.last?.contains("returnUrl") == false)
    #expect(throws: SignInError.self) { try browser.bring("https://gov.test/?code=c-1") }
    try browser.bring("https://back.test/any?code=c-1")
    #expect(try await browser.wait().account.tokens?.access == "token-1")
  }

  @Test func `where a browser comes back by itself no address is taken`() async throws {
    let script = SPIDScript()
    let browser = try await script.method().begin(script.servers.context()).provider
      .choose("posteid").browser
    let error = #expect(throws: SignInError.self) { try browser.bring(Self.me) }
    #expect(error?.cause == .notOffered && !browser.awaitsAddress)
  }
}
