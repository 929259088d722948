import Testing

@testable import RedirectFlow
@testable import Web

/// The receiver of the response, its status, and its acceptance by the service: against servers with one fault each.
@Suite struct LoginAnswerTests {
  private func run(
    _ changes: [String: ScriptedPages.Answer], allowing allowed: Set<RedirectURL.Origin> = [],
    expectation: LoginExpectation? = nil
  ) throws -> (Result<LoggedIn, LoginError>, [String]) {
    let pages = ScriptedPages(Script.good.merging(changes) { $1 })
    do throws(LoginError) {
      return (
        .success(try pages.logIn(allowing: allowed, expectation: expectation)), pages.requests
      )
    } catch { return (.failure(error), pages.requests) }
  }

  /// The error of a login with these answers, and the requests to the servers until then.
  private func failure(
    _ changes: [String: ScriptedPages.Answer], allowing allowed: Set<RedirectURL.Origin> = [],
    expectation: LoginExpectation? = nil
  ) throws -> (LoginError.Cause, [String]) {
    let (result, requests) = try run(changes, allowing: allowed, expectation: expectation)
    guard case .failure(let error) = result else { throw Unexpected(requests: requests) }
    return (error.cause, requests)
  }

  private struct Unexpected: Error { let requests: [String] }

  private let consent = Script.idp + "/idp/consent"

  // MARK: The status

  /// The service may admit anyone: without a good status there is no login.
  @Test(arguments: [
    (Responses.responder, "ErrorCode nr25", 25), (Responses.responder, nil, nil),
    (Responses.success, "ErrorCode nr23", 23), ("urn:x", nil, nil),
  ])
  func statusIsRead(_ status: String, _ message: String?, _ number: Int?) throws {
    let document = Responses.document(status: status, message: message, content: "")
    let (error, requests) = try failure([consent: .page(Responses.page(document))])
    guard case .refusedByIdentityProvider(let read) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(read.errorNumber == number && !read.isSuccess)
    // The service learns of it, as from a browser.
    #expect(requests.contains("POST \(Script.sp)/acs " + Script.form(document)))
  }

  /// A refusal with personal data in it is not delivered.
  @Test func refusalWithAssertionIsNotSent() throws {
    let document = Responses.document(status: Responses.responder)
    let (error, requests) = try failure([consent: .page(Responses.page(document))])
    guard case .refusedByIdentityProvider = error else {
      Issue.record("\(error)")
      return
    }
    #expect(!requests.contains { $0.hasPrefix("POST \(Script.sp)") })
  }

  @Test(arguments: ["<Response>", "<!DOCTYPE a><a/>", "<a/>"])
  func unreadableResponseIsNotSent(_ document: String) throws {
    let (error, requests) = try failure([consent: .page(Responses.page(document))])
    guard case .handOff(.response) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(!requests.contains { $0.hasPrefix("POST \(Script.sp)") })
  }

  /// Before the card was asked for there can be no login, whatever the response.
  @Test func successBeforeTheCard() throws {
    let (error, requests) = try failure([Script.idp + "/idp/login": .page(Responses.page())])
    #expect(error == .noHandOff)
    #expect(!requests.contains { $0.hasPrefix("POST \(Script.sp)") })
  }

  /// A gateway of the service acts as its identity provider, and may refuse.
  @Test func gatewayThatRefuses() throws {
    let document = Responses.document(status: Responses.responder, content: "")
    let (error, _) = try failure([Script.sp + "/acs": .page(Responses.page(document))])
    guard case .refusedByIdentityProvider = error else {
      Issue.record("\(error)")
      return
    }
  }

  // MARK: The receiver

  @Test(arguments: ["https://evil.example", "https://sp.example.evil.example", Script.sp + ":444"])
  func responseGoesWhereTheLoginBegan(_ origin: String) throws {
    let page = Responses.page(
      Responses.document(destination: origin + "/acs"), to: origin + "/acs")
    let place = [consent: ScriptedPages.Answer.page(page), origin + "/acs": .page("<p>Welcome")]
    let (error, requests) = try failure(place)
    guard case .receiver(.notWhereTheLoginBegan(let start, let receiver)) = error else {
      Issue.record("\(error)")
      return
    }
    #expect("\(start)" == Script.sp && "\(receiver)" == origin)
    #expect(!requests.contains { $0.hasPrefix("POST \(origin)") })
    // An allowed receiver gets it.
    let (result, _) = try run(place, allowing: [try RedirectURL(origin).origin])
    #expect(throws: Never.self) { try result.get() }
  }

  @Test(arguments: ["https://evil.example/acs", "http://sp.example/acs", "acs", "urn:sp"])
  func destinationIsTheReceiver(_ destination: String) throws {
    let page = Responses.page(Responses.document(destination: destination))
    let (error, requests) = try failure([consent: .page(page)])
    guard case .receiver(.notTheDestination) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(!requests.contains { $0.hasPrefix("POST \(Script.sp)") })
  }

  @Test func destinationMayBeLeftOut() throws {
    let page = Responses.page(Responses.document(destination: nil))
    #expect(throws: Never.self) { try run([consent: .page(page)]).0.get() }
  }

  /// The rules for an identity provider that skips its page; data that only the receiver can read are not asked about.
  @Test func skippedConsentPage() throws {
    let completed = Script.idp + "/idp/Authn/X509"
    #expect(throws: Never.self) { try run([completed: .page(Responses.page())]).0.get() }
    let sealed = Responses.page(Responses.document(content: Responses.sealed))
    let (error, requests) = try failure([completed: .page(sealed)])
    guard case .consentUnlisted(let origin) = error else {
      Issue.record("\(error)")
      return
    }
    #expect("\(origin)" == Script.idp)
    #expect(!requests.contains { $0.hasPrefix("POST") })
  }

  // MARK: The service's page

  @Test func lastPageWithoutTheButton() throws {
    for page in [Script.button, "<form action=/x><button>Entra con CIE</button></form>"] {
      let (error, _) = try failure([Script.sp + "/profile": .page(page)])
      #expect(error == .notLoggedIn(.loginButton))
    }
  }

  /// A page to which a service redirects recognises the browser by a cookie, or by its address.
  @Test func cookieWhereOneIsNeeded() throws {
    let direct = [Script.sp + "/acs": ScriptedPages.Answer.page("<p>Welcome")]
    let token = [
      Script.sp + "/acs": ScriptedPages.Answer.redirect("/profile#token=x", status: 303)
    ]
    for (changes, isIn) in [([:], false), (direct, true), (token, true)] {
      let pages = ScriptedPages(Script.good.merging(changes) { $1 }, cookies: [])
      if isIn {
        #expect(throws: Never.self) { try pages.logIn() }
        // A caller that needs cookies requires at least one.
        let needing = ScriptedPages(Script.good.merging(changes) { $1 }, cookies: [])
        #expect(throws: LoginError.self) { try needing.logIn(needsCookies: true) }
      } else {
        let error = try #require(throws: LoginError.self) { try pages.logIn() }
        #expect(error.cause == .notLoggedIn(.noCookie))
      }
    }
  }

  /// On one machine both providers may share a host: a jar does not separate ports.
  @Test func identityProvidersCookieIsNoSession() throws {
    var setters = CookieSetters()
    func response(_ cookies: String...) throws -> HTTPResponse {
      try HTTPResponse(
        status: 200, url: Script.sp, headers: cookies.map { .init(name: "set-cookie", value: $0) },
        body: [])
    }
    setters.note(try response("idp=1; Secure", "both=1"), isIdentityProvider: true)
    setters.note(try response("both=2", "sp=1"), isIdentityProvider: false)
    #expect(["idp", "both", "sp", "other"].filter(setters.isIdentityProviders) == ["idp"])
  }

  /// The caller's sign of success decides alone.
  @Test(arguments: [
    ("Entra con CIE", true), ("css:a[href='/login']", true), ("/profile", true),
    ("https://sp.example/profile", true), ("Benvenuto", false), ("css:#welcome", false),
    ("url:/home", false), ("https://evil.example/profile", false),
  ])
  func expectation(_ text: String, _ isMet: Bool) throws {
    let page = [Script.sp + "/profile": ScriptedPages.Answer.page(Script.button)]
    let sign: LoginExpectation = try #require(LoginExpectation(text))
    let (result, _) = try run(page, expectation: sign)
    switch result {
    case .success: #expect(isMet)
    case .failure(let error):
      #expect(!isMet && error.cause == .notLoggedIn(.notAsExpected))
    }
  }

  // MARK: The hand-off

  /// A link from the service, or from any page but the identity provider's, belongs to another person's login.
  @Test func handOffElsewhere() throws {
    let link = Links.card.replacing("&", with: "&amp;")
    for (place, page) in [
      ("/", ScriptedPages.Answer.page("<a href='\(link)'>Entra con CIE</a>")),
      ("/login", .redirect(Links.card)), ("/", .redirect(Links.card)),
      (
        "/",
        .page(
          "<form id=f action='\(Links.host)/OpenApp'>"
            + "<input type=hidden name=nextUrl value='\(Links.host)/idp/Authn/X509'>"
            + "</form><script>f.submit()</script>")
      ),
    ] {
      let (error, requests) = try failure([Script.sp + place: page])
      guard case .handOffElsewhere(let origin) = error else {
        Issue.record("\(place): \(error)")
        return
      }
      #expect("\(origin)" == Script.sp)
      #expect(!requests.contains { $0.contains("OpenApp") })
    }
  }
}
