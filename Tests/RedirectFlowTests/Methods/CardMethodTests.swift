import CIECard
import Primitives
import Testing
import VirtualCIE

@testable import RedirectFlow
@testable import Web

/// The card's calls, against answers from a list: the requests, their receivers, and the accepted answers.
@Suite struct CardMethodTests {
  private let environment = LoginEnvironment.production
  private let base = "https://idserver.servizicie.interno.gov.it/idp/"

  private func link(_ text: String = Links.card) throws -> CardHandOff {
    guard case .card(let link) = try HandOff(text, in: environment) else { throw NoCardLink() }
    return link
  }

  private struct NoCardLink: Error {}

  private func certificateLogin(
    _ exchange: ScriptedCardExchange, _ access: VirtualAccess = VirtualAccess(),
    link text: String = Links.card
  ) throws -> RedirectURL {
    try CardLogin(environment: environment, exchange: exchange, card: access)
      .complete(link(text))
  }

  @Test func variantA() throws {
    let exchange = try ScriptedCardExchange(.success(HTTPResponse("codice:0123456789012345\n")))
    let url = try certificateLogin(exchange)
    #expect(
      url.text == base + "Authn/X509?conversation=e1s1&login=1&codice=0123456789012345")
    #expect(
      exchange.calls == [
        .init(
          url: base + "Authn/SSL/Login2",
          body: "conversation=e1s1&authnRequest=_r-1&generaCodice=1", hasKey: true)
      ])
  }

  /// Decoded once, encoded once, whatever its contents.
  @Test func requestIsForwardedExactly() throws {
    let exchange = try ScriptedCardExchange(.success(HTTPResponse("codice:0123456789012345")))
    _ = try certificateLogin(
      exchange, link: Links.card("authnRequestString", "a+b%2F%3D%25%26%C3%A0%20z"))
    #expect(
      exchange.calls.first?.body
        == "conversation=e1s1&authnRequest=a%2Bb%2F%3D%25%26%C3%A0+z&generaCodice=1")
  }

  @Test(arguments: [
    ("", LoginCodeProblem.empty), ("codice:012345678901234", .wrongLength(15)),
    ("codice:01234567890123456", .wrongLength(17)), ("codice:012345678901234x", .notDigits),
    ("0123456789012345", .noMarker), ("codice:0123456789012345 ok", .notDigits),
    ("<p>codice:0123456789012345", .noMarker),
  ])
  func anythingElseIsNoCode(_ body: String, _ problem: LoginCodeProblem) throws {
    let exchange = try ScriptedCardExchange(.success(HTTPResponse(body)))
    let error = #expect(throws: LoginError.self) { try certificateLogin(exchange) }
    #expect(error?.cause == .handOff(.code(problem)))
  }

  @Test(arguments: [201, 204, 304, 403, 500]) func onlyStatus200(_ status: Int) throws {
    let exchange = try ScriptedCardExchange(
      .success(HTTPResponse("codice:0123456789012345", status: status)))
    let error = #expect(throws: LoginError.self) { try certificateLogin(exchange) }
    guard case .status(status, .cardCall) = error?.cause else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func oneRedirectOnTheSameServer() throws {
    let again = base + "Authn/SSL/Login2?x=1"
    let exchange = try ScriptedCardExchange(
      .success(HTTPResponse("", status: 307, location: again)),
      .success(HTTPResponse("codice:0123456789012345")))
    _ = try certificateLogin(exchange)
    #expect(exchange.calls.map(\.url) == [base + "Authn/SSL/Login2", again])
    #expect(Set(exchange.calls.map(\.body)).count == 1)
  }

  @Test(arguments: [
    "https://evil.example/idp/Authn/SSL/Login2", "file:///etc/passwd",
    "http://idserver.servizicie.interno.gov.it/idp/Authn/SSL/Login2",
    "https://idserver.servizicie.interno.gov.it:8443/idp/",
    "https://ios.idserver.servizicie.interno.gov.it/idp/",
  ])
  func noOtherServerGetsTheCertificate(_ location: String) throws {
    let exchange = try ScriptedCardExchange(
      .success(HTTPResponse("", status: 307, location: location)))
    let error = #expect(throws: LoginError.self) { try certificateLogin(exchange) }
    guard case .navigation(_, .cardCall) = error?.cause else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(exchange.calls.count == 1)
  }

  @Test func redirectsEnd() throws {
    let again = try HTTPResponse("", status: 307, location: base + "Authn/SSL/Login2")
    let exchange = ScriptedCardExchange(.success(again), .success(again), .success(again))
    let error = #expect(throws: LoginError.self) { try certificateLogin(exchange) }
    guard case .navigation(.tooManyHops, .cardCall) = error?.cause else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(exchange.calls.count == 2)
  }

  @Test func variantB() throws {
    let access = VirtualAccess()
    let exchange = try ScriptedCardExchange(.success(HTTPResponse("challenge \u{e0}\n")))
    let url = try CardLogin(
      environment: environment.using(.signedChallenge), exchange: exchange, card: access
    ).complete(link())
    let certificate = Persona.gemalto.certificate.hexadecimal.lowercased()
    #expect(
      exchange.calls == [
        .init(
          url: base + "Authn/X509TLS13First", body: "cert=\(certificate)&authnRequest=_r-1",
          hasKey: false)
      ])
    let items = url.queryItems
    #expect(url.path == "/idp/Authn/X509MobileTLS13Second")
    #expect(items.map(\.name) == ["challenge", "conversation"])
    #expect(items.last?.value == "e1s1")
    let text = try #require(items.first?.value)
    #expect(text == text.uppercased())
    let signature = try #require([UInt8](hexadecimal: text))
    let digest = try Digest(.sha256, hashing: [UInt8]("challenge \u{e0}\n".utf8))
    #expect(
      try Certificate(der: Persona.gemalto.certificate)
        .verify(signature: signature, digest: digest.bytes, algorithm: .sha256))
    #expect(access.signatures == 1)
  }

  @Test func nothingIsSignedForARefusal() throws {
    for answer in [try HTTPResponse("no", status: 403), try HTTPResponse("")] {
      let access = VirtualAccess()
      #expect(throws: LoginError.self) {
        try CardLogin(
          environment: environment.using(.signedChallenge),
          exchange: ScriptedCardExchange(.success(answer)), card: access
        ).complete(link())
      }
      #expect(access.signatures == 0)
    }
  }

  @Test func failuresKeepTheirKind() throws {
    let exchange = ScriptedCardExchange(.failure(.serverCertificate(.expired)))
    let error = #expect(throws: LoginError.self) { try certificateLogin(exchange) }
    guard case .http(.serverCertificate(.expired), .cardCall) = error?.cause else {
      Issue.record("\(String(describing: error))")
      return
    }
    let gone = VirtualAccess(faults: try FaultPlan(parsing: "card-removed@20:1"))
    let lost = #expect(throws: LoginError.self) {
      try certificateLogin(ScriptedCardExchange(), gone)
    }
    guard case .card(let card) = lost?.cause, card.reason == .channel(.cardRemoved) else {
      Issue.record("\(String(describing: lost))")
      return
    }
  }
}
