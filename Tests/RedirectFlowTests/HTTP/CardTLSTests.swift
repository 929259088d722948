import CIECard
import Testing
import VirtualCIE

@testable import RedirectFlow
@testable import Web

@Suite struct CardTLSTests {
  private let authority: TestAuthority
  private let client: HTTPClient

  init() throws {
    authority = try TestAuthority()
    client = try HTTPClient(
      HTTPSettings(trust: authority.certificate, userAgent: "test/1"))
  }

  private func nginx(
    _ card: CardFixture, _ tls: String, verify: String = "on"
  ) throws -> NginxServer {
    try NginxServer(
      authority.issue(), clients: authority.write("card.pem", card.issuer), tls: tls,
      verify: verify)
  }

  private func post(
    _ port: Int, _ key: any LoginKey, _ path: String = "/"
  ) throws -> HTTPResponse {
    try client.callWithCard(
      "https://127.0.0.1:\(port)\(path)", form: ["generaCodice": "1"], key: key)
  }

  @Test(arguments: ["SHA256", "SHA384", "SHA512"])
  func signsOnceForNginx(hash: String) throws {
    let card = try CardFixture()
    let nginx = try nginx(card, "ssl_conf_command ClientSignatureAlgorithms RSA+\(hash);")
    let response = try post(nginx.port, card.key)
    #expect(response.status == 200)
    #expect(String(decoding: response.body, as: UTF8.self) == "codice:0123456789012345")
    #expect(card.signatures == 1)
    let log = nginx.log()
    #expect(log.count == 1)
    #expect(log.first?.hasPrefix("200 SUCCESS TLSv1.2 CN=") == true)
  }

  @Test func eachCallSignsAnew() throws {
    let card = try CardFixture()
    let nginx = try nginx(card, "")
    #expect(try post(nginx.port, card.key).status == 200)
    #expect(try post(nginx.port, card.key).status == 200)
    #expect(card.signatures == 2)
  }

  @Test func followsNoRedirect() throws {
    let card = try CardFixture()
    let nginx = try nginx(card, "")
    let response = try post(nginx.port, card.key, "/elsewhere")
    #expect(response.status == 302)
    #expect(response.location == "https://127.0.0.1:\(nginx.port)/")
    #expect(card.signatures == 1)
  }

  @Test(arguments: [
    ("ssl_protocols TLSv1.3;", HTTPError.serverDemandsTLS13),
    ("ssl_conf_command ClientSignatureAlgorithms RSA-PSS+SHA256;", .serverDemandsPSS),
    ("ssl_conf_command ClientSignatureAlgorithms ECDSA+SHA256;", .serverDemandsOtherSignature),
    ("ssl_conf_command ClientSignatureAlgorithms RSA+SHA224;", .serverDemandsOtherSignature),
  ])
  func tellsWhatTheCardCannotDo(tls: String, error: HTTPError) throws {
    let card = try CardFixture()
    let nginx = try nginx(card, tls)
    #expect(throws: error) { try post(nginx.port, card.key) }
    #expect(card.signatures == 0)
  }

  /// With RSA key exchange a server proves its key only after the card has signed.
  @Test(arguments: ["AES128-GCM-SHA256", "AES256-SHA256:AES128-SHA", "kRSA"])
  func signsNothingWithoutForwardSecrecy(ciphers: String) throws {
    let card = try CardFixture()
    let nginx = try NginxServer(
      authority.issue(.rsa), clients: authority.write("card.pem", card.issuer),
      tls: "ssl_ciphers \(ciphers);")
    #expect(throws: HTTPError.serverWithoutForwardSecrecy) { try post(nginx.port, card.key) }
    #expect(card.signatures == 0)
  }

  @Test(arguments: [
    "ECDHE-RSA-AES128-GCM-SHA256", "DHE-RSA-AES128-GCM-SHA256", "AES128-SHA:kECDHE",
  ])
  func signsWithForwardSecrecy(ciphers: String) throws {
    let card = try CardFixture()
    let parameters = try authority.parameters()
    let nginx = try NginxServer(
      authority.issue(.rsa), clients: authority.write("card.pem", card.issuer),
      tls: "ssl_ciphers \(ciphers); ssl_dhparam \(parameters); ssl_prefer_server_ciphers on;")
    #expect(try post(nginx.port, card.key).status == 200)
    #expect(card.signatures == 1)
  }

  /// A server that ends every handshake without a certificate.
  @Test func signsNothingForOneThatInsists() throws {
    let card = try CardFixture()
    let server = try HostileServer(
      authority.issue(.rsa),
      ["--client-authority", authority.write("card.pem", card.issuer), "--ciphers", "kRSA"])
    #expect(throws: HTTPError.serverWithoutForwardSecrecy) { try post(server.port, card.key) }
    #expect(card.signatures == 0)
  }

  /// A handshake that fails for another reason keeps its error.
  @Test func otherHandshakesFailAsBefore() throws {
    let card = try CardFixture()
    let nginx = try nginx(card, "ssl_ciphers ECDHE-RSA-AES128-GCM-SHA256;")
    #expect(throws: HTTPError.handshake(alert: 40)) { try post(nginx.port, card.key) }
    #expect(card.signatures == 0)
  }

  @Test func aServerThatDoesNotAskIsNotTheRightOne() throws {
    let card = try CardFixture()
    let nginx = try nginx(card, "", verify: "off")
    #expect(throws: HTTPError.certificateNotRequested(status: 200)) {
      try post(nginx.port, card.key)
    }
    #expect(card.signatures == 0)
  }

  @Test func aServerThatDoesNotKnowTheIssuerAnswers() throws {
    let card = try CardFixture()
    let nginx = try NginxServer(authority.issue(), clients: authority.certificate, tls: "")
    #expect(try post(nginx.port, card.key).status == 400)
    #expect(card.signatures == 1)
  }

  @Test func tellsWhyTheServerRefusesTheCard() throws {
    let expired = try FileLoginKey(authority.issue(.rsa, days: -1))
    let revoked = try FileLoginKey(authority.issue(.rsa))
    let list = try authority.revokeLast()
    let identity = try authority.issue()
    let server = try HostileServer(
      identity, ["--client-authority", authority.certificate, "--revoked", list])
    let card = try CardFixture()
    #expect(throws: HTTPError.cardCertificateExpired) { try post(server.port, expired, "/echo") }
    #expect(throws: HTTPError.cardCertificateRevoked) { try post(server.port, revoked, "/echo") }
    #expect(throws: HTTPError.cardCertificateUnknownAuthority) {
      try post(server.port, card.key, "/echo")
    }
    // One signature and one connection each; the good one is the fourth.
    #expect([expired.signatures, revoked.signatures, card.signatures] == [1, 1, 1])
    let good = try FileLoginKey(authority.issue(.rsa))
    #expect(try post(server.port, good, "/echo").header("x-connections") == "4")
  }

  @Test func aCardThatSignsWronglyEndsTheCall() throws {
    let card = try CardFixture(faults: FaultPlan(.wrongSignature))
    let nginx = try nginx(card, "")
    #expect(throws: LoginError(.card(CardError(.sign, .signatureFalse)))) {
      try post(nginx.port, card.key)
    }
    #expect(card.signatures == 1)
  }

  @Test func sendsNoCookies() throws {
    let card = try CardFixture()
    let server = try HostileServer(
      authority.issue(), ["--client-authority", authority.write("card.pem", card.issuer)])
    let ordinary = try HostileServer(authority.issue())
    _ = try client.get("https://127.0.0.1:\(ordinary.port)/cookie")
    #expect(client.cookies.count == 1)
    let response = try post(server.port, card.key, "/echo")
    #expect(!String(decoding: response.body, as: UTF8.self).contains("abc123"))
  }

  @Test func givesNoCertificateToOrdinaryCalls() throws {
    let card = try CardFixture()
    let nginx = try nginx(card, "")
    #expect(try client.get("https://127.0.0.1:\(nginx.port)/").status == 400)
  }

  @Test func goesOnlyToHTTPS() throws {
    let card = try CardFixture()
    #expect(throws: HTTPError.unusableURL) {
      try client.callWithCard("http://127.0.0.1/", form: [:], key: card.key)
    }
  }

  @Test func doesNotSignOnceCancelled() throws {
    let card = try CardFixture()
    client.settings.cancellation.cancel()
    #expect(throws: LoginError(.cancelled)) { try post(1, card.key) }
    #expect(card.signatures == 0)
  }

  @Test(arguments: [
    ("/endless", HTTPError.bodyTooLarge(limit: 1024)), ("/cut", .disconnected),
    ("/empty", .disconnected), ("/garbage", .malformedResponse),
  ])
  func neverRepeatsACall(path: String, error: HTTPError) throws {
    let card = try CardFixture()
    let server = try HostileServer(
      authority.issue(), ["--client-authority", authority.write("card.pem", card.issuer)])
    #expect(throws: error) {
      try client.callWithCard(
        "https://127.0.0.1:\(server.port)\(path)", form: [:], key: card.key, bodyLimit: 1024)
    }
    #expect(card.signatures == 1)
  }

  @Test func signsWhereAPathAsksByRenegotiation() throws {
    let card = try CardFixture()
    let apache = try ApacheServer(
      authority.issue(), clients: authority.write("card.pem", card.issuer))
    // The page does not exist, which is reported only to clients with a certificate.
    #expect(try post(apache.port, card.key, "/card").status == 404)
    #expect(card.signatures == 1)
    #expect(throws: HTTPError.certificateNotRequested(status: 404)) {
      try post(apache.port, card.key, "/other")
    }
    #expect(card.signatures == 1)
  }

  @Test func signsOnceInAHandshake() throws {
    let card = try CardFixture()
    let handshake = try CardHandshake(
      host: "localhost", key: card.key, cancellation: CancellationToken())
    let digest = try Digest(.sha256, hashing: [1])
    #expect(handshake.sign(digest)?.count == 256)
    #expect(handshake.sign(digest) == nil)
    #expect(card.signatures == 1)
    #expect(
      handshake.reason(for: .disconnected) == LoginError(.secondSignatureRefused, at: .cardCall))
  }

  @Test func signsNothingOnceCancelledInTheHandshake() throws {
    let card = try CardFixture()
    let token = CancellationToken()
    let handshake = try CardHandshake(host: "localhost", key: card.key, cancellation: token)
    token.cancel()
    #expect(handshake.sign(try Digest(.sha256, hashing: [1])) == nil)
    #expect(card.signatures == 0)
    #expect(handshake.reason(for: .disconnected) == LoginError(.cancelled))
  }
}
