import Testing

@testable import RedirectFlow
@testable import Web

/// The user agent's rules, each against servers that break one of them.
@Suite struct HeadlessLoginTests {
  /// A whole login with these answers in place of the good ones.
  private func logIn(
    _ changes: [String: ScriptedPages.Answer] = [:], from page: String = Script.sp + "/",
    environment: LoginEnvironment = .production, allowing allowed: Set<RedirectURL.Origin> = []
  ) throws -> (LoggedIn, ScriptedPages) {
    let pages = ScriptedPages(Script.good.merging(changes) { $1 })
    let session = try pages.logIn(
      from: page, environment: environment, allowing: allowed)
    return (session, pages)
  }

  private func failure(
    _ changes: [String: ScriptedPages.Answer], from page: String = Script.sp + "/",
    environment: LoginEnvironment = .production, allowing allowed: Set<RedirectURL.Origin> = []
  ) throws -> LoginError.Cause {
    let error = #expect(throws: LoginError.self) {
      try logIn(changes, from: page, environment: environment, allowing: allowed)
    }
    return try #require(error).cause
  }

  @Test func goodLogin() throws {
    let (session, pages) = try logIn()
    #expect(session.url.text == Script.sp + "/profile" && session.status == 200)
    // The identity provider's own session is not returned.
    #expect(session.cookies.map(\.netscapeLine) == ["sp.example\tFALSE\t/\tTRUE\t0\tsession\tx"])
    #expect(
      pages.requests == [
        "GET \(Script.sp)/", "GET \(Script.sp)/login",
        "GET \(Script.idp)/idp/profile/SAML2/Redirect/SSO?SAMLRequest=x",
        "GET \(Script.idp)/idp/login?execution=e1s1", "GET \(Script.completed)",
        "POST \(Script.idp)/idp/consent t=1&choice=accept",
        "POST \(Script.sp)/acs " + Script.form(Responses.document()), "GET \(Script.sp)/profile",
      ])
  }

  /// A link is not loaded: it is taken from the page, or from the redirect that leads to it.
  @Test func handOffIsNotLoaded() throws {
    let (_, pages) = try logIn([Script.idp + "/idp/login": .redirect(Links.card)])
    #expect(!pages.requests.contains { $0.contains("OpenApp") })
  }

  @Test func buttonsOfEveryKind() throws {
    for button in [
      "<form action=/login><button>Entra con CIE</button></form>",
      "<form action=/login method=post><input type=submit name=a value='ENTRA CON CIE'></form>",
      "<form action=/login><button name=idp value=cie>Entra con <b>CIE</b></button></form>",
      "<p><a href='https://sp.example/login'> Entra\n con CIE 3.0 </a>",
    ] {
      #expect(try logIn([Script.sp + "/": .page(button)]).0.status == 200)
    }
    guard case .noLoginButton = try failure([Script.sp + "/": .page("<a href=/x>SPID</a>")])
    else {
      Issue.record("a page without the button")
      return
    }
  }

  @Test func postBindingAndGateways() throws {
    let sso = Script.idp + "/idp/profile/SAML2/POST/SSO"
    let gate = "https://gate.example/"
    let toGate = Responses.page(Responses.document(destination: gate + "acs"), to: gate + "acs")
    let gateway: [String: ScriptedPages.Answer] = [
      Script.sp + "/login": .page(Script.request(to: gate + "sso")),
      gate + "sso": .page(Script.request(to: sso)),
      sso: .redirect("/idp/login?execution=e1s1", status: 303),
      Script.idp + "/idp/consent": .page(toGate), gate + "acs": .page(Responses.page()),
    ]
    let (_, pages) = try logIn(gateway, allowing: [try RedirectURL(gate).origin])
    #expect(pages.requests.contains("POST \(sso) SAMLRequest=abc"))
  }

  @Test(arguments: [
    ("/", "http://sp.example/login"), ("/login", "http://idserver.servizicie.interno.gov.it/"),
    ("/acs", "http://sp.example/profile"),
  ])
  func httpsIsNotLeft(_ path: String, _ target: String) throws {
    guard case .navigation(.notHTTPS, _) = try failure([Script.sp + path: .redirect(target)])
    else {
      Issue.record("\(target) was gone to")
      return
    }
    guard case .navigation(.notHTTPS, _) = try failure([:], from: "http://sp.example/") else {
      Issue.record("an insecure page was opened")
      return
    }
  }

  /// Before there is a response to hand over, the identity provider leads only to itself.
  @Test(arguments: [
    "/idp/profile/SAML2/Redirect/SSO", "/idp/login", "/idp/Authn/X509", "/idp/consent",
  ])
  func environmentIsNotLeft(_ path: String) throws {
    for origin in [
      "https://evil.example", "https://idserver.servizicie.interno.gov.it.evil.example",
    ] {
      let error = try failure([
        Script.idp + path: .redirect(origin + "/"), origin + "/": .page("<p>x"),
      ])
      guard case .navigation(.leftEnvironment, _) = error else {
        Issue.record("\(path): \(error)")
        return
      }
    }
  }

  @Test(arguments: [LoginEnvironment.preproduction, .collaudo])
  func environmentsDoNotMix(_ environment: LoginEnvironment) throws {
    guard
      case .navigation(.otherEnvironment, .serviceProvider) =
        try failure([:], environment: environment)
    else {
      Issue.record("another environment's identity provider was opened")
      return
    }
  }

  /// Ten redirects in a row, from any start, and no more; the good login has some of them itself.
  @Test(arguments: [
    (Script.sp + "/login", 2), (Script.idp + "/idp/login", 2), (Script.idp + "/idp/Authn/X509", 0),
    (Script.sp + "/profile", 1),
  ])
  func tenRedirectsAreFollowed(_ place: String, _ usual: Int) throws {
    func detour(_ count: Int) throws -> [String: ScriptedPages.Answer] {
      var changes = [place: ScriptedPages.Answer.redirect(place + "/1")]
      for hop in 1..<count { changes[place + "/\(hop)"] = .redirect(place + "/\(hop + 1)") }
      changes[place + "/\(count)"] = Script.good[place]
      return changes
    }
    #expect(try logIn(detour(10 - usual)).0.status == 200)
    guard case .navigation(.tooManyHops, _) = try failure(detour(11 - usual)) else {
      Issue.record("an eleventh redirect")
      return
    }
  }

  /// Ten forms that send themselves in a whole login; each may be followed by redirects.
  @Test func formsAreCounted() throws {
    let gate = "https://gate.example/"
    let allowed: Set<RedirectURL.Origin> = [try RedirectURL(gate).origin]
    func page(to action: String) -> String {
      Responses.page(Responses.document(destination: nil), to: action)
    }
    func gates(_ count: Int) -> [String: ScriptedPages.Answer] {
      var changes: [String: ScriptedPages.Answer] = [
        Script.idp + "/idp/consent": .page(page(to: gate + "1"))
      ]
      for number in 1...count {
        let next = number == count ? Script.sp + "/acs" : gate + "\(number + 1)"
        changes[gate + "\(number)"] = .redirect(gate + "\(number)/form")
        changes[gate + "\(number)/form"] = .page(page(to: next))
      }
      return changes
    }
    #expect(try logIn(gates(10), allowing: allowed).0.status == 200)
    for endless in [
      gates(11),
      [gate + "1": .page(page(to: gate + "1"))]
        .merging(gates(1)) { first, _ in first },
    ] {
      guard case .navigation(.tooManyHops, .response) = try failure(endless, allowing: allowed)
      else {
        Issue.record("an endless chain of forms")
        return
      }
    }
  }

  @Test(arguments: [
    "file:///etc/passwd", "data:text/html,a", "ftp://sp.example/", "javascript:alert(1)",
    "https://user:word@sp.example/",
  ])
  func webIsNotLeft(_ target: String) throws {
    for place in [Script.sp + "/login", Script.idp + "/idp/login", Script.sp + "/acs"] {
      guard case .navigation(let problem, _) = try failure([place: .redirect(target)]) else {
        Issue.record("\(target) was gone to")
        return
      }
      if case .url = problem { continue }
      #expect(problem == .notHTTPS)
    }
  }

  @Test(arguments: [
    "https://evil.example/OpenApp?" + Links.parameters,
    Links.card("nextUrl", "https://evil.example/"),
    Links.card + "&value=e2s1", Links.card.replacing("https://", with: "http://"),
    "https://u@" + Links.card.dropFirst("https://".count),
  ])
  func wrongLinksAreRefused(_ link: String) throws {
    let error = try failure([Script.idp + "/idp/login": .page(Script.link(link))])
    guard case .handOff = error else {
      Issue.record("\(error)")
      return
    }
  }

  /// Consent is given by pressing the right button of a recognised page, never by a script or a guess.
  @Test(arguments: [
    "<dl><dt>Nome<dd>ADA</dl><form method=post action=/idp/consent><button name=a value=b>Avanti</button></form>",
    "<dl><dt>Nome<dd>ADA</dl><form method=post action=/idp/otp><input name=otp><button>Continua</button></form>",
    "<dl><dt>Nome<dd>ADA</dl><form method=post action=/idp/consent><button>Accetta</button><button>Autorizza</button></form>",
    "<dl><dt>Nome<dd>ADA</dl><form method=post action=/idp/consent><button>Non acconsento</button></form>",
    "<dl><dt>Nome<dd>ADA</dl><form action=/idp/consent><button>Acconsento</button></form>",
    Script.consent + Script.consent, "<p>Hello",
    "<dl><dt>Nome<dd>ADA</dl><form id=f method=post action=/idp/consent><input name=choice value=accept></form>"
      + "<script>document.getElementById('f').submit()</script>",
  ])
  func consentIsNotGuessed(_ page: String) throws {
    let error = try failure([Script.idp + "/idp/Authn/X509": .page(page)])
    #expect(error == .unexpectedPage(.completion))
  }

  @Test func consentShowsTheAttributes() throws {
    let page = try LoadedPage(
      try HTTPResponse(Script.consent), at: try RedirectURL(Script.completed))
    let form = try page.consent()
    #expect(form.attributes.map(\.label) == ["Nome", "Codice Fiscale"])
    #expect(form.attributes.map(\.value) == ["ADA", "PROVA"])
    #expect(!"\(form.attributes)".contains("ADA") && !"\(form.attributes)".contains("PROVA"))
  }

  @Test func errorPages() throws {
    let page = "<title>ERRORE</title><h1>ERRORE</h1><p>ErrorCode nr02</p>"
    for path in ["/idp/login", "/idp/Authn/X509", "/idp/consent"] {
      guard case .errorPage(code: 2, _) = try failure([Script.idp + path: .page(page, status: 403)])
      else {
        Issue.record("\(path) shows an error page")
        return
      }
    }
  }

  @Test func serviceProviderRefuses() throws {
    guard
      case .refusedByServiceProvider(status: 403) =
        try failure([Script.sp + "/acs": .page("<p>no", status: 403)])
    else {
      Issue.record("the service provider said no")
      return
    }
    // An end at the identity provider is no session anywhere.
    guard
      case .unexpectedPage(.response) =
        try failure([
          Script.sp + "/acs": .redirect(Script.idp + "/idp/other"),
          Script.idp + "/idp/other": .page("<p>x"),
        ])
    else {
      Issue.record("a login that ended at the identity provider")
      return
    }
  }

  /// A service provider cannot forge the identity provider's answer.
  @Test func responseBeforeTheIdentityProvider() throws {
    let page = Responses.page()
    guard case .unexpectedPage(.serviceProvider) = try failure([Script.sp + "/login": .page(page)])
    else {
      Issue.record("a response from nowhere was posted")
      return
    }
  }
}
