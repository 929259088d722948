import Web
import Testing

@testable import SignIn

/// Secret of a response, and its redirect URI.
@Suite struct BrowserReturnTests {
  private func door(_ place: ReturnPlace) throws -> BrowserReturn {
    try BrowserReturn(
      ScriptedServers([String: ScriptedServers.Answer]()).context(), at: place, state: "right")
  }

  /// A provider may allow other ports, but not always (RFC 8252 §7.3, §8.4).
  @Test func `the registered path and port are listened on`() throws {
    let port = try door(.loopback(path: "/back", port: nil)).listener.address.port
    for registered in [nil, port] {
      let door = try door(.loopback(path: "/back", port: registered))
      let address = door.listener.address
      #expect(address.path == "/back" && door.address == address.text)
      #expect(registered == nil || address.port == port)
    }
  }

  @Test func `only the answer with the secret ends the wait`() async throws {
    let door = try door(.usual)
    let address = try #require(door.address)
    async let end = BlockingActor().run { () throws(SignInError) in try door.answer() }
    for wrong in ["?code=c", "?code=c&state=", "?code=c&state=wrong"] {
      #expect(try await Visitor.get(address + wrong).hasPrefix("HTTP/1.1 404"))
    }
    #expect(try await Visitor.get(address + "?code=c&state=right").hasPrefix("HTTP/1.1 200"))
    #expect(try await end["code"] == "c")
  }

  @Test func `a registered address needs the secret, too`() async throws {
    let door = try door(.registered("org.example.app:/back"))
    for wrong in ["?code=c", "?code=c&state=wrong"] {
      let address = "org.example.app:/back" + wrong
      #expect(!door.takes(address))
      let error = #expect(throws: SignInError.self) { try door.bring(address) }
      #expect(error?.reason == .returnAddress)
    }
    async let end = BlockingActor().run { () throws(SignInError) in try door.answer() }
    let local = door.listener.address.text + "?code=c&state=right"
    #expect(try await Visitor.get(local).hasPrefix("HTTP/1.1 404"))
    try door.bring("org.example.app:/back?code=c&state=right")
    #expect(try await end["code"] == "c")
  }
}
