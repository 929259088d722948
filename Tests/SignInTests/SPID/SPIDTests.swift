import Primitives
import Foundation
import TestSupport
import Testing

@testable import Web
@testable import SignIn

@Suite struct SPIDTests {
  @Test func `the list of providers comes in the service's order, with what the service explains`()
    async throws
  {
    let script = SPIDScript()
    let state = try script.method().begin(script.servers.context()).provider
    #expect(state.providers.map(\.identifier) == ["posteid", "timid"])
    #expect(state.providers.map(\.name.display) == ["Poste ID", "TIM id"])
    #expect(state.explanations.map(\.title.display) == ["Che cos'è SPID"])
    #expect(state.explanations.map(\.url.text) == ["https://sp.test/spid"])
    let error = try await refusal { try await state.choose("nobody") }
    #expect(error.cause == .unknownProvider)
    #expect(try #require(error.again).provider.providers.count == 2)
  }

  @Test
  func `a browser gets the page with the request once, and comes back with a code for the data`()
    async throws
  {
    let script = SPIDScript()
    let servers = script.servers
    let browser = try await script.method().begin(servers.context()).provider.choose("posteid")
      .browser
    #expect(browser.until?.seconds == Int64(1_767_225_900))
    let start = browser.url.text
    #expect(start.hasPrefix("http://127.0.0.1:") && start.hasSuffix("/start"))
    let asked = try RedirectURL(String(try #require(servers.requests.last).dropFirst(4)))
    #expect(
      asked.text.hasPrefix(
        "https://sp.test/spid/auth-spid?entityId=https%3A%2F%2Fidp.test%2Fentity&"))
    let back = try SPIDScript.back(servers)
    #expect(back.hasPrefix("http://127.0.0.1:\(browser.url.port)/spid?state="))

    async let end = browser.wait()
    let page = try await Visitor.get(start)
    #expect(page.contains("\r\nCache-Control: no-store\r\n"))
    #expect(page.contains(#"<form method="post" action="https://idp.test/sso">"#))
    #expect(page.contains(#"<input type="hidden" name="SAMLRequest" value="PHA6QXV0aG5SZXF1ZXN0"#))
    #expect(try await Visitor.get(start).hasPrefix("HTTP/1.1 404"))
    #expect(try await Visitor.get(back + "&code=a&code=b").hasPrefix("HTTP/1.1 404"))
    #expect(
      try await Visitor.get(back.replacing("state", with: "other") + "&code=a").hasPrefix(
        "HTTP/1.1 404"))
    #expect(try await Visitor.get(back + "&code=geheim%26x").hasPrefix("HTTP/1.1 200"))
    let account = try await end.account
    #expect(servers.requests.last == "GET https://sp.test/spid/user?code=geheim%26x")
    #expect(account.method == "spid" && account.tokens == nil)
    #expect(account.claims[.codiceFiscale] == "PRVGSM80A41H501Y" && account.claims[.sesso] == "F")
    #expect(account.claims[.dataNascita] == "1980-01-11")
    #expect(!printed(account).contains("GELSOMINA") && !printed(browser).contains("PHA6"))
  }

  @Test func `the page runs its own script and no other`() async throws {
    let page = FormPage(
      sending: ["a\"b": "<c>&'"], to: try RedirectURL("https://idp.test/sso?a=b&c=d"), ReturnWords()
    )
    let text = String(decoding: page.file, as: UTF8.self)
    #expect(text.contains(#"name="a&quot;b" value="&lt;c&gt;&amp;&#39;""#))
    #expect(text.contains(#"action="https://idp.test/sso?a=b&amp;c=d""#))
    let script = try #require(
      text.split(separator: "<script>").last?.split(separator: "</script>").first)
    let hash = Base64.encode(try HashAlgorithm.sha256.hash([UInt8](script.utf8)))
    let listener = try ReturnListener()
    Thread.answer(listener, page)
    let head = try await Visitor.get(listener.startAddress.text)
    #expect(
      head.contains("script-src 'sha256-\(String(decoding: hash, as: UTF8.self))'; form-action"))
    listener.cancel()
  }

  @Test func `a page longer than any buffer comes whole`() async throws {
    let length = 8 << 20
    let page = FormPage(
      sending: ["a": String(repeating: "b", count: length)],
      to: try RedirectURL("https://idp.test/sso"), ReturnWords())
    let listener = try ReturnListener()
    Thread.answer(listener, page)
    let answer = try await Visitor.get(listener.startAddress.text)
    listener.cancel()
    #expect(answer.utf8.count > length && answer.hasSuffix("</script>\n"))
  }

  @Test(arguments: [
    ("nr19", SignInError.Cause.saml(number: 19)), ("nr20", .saml(number: 20)),
    ("nr21", .saml(number: 21)), ("nr22", .saml(number: 22)), ("nr23", .saml(number: 23)),
    ("nr25", .saml(number: 25)), ("nr4", .saml(number: 4)),
    ("nr", .denied(UntrustedText("nr"))), ("nr123", .denied(UntrustedText("nr123"))),
    ("in-response-to", .denied(UntrustedText("in-response-to"))),
    ("unknown-code", .expired),
  ])
  func `a browser that comes back with an error ends the sign-in under its number`(
    _ word: String, _ reason: SignInError.Cause
  ) async throws {
    let script = SPIDScript()
    let servers = script.servers
    let browser = try await script.method().begin(servers.context()).provider
      .choose("posteid").browser
    async let end = refusal { try await browser.wait() }
    _ = try await Visitor.get(try SPIDScript.back(servers) + "&error=" + word)
    let error = try await end
    #expect(error.cause == reason && error.again == nil)
    if case .saml(let number) = reason { #expect(error.number == number) }
  }

  @Test func `nobody waits longer than the person may take, or after an end`() async throws {
    let script = SPIDScript()
    let context = try SignInContext(
      service: "Test", trust: nil, patience: .milliseconds(10), exchange: { script.servers })
    let browser = try await script.method().begin(context).provider.choose("posteid").browser
    #expect(try await refusal { try await browser.wait() }.cause == .timedOut)
    #expect(try await refusal { try await browser.wait() }.cause == .expired)

    let other = try script.servers.context()
    let waiting = try await script.method().begin(other).provider.choose("posteid").browser
    other.cancel()
    #expect(try await refusal { try await waiting.wait() }.reason == .cancelled)
  }

  @Test func `one provider is chosen without asking`() async throws {
    var script = SPIDScript()
    script.list = .json(
      #"{"identityProviders":[{"entityId":"e","identifier":"posteid","name":"P"}]}"#)
    script.further += #","level":2"#
    let servers = script.servers
    _ = try script.method().begin(servers.context()).browser
    #expect(servers.requests[1].contains("auth-spid?entityId=e&level=2&returnUrl="))
  }

  @Test func `a list that is none is refused`() async throws {
    let one = #"{"entityId":"e","identifier":"i","name":"n"}"#
    let many = Array(repeating: one, count: 101).joined(separator: ",")
    let wrong = SignInError.Cause.exchange(.wrongMember("identityProviders"))
    for (answer, reason) in [
      (#"{}"#, wrong), (#"{"identityProviders":[]}"#, wrong), (#"{"identityProviders":{}}"#, wrong),
      (#"{"identityProviders":["i"]}"#, wrong),
      (#"{"identityProviders":[{"entityId":"e","identifier":"i"}]}"#, wrong),
      (#"{"identityProviders":[{"entityId":"e","identifier":"i","name":""}]}"#, wrong),
      (#"{"identityProviders":[\#(one),\#(one)]}"#, wrong),
      (#"{"identityProviders":[\#(one),{"entityId":"e","identifier":"j","name":"n"}]}"#, wrong),
      (#"{"identityProviders":[\#(many)]}"#, wrong),
      (
        #"{"identityProviders":[\#(one)],"identityProviders":[]}"#,
        .exchange(.repeatedMember("identityProviders"))
      ),
    ] as [(String, SignInError.Cause)] {
      var script = SPIDScript()
      script.list = .json(answer)
      #expect(
        try await refusal { try script.method().begin(script.servers.context()) }.cause
          == reason)
    }
    var script = SPIDScript()
    script.list = .json(
      #"{"identityProviders":[\#(one),{"entityId":"f","identifier":"j","name":"n"}],"#
        + #""extraInfo":[{"title":"a","url":"javascript:alert(1)"},{"title":"b"},7,"#
        + #"{"title":"c","url":"http://sp.test/"}]}"#)
    let state = try script.method().begin(script.servers.context()).provider
    #expect(state.explanations.isEmpty)
  }

  /// Expected errors for failed or malformed responses at each of the three endpoints.
  static let answers: [(ScriptedServers.Answer, SignInError.Cause)] = [
    (.status(201), .exchange(.notJSON(status: 201))),
    (.status(202), .exchange(.notJSON(status: 202))),
    (.status(204), .exchange(.notJSON(status: 204))),
    (.status(206), .exchange(.notJSON(status: 206))),
    (.redirect("https://elsewhere.test/?code=1"), .exchange(.redirected(status: 302))),
    (.status(404), .status(404)), (.status(501), .status(501)), (.status(502), .status(502)),
    (.status(429, [.init(name: "retry-after", value: "3")]), .tooManyRequests(retryAfter: 3)),
    (.json(#"{"error":"nr20"}"#, status: 500), .saml(number: 20)),
    (.json(#"{"error":"unknown-code"}"#, status: 404), .expired),
    (.json(#"{"error":"bad-request"}"#, status: 400), .badRequest(UntrustedText("bad-request"))),
    (.json(#"{"error":"level"}"#, status: 403), .denied(UntrustedText("level"))),
    (.of(type: "text/html", "<p>"), .exchange(.notJSON(status: 200))),
    (.json(#"{"half"#), .exchange(.notJSON(status: 200))),
    (.failure(.timeout), .exchange(.http(.timeout))),
  ]

  @Test(arguments: answers.indices)
  func
    `2xx is read, a redirect is not followed, and 4xx and 5xx are errors of their own, at each service`(
      _ index: Int
    ) async throws
  {
    let (answer, reason) = Self.answers[index]
    var first = SPIDScript()
    first.list = answer
    #expect(
      try await refusal { try first.method().begin(first.servers.context()) }.cause == reason
    )
    var second = SPIDScript()
    second.request = answer
    #expect(
      try await refusal {
        try await second.method().begin(second.servers.context()).provider.choose("timid")
      }.cause == reason)
    var third = SPIDScript()
    third.user = answer
    let servers = third.servers
    let wire = SPIDWire(try third.method(), try servers.context())
    #expect(try await refusal { try wire.account("code") }.cause == reason)
  }

  @Test func `data that say nothing of a person, or are none, are refused`() async throws {
    for (text, problem) in [
      ("[]", .missingMember("codiceFiscale")), ("{}", .missingMember("codiceFiscale")),
      (#"{"codiceFiscale":null,"nome":null}"#, .missingMember("codiceFiscale")),
      (#"{"codiceFiscale":"","nome":"A"}"#, .missingMember("codiceFiscale")),
      (#"{"codiceFiscale":7}"#, .wrongMember("codiceFiscale")),
      (#"{"codiceFiscale":"X","nome":["A"]}"#, .wrongMember("nome")),
      (#"{"codiceFiscale":"X","dataNascita":"31/02/1980"}"#, .wrongMember("dataNascita")),
      (#"{"codiceFiscale":"X","dataNascita":"1980-13-01"}"#, .wrongMember("dataNascita")),
      (#"{"codiceFiscale":"X","dataNascita":"1980-00-00"}"#, .wrongMember("dataNascita")),
      (#"{"codiceFiscale":"X","dataNascita":"1980-02-31"}"#, .wrongMember("dataNascita")),
      (#"{"codiceFiscale":"X","dataNascita":"1981-02-29"}"#, .wrongMember("dataNascita")),
      (
        #"{"codiceFiscale":"X","dataScadenzaIdentita":"T"}"#,
        .wrongMember("dataScadenzaIdentita")
      ),
      (#"{"codiceFiscale":"X","codiceFiscale":"Y"}"#, .repeatedMember("codiceFiscale")),
    ] as [(String, ExchangeProblem)] {
      var script = SPIDScript()
      script.user = .json(text)
      let wire = SPIDWire(try script.method(), try script.servers.context())
      let error = try await refusal { try wire.account("code") }
      #expect(error.cause == .exchange(problem))
    }
    var script = SPIDScript()
    script.user = .json(
      #"{"codiceIdentificativo":"SAND1","dataNascita":"","ruolo":"amministratore","nome":null}"#)
    let wire = SPIDWire(try script.method(), try script.servers.context())
    let claims = try wire.account("code").claims
    #expect(claims[.codiceIdentificativo] == "SAND1" && claims[.nome] == nil)
    #expect(claims.all.map(\.name) == ["codiceIdentificativo", "ruolo"])
  }

  @Test func `an entry must be right in every member`() throws {
    func problem(_ text: String) -> ServiceProblem? {
      do {
        var entry = try ServiceEntry(JSONValue([UInt8](text.utf8)), folder: nil)
        _ = try SPIDSignIn(&entry)
        try entry.finish()
        return nil
      } catch { return (error as? SignInError)?.serviceProblem }
    }
    let base = #""base":"https://localhost:8443/spid/""#
    #expect(problem("{\(base)}") == nil)
    #expect(problem(#"{\#(base),"level":3,"hosts":["idp.test:8443"]}"#) == nil)
    #expect(problem("{}") == .missingMember("base"))
    #expect(problem(#"{"base":"http://localhost/spid/"}"#) == .notHTTPS("base"))
    #expect(problem(#"{"base":"https://localhost/spid"}"#) == .notABase("base"))
    for level in ["0", "4", "\"2\"", "1.5", "null"] {
      #expect(problem(#"{\#(base),"level":\#(level)}"#) == .wrongMember("level"))
    }
    #expect(problem(#"{\#(base),"hosts":["idp.test/path"]}"#) == .wrongMember("hosts"))
    #expect(problem(#"{\#(base),"assisted":false}"#) == .unknownMember("assisted"))
    #expect(problem(#"{\#(base),"url":"x"}"#) == .unknownMember("url"))
  }
}

/// Percent-encoded text in a query.
struct PercentEncodedText {
  let text: String

  init(_ text: String) {
    self.text = text.replacing(":", with: "%3A").replacing("/", with: "%2F")
  }
}

extension Thread {
  /// Serves a page with a listener, on a separate thread.
  static func answer(_ listener: ReturnListener, _ page: FormPage) {
    detachNewThread { _ = try? listener.answer(timeout: .seconds(30), serving: page) }
  }
}
