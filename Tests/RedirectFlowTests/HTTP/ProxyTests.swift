import Testing

@testable import RedirectFlow
@testable import Web

/// Proxies: TLS goes through untouched, and a proxy's failures have errors of the proxy.
@Suite struct ProxyTests {
  private let authority: TestAuthority
  private let card: CardFixture
  private let server: HostileServer

  init() throws {
    authority = try TestAuthority()
    card = try CardFixture()
    server = try HostileServer(
      authority.issue(), ["--client-authority", authority.write("card.pem", card.issuer)])
  }

  private func client(_ environment: [String: String]) throws -> HTTPClient {
    var settings = HTTPSettings(trust: authority.certificate, userAgent: "test/1")
    settings.environment = { environment[$0] }
    settings.proxyTrust = authority.certificate
    return try HTTPClient(settings)
  }

  private func post(_ client: HTTPClient) throws -> HTTPResponse {
    try client.callWithCard(
      "https://localhost:\(server.port)/echo", form: ["generaCodice": "1"], key: card.key)
  }

  @Test(arguments: ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"])
  func theCardSignsThroughATunnel(variable: String) throws {
    let proxy = try ConnectProxy(["--user", "anna:s3cret"])
    let client = try client([variable: "http://anna:s3cret@127.0.0.1:\(proxy.port)"])
    let response = try post(client)
    #expect(response.status == 200)
    #expect(response.header("via") == nil)
    #expect(card.signatures == 1)
    #expect(proxy.log == ["CONNECT localhost:\(server.port) HTTP/1.1 anna:s3cret"])
    // The proxy does not see data for the server.
    let body = String(decoding: response.body, as: UTF8.self)
    #expect(!body.lowercased().contains("proxy"))
  }

  /// The certificate names only the proxy: it would not be accepted as the server's.
  @Test func theWayToTheProxyMayBeTLSToo() throws {
    let identity = try authority.issue(names: "IP:127.0.0.1")
    let proxy = try ConnectProxy(["--certificate", identity.certificate, "--key", identity.key])
    let client = try client(["HTTPS_PROXY": "https://127.0.0.1:\(proxy.port)"])
    #expect(try post(client).status == 200)
    #expect(card.signatures == 1)
    #expect(proxy.log.count == 1)
  }

  @Test(arguments: ["localhost", "*", "x.example, .localhost", "LOCALHOST"])
  func someServersNeedNone(exceptions: String) throws {
    let client = try client(["HTTPS_PROXY": "http://127.0.0.1:1", "NO_PROXY": exceptions])
    #expect(try post(client).status == 200)
  }

  @Test func networksMayBeExceptions() {
    let list = ProxyExceptions("192.0.2.0/25 2001:db8::/33, [::1],host.example,203.0.113.7")
    for host in [
      "192.0.2.1", "192.0.2.127", "2001:db8::1", "::1", "host.example", "a.host.example",
      "203.0.113.7",
    ] {
      #expect(list.contain(host), "\(host)")
    }
    for host in [
      "192.0.2.128", "2001:db8:8000::1", "::2", "ahost.example", "example", "203.0.113.70", "",
    ] {
      #expect(!list.contain(host), "\(host)")
    }
  }

  private func expect(
    _ problem: ProxyProblem, _ environment: [String: String], host: String? = nil
  ) throws {
    var settings = try client(environment).settings
    settings.timeout = .seconds(problem == .timeout ? 1 : 60)
    let client = try HTTPClient(settings)
    for call in [{ try post(client) }, { try client.get("https://localhost:\(server.port)/echo") }]
    {
      #expect {
        try call()
      } throws: { error in
        guard case .proxy(problem, let place) = error as? HTTPError else { return false }
        return host.map { $0 == place } ?? !place.contains("s3cret")
      }
    }
    #expect(card.signatures == 0)
  }

  @Test func unreachable() throws {
    try expect(.connect, ["HTTPS_PROXY": "http://u:s3cret@127.0.0.1:1"], host: "127.0.0.1:1")
    try expect(.resolve, ["HTTPS_PROXY": "nobody.invalid:3128"], host: "nobody.invalid:3128")
    try expect(.unusable, ["HTTPS_PROXY": "gopher://127.0.0.1"], host: "")
  }

  @Test func refusals() throws {
    let strict = try ConnectProxy(["--user", "anna:s3cret"])
    try expect(.authenticationRequired, ["HTTPS_PROXY": "http://127.0.0.1:\(strict.port)"])
    try expect(
      .authenticationRequired, ["HTTPS_PROXY": "http://anna:wrong@127.0.0.1:\(strict.port)"])
    let closed = try ConnectProxy(["--refuse", "403"])
    try expect(.refused(status: 403), ["HTTPS_PROXY": "http://127.0.0.1:\(closed.port)"])
    let mute = try ConnectProxy(["--silent"])
    try expect(.timeout, ["HTTPS_PROXY": "http://127.0.0.1:\(mute.port)"])
  }

  @Test func aProxyIsNotBelievedEither() throws {
    let stranger = try TestAuthority()
    let other = try stranger.issue()
    let foreign = try ConnectProxy(["--certificate", other.certificate, "--key", other.key])
    try expect(
      .certificate(.unknownAuthority), ["HTTPS_PROXY": "https://127.0.0.1:\(foreign.port)"])
    let named = try authority.issue(names: "DNS:elsewhere.example")
    let wrong = try ConnectProxy(["--certificate", named.certificate, "--key", named.key])
    try expect(.certificate(.wrongHost), ["HTTPS_PROXY": "https://127.0.0.1:\(wrong.port)"])
    let silent = try HostileServer()
    try expect(.failed, ["HTTPS_PROXY": "https://127.0.0.1:\(silent.port)"])
  }

  /// Beyond an open tunnel a failure is the server's.
  @Test func theServersFaultsAreItsOwn() throws {
    let proxy = try ConnectProxy()
    let client = try client(["HTTPS_PROXY": "http://127.0.0.1:\(proxy.port)"])
    let stranger = try TestAuthority()
    let other = try HostileServer(stranger.issue())
    #expect(throws: HTTPError.serverCertificate(.unknownAuthority)) {
      try client.get("https://localhost:\(other.port)/echo")
    }
    let cutting = try HostileServer(authority.issue())
    #expect(throws: HTTPError.disconnected) {
      try client.get("https://localhost:\(cutting.port)/empty")
    }
  }
}
