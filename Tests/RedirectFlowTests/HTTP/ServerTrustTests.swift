import Testing

@testable import RedirectFlow
@testable import Web

/// An untrusted server gets nothing: no request, no certificate, no signature.
@Suite struct ServerTrustTests {
  private let authority: TestAuthority
  private let card: CardFixture

  init() throws {
    authority = try TestAuthority()
    card = try CardFixture()
  }

  private var trusting: HTTPSettings {
    HTTPSettings(trust: authority.certificate, userAgent: "test/1")
  }

  /// Both kinds of call, which must fail with equal errors.
  private func expect(
    _ error: HTTPError, _ settings: HTTPSettings, _ server: HostileServer,
    host: String = "127.0.0.1"
  ) throws {
    let client = try HTTPClient(settings)
    let url = "https://\(host):\(server.port)/echo"
    #expect(throws: error) { try client.get(url) }
    #expect(throws: error) { try client.callWithCard(url, form: [:], key: card.key) }
    #expect(card.signatures == 0)
  }

  private func server(_ identity: TestAuthority.Identity) throws -> HostileServer {
    try HostileServer(identity, ["--client-authority", authority.write("card.pem", card.issuer)])
  }

  @Test func theRightServerIsBelieved() throws {
    let server = try server(authority.issue())
    for host in ["127.0.0.1", "localhost"] {
      let response = try HTTPClient(trusting).callWithCard(
        "https://\(host):\(server.port)/echo", form: [:], key: CardFixture().key)
      #expect(response.status == 200)
    }
  }

  @Test func expired() throws {
    let server = try server(authority.issue(days: -1))
    try expect(.serverCertificate(.expired), trusting, server)
  }

  @Test(arguments: [
    "DNS:elsewhere.example", "DNS:*.localhost", "DNS:127.0.0.1", "IP:127.0.0.2", "DNS:local*",
  ])
  func forAnotherHost(names: String) throws {
    let server = try server(authority.issue(names: names))
    for host in ["127.0.0.1", "localhost"] {
      try expect(.serverCertificate(.wrongHost), trusting, server, host: host)
    }
  }

  @Test func fromAnotherAuthority() throws {
    let other = try TestAuthority()
    let server = try server(other.issue())
    try expect(.serverCertificate(.unknownAuthority), trusting, server)
  }

  @Test func fromAnAuthorityUnknownToTheSystem() throws {
    let server = try server(authority.issue())
    let settings = HTTPSettings(trust: nil, userAgent: "test/1")
    try expect(.serverCertificate(.unknownAuthority), settings, server)
  }

  @Test func withoutAuthorities() throws {
    let server = try server(authority.issue())
    for path in ["/nowhere", "/dev/null"] {
      let settings = HTTPSettings(trust: path, userAgent: "test/1")
      try expect(.trustFile(path: path), settings, server)
    }
  }

  @Test func withoutTLS() throws {
    try expect(.handshake(alert: nil), trusting, HostileServer())
  }
}
