import Testing

@testable import RedirectFlow
@testable import Web

/// Services and identity providers in their ordinary forms, for the browser of a headless login.
@Suite struct OrdinaryServiceTests {
  /// Servers as a table; the requests, with the fields that name their referrer.
  private final class Servers: PageExchange {
    private let answers: [String: (status: Int, headers: [String: String], body: [UInt8])]
    private(set) var requests: [String] = []
    let cookies: [String] = []

    init(_ answers: [String: (status: Int, headers: [String: String], body: [UInt8])]) {
      self.answers = answers
    }

    func send(_ request: HTTPRequest) throws(HTTPError) -> HTTPResponse {
      let fields = request.headers.filter { ["Referer", "Origin"].contains($0.name) }
      let method = if case .get = request.method { "GET" } else { "POST" }
      requests.append(([method, request.url] + fields.map(\.value)).joined(separator: " "))
      guard let answer = answers[request.url] else { throw .connect(host: request.url) }
      return try HTTPResponse(
        status: answer.status, url: request.url,
        headers: answer.headers.map { .init(name: $0.key, value: $0.value) }, body: answer.body)
    }
  }

  private static func page(
    _ html: String, _ headers: [String: String] = [:]
  ) -> (status: Int, headers: [String: String], body: [UInt8]) {
    (200, headers, [UInt8](html.utf8))
  }

  private static func redirect(
    _ target: String, _ status: Int = 302, _ headers: [String: String] = [:]
  ) -> (status: Int, headers: [String: String], body: [UInt8]) {
    (status, headers.merging(["location": target]) { $1 }, [])
  }

  private func open(
    _ servers: Servers, _ submission: FormSubmission? = nil, at stage: LoginStage = .serviceProvider
  ) throws -> Browser.Arrival {
    let page = try RedirectURL(Script.sp + "/")
    let rules = ServiceRules(start: page.origin, LoginConfiguration(.production))
    var browser = Browser(servers, .production, .default, rules) { _ in }
    return try browser.open(submission ?? FormSubmission(page), at: stage)
  }

  private static let wayOnTable: [(String, [String: String])] = [
    ("<meta http-equiv=refresh content='0; url=/x'>", [:]),
    ("<META HTTP-EQUIV=\"Refresh\" CONTENT=\"0;URL='/x'\">", [:]),
    ("<meta http-equiv=refresh content='1,/x'>", [:]), ("<p>wait", ["refresh": "0; url=/x"]),
    ("<meta http-equiv=refresh content=' 25 ; url = \"/x\" '><p>you will be sent on", [:]),
    ("<base href=/y/><meta http-equiv=refresh content='0;url=../x'>", [:]),
    ("<script>location.href = '/x'</script>", [:]),
    ("<script>\n<!--\nvar a = 1\nwindow.location = \"\\/x\";\n//-->\n</script>", [:]),
    ("<script>'use strict'; f(); window.top.location.replace('/x')</script>", [:]),
    ("<body onload=\"document.location='/x'\">", [:]),
    ("<script>if (a) { b() }\nlocation.assign('/x');</script>", [:]),
  ]

  @Test(arguments: wayOnTable)
  func pagesGoOn(_ html: String, _ headers: [String: String]) throws {
    let servers = Servers([
      Script.sp + "/": Self.page(html, headers), Script.sp + "/x": Self.page("<p>y"),
    ])
    guard case .page(let page) = try open(servers) else { throw ServerFailure() }
    #expect(page.url.text == Script.sp + "/x")
    #expect(servers.requests.last == "GET \(Script.sp)/x \(Script.sp)/")
  }

  @Test(arguments: [
    "<meta http-equiv=refresh content=60>", "<meta http-equiv=refresh content='0'>",
    "<meta http-equiv=refresh content='0;url=//u@a/'>",
    "<meta http-equiv=refresh content='0;url=/'>", "<meta http-equiv=refresh content='x;url=/x'>",
    "<meta http-equiv=refresh content='900;url=/x'>", "<meta name=refresh content='0;url=/x'>",
    "<noscript><meta http-equiv=refresh content='0;url=/x'></noscript>",
    "<meta http-equiv=refresh content='5;url=/x'><a href=/l>Entra con CIE</a>",
    "<script>function f() { location.href = '/x' }</script>",
    "<script>if (a) location.href = '/x'</script>", "<script>if (a)\nlocation = '/x'</script>",
    "<script>if (a) { } else location = '/x'</script>", "<script>a && (location = '/x')</script>",
    "<script>location.href = '/x' + a</script>", "<script>b.location = '/x'</script>",
    "<script>// location.href = '/x'</script>", "<script>if (location == '/x') a()</script>",
  ])
  func pagesStay(_ html: String) throws {
    let servers = Servers([Script.sp + "/": Self.page(html)])
    guard case .page(let page) = try open(servers) else { throw ServerFailure() }
    #expect(page.url.text == Script.sp + "/")
  }

  /// A page's refresh goes no further than a redirect may.
  @Test(arguments: ["http://sp.example/x", "file:///x", "javascript:a()", "CIEID://x"])
  func pagesGoNowhereElse(_ target: String) throws {
    let refresh = "<meta http-equiv=refresh content='0;url=\(target)'>"
    let servers = Servers([Script.sp + "/": Self.page(refresh)])
    #expect(throws: LoginError.self) { try open(servers) }
    #expect(servers.requests.count == 1)
    let evil = Servers([
      Script.idp + "/idp/login": Self.page(
        "<meta http-equiv=refresh content='0;url=https://evil.example/'>")
    ])
    #expect(throws: LoginError.self) {
      try open(evil, FormSubmission(try RedirectURL(Script.idp + "/idp/login")))
    }
    #expect(evil.requests.count == 1)
  }

  @Test func pagesDoNotGoOnForEver() throws {
    let servers = Servers([
      Script.sp + "/": Self.page("<meta http-equiv=refresh content='0;url=/x'>"),
      Script.sp + "/x": Self.page("<meta http-equiv=refresh content='0;url=/'>"),
    ])
    #expect(throws: LoginError.self) { try open(servers) }
    #expect(servers.requests.count == 1 + Browser.formLimit)
  }

  @Test func theIdentityProvidersPageMayJumpToTheApp() throws {
    let login = Script.idp + "/idp/login"
    let servers = Servers([login: Self.page("<script>location.href = '\(Links.card)'</script>")])
    let arrival = try open(servers, FormSubmission(try RedirectURL(login)))
    guard case .handOff(Links.card) = arrival else { throw ServerFailure() }
  }

  /// A finished login is finished at any last page.
  @Test func anyLastPageWillDo() throws {
    let long = [UInt8](String(repeating: "<p>ciao</p>", count: 300_000).utf8)
    let deep = [UInt8](String(repeating: "<div>", count: 20_000).utf8)
    let wide = [UInt8](
      String(repeating: "\u{FEFF}<p>x", count: 2).utf16.flatMap {
        [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)]
      })
    let answers: [(Int, [String: String], [UInt8])] = [
      (200, [:], []), (204, [:], []), (205, [:], []), (200, [:], long), (200, [:], deep),
      (200, ["content-type": "application/pdf"], [UInt8]("%PDF-1.7\u{0}".utf8) + [0xFF, 0xFE]),
      (200, ["content-type": "application/json"], [UInt8]("{}".utf8)), (200, [:], wide),
      (200, ["content-type": "text/html; charset=x-unknown"], [0xE0, 0x80, 0x3C]),
      (200, [:], [UInt8](repeating: 0, count: 1000)),
    ]
    for (status, headers, body) in answers {
      let servers = Servers([Script.sp + "/acs": (status, headers, body)])
      let acs = FormSubmission(try RedirectURL(Script.sp + "/acs"), .post(["a": "b"]))
      guard case .page(let page) = try open(servers, acs, at: .response) else {
        Issue.record("\(status) \(headers)")
        continue
      }
      #expect(page.status == status && page.url.text == Script.sp + "/acs")
    }
    // A page with a refresh that is not followed is the last one.
    let leaving = Servers([
      Script.sp + "/": Self.page("<meta http-equiv=refresh content='0;url=http://sp.example/'>")
    ])
    guard case .page = try open(leaving, at: .response) else { throw ServerFailure() }
    // Before that, it is not.
    #expect(throws: LoginError.self) { try open(Servers([Script.sp + "/": (200, [:], [])])) }
    let refusal = Servers([Script.sp + "/": (500, [:], [])])
    #expect(throws: LoginError.self) { try open(refusal, at: .response) }
  }
}

/// The page named as the referrer of a request.
extension OrdinaryServiceTests {
  private func requests(
    _ servers: Servers, _ method: HTTPRequest.Method, policy: ReferrerPolicy? = nil
  ) throws -> [String] {
    var referrer = Referrer(try RedirectURL("https://sp.example/a?b=c#d", allowingFragment: true))
    if let policy { referrer.policy = policy }
    let url = try RedirectURL("https://sp.example/1")
    _ = try open(servers, FormSubmission(url, method, from: referrer))
    return servers.requests
  }

  @Test func referrers() throws {
    let page = Self.page("<p>x")
    let servers = [
      "https://sp.example/1": Self.redirect("https://sp.example/2", 307),
      "https://sp.example/2": Self.redirect("https://b.example/3", 307),
      "https://b.example/3": Self.redirect("https://c.example/4", 307), "https://c.example/4": page,
    ]
    let own = "https://sp.example/a?b=c"
    let origin = "https://sp.example"
    #expect(
      try requests(Servers(servers), .get) == [
        "GET https://sp.example/1 \(own)", "GET https://sp.example/2 \(own)",
        "GET https://b.example/3 \(origin)/", "GET https://c.example/4 \(origin)/",
      ])
    // Only the last redirect leaves the form's site.
    #expect(
      try requests(Servers(servers), .post([:])) == [
        "POST https://sp.example/1 \(own) \(origin)", "POST https://sp.example/2 \(own) \(origin)",
        "POST https://b.example/3 \(origin)/ \(origin)", "POST https://c.example/4 \(origin)/ null",
      ])
    #expect(
      try requests(Servers(servers), .post([:]), policy: .noReferrer).last
        == "POST https://c.example/4 null")
    #expect(
      try requests(Servers(servers), .get, policy: .unsafeURL).last
        == "GET https://c.example/4 \(own)")
    #expect(
      try requests(Servers(servers), .get, policy: .sameOrigin) == [
        "GET https://sp.example/1 \(own)", "GET https://sp.example/2 \(own)",
        "GET https://b.example/3", "GET https://c.example/4",
      ])
    let strict = servers.merging(
      ["https://sp.example/1": Self.redirect("/2", 307, ["referrer-policy": "x, origin , y"])]
    ) { $1 }
    #expect(try requests(Servers(strict), .get)[1] == "GET https://sp.example/2 \(origin)/")
    // A typed address has no referrer.
    let typed = Servers(servers)
    _ = try open(typed, FormSubmission(try RedirectURL("https://sp.example/1")))
    #expect(typed.requests.last == "GET https://c.example/4")
  }
}
