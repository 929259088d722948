internal import CIECard
@testable import RedirectFlow
@testable import Web

/// Pages and forms, cookies, and whole logins from the pages of an input.
extension FuzzTarget {
  static let pages = [html, script, selector, cookie, login]

  private static let consentPage = """
    <title>Consenso</title><dl><dt>Nome</dt><dd>ADA</dd><dt>Codice fiscale</dt><dd>TINIT-X</dd></dl>
    <form method=post action=/idp/consent><input type=hidden name=t value=1>
    <button name=choice value=accept>Acconsento</button>
    <button name=choice value=deny>Non acconsento</button></form>
    """
  private static let linkPage =
    "<title>Login</title><a href='\(card.replacing("&", with: "&amp;"))'>"
    + "Entra con lettura carta CIE</a>"

  private static let html = FuzzTarget("html") {
    Seeds.lines(
      consentPage, linkPage,
      "<base href=/a/><form action=b><select name=s><option value=1 selected>x</select>"
        + "<textarea name=t>y</textarea><input type=checkbox name=c checked><button name=d>Entra con CIE",
      "<meta http-equiv=refresh content='0; url=/next'><body onload='document.forms[0].submit()'>"
        + "<form method=post action=/x><input name=SAMLRequest value=abc></form>",
      "<script>var link = \"\(card)\"; location.href = '/a'; document.f.submit();</script>",
      "<table><tr><th>Nome<td>ADA</table><iframe src=x></iframe><template><p>a</template>")
  } play: { probe in
    let address = try RedirectURL("https://sp.example/one/page")
    let response = try HTTPResponse(
      status: 200, url: address.text, headers: [], body: probe.bytes)
    let page = try LoadedPage(response, at: address)
    let content = page.content
    for form in content.forms { _ = form.submission(pressing: form.fields.first) }
    _ = (try? page.loginButton(), try? page.consent(), try? page.message(at: .serviceProvider))
    _ = try? page.handOff(.default, in: .production)
    _ = (content.title, content.links, content.controls, content.scriptTargets)
  }

  private static let script = FuzzTarget("script") {
    Seeds.lines(
      "var a = \"b\\u0041\"; /* c */ location.replace('/d' + x); // e\ndocument.forms[0].submit()",
      "window.onload=function(){document.getElementById('f').submit();}",
      "const url = `https://sp.example/${encodeURIComponent(x)}`; top.location = url")
  } play: { probe in
    let tokens = ScriptToken.tokens(of: probe.text)
    let script = PageScript(probe.text)
    probe.require(tokens.count <= probe.bytes.count, "a token takes its room")
    guard script.submission != nil || script.navigation != nil || !script.constants.isEmpty else {
      throw Unfit()
    }
  }

  private static let selector = FuzzTarget("selector") {
    Seeds.lines(
      "dl > dt.a, form#b input[name=c]", "[a^='b'] [c$=d], *", "text:Benvenuta", "url:https://a/*")
  } play: { probe in
    guard let expectation = LoginExpectation(probe.text) else { throw Unfit() }
    let page = try Page(
      body: [UInt8](consentPage.utf8), url: "https://sp.example/idp")
    let isMet = expectation.isMet(by: page, at: try RedirectURL("https://sp.example/idp"))
  }

  private static let cookie = FuzzTarget("cookie") {
    Seeds.behind(
      [[0]],
      Seeds.lines(
        "sp.example\tFALSE\t/\tTRUE\t0\tsession\tx", "#HttpOnly_.a.test\tTRUE\t/b\tFALSE\t99\tc\t"))
      + Seeds.behind([[1]], Seeds.lines("session=x; Path=/; Secure\nother=; Max-Age=1"))
  } play: { probe in
    let (choices, rest) = probe.split(1)
    let text = String(decoding: rest, as: UTF8.self)
    if choices[0] & 1 == 0 {
      guard let cookie = LoggedIn.Cookie(netscapeLine: text) else { throw Unfit() }
      let again = LoggedIn.Cookie(netscapeLine: cookie.netscapeLine)
      probe.require(again == cookie, "a cookie that is written is read")
      if cookie.belongs(to: "sp.example") {
        probe.require(cookie.domain.hasSuffix("e"), "only of its own domain")
      }
    } else {
      let headers = text.split(separator: "\n").map {
        HTTPResponse.Header(name: "set-cookie", value: String($0))
      }
      var setters = CookieSetters()
      let response = try HTTPResponse(
        status: 200, url: "https://sp.example/", headers: headers, body: [])
      setters.note(response, isIdentityProvider: true)
    }
  }

  /// A whole login of a person who agrees to everything, from the pages and redirects of an input: one after another,
  /// divided by 1E; those that begin with `>` are redirects.
  private static let login = FuzzTarget("login") {
    let post =
      "<form method=post action='https://sp.example/acs'>"
      + "<input type=hidden name=SAMLResponse value='\(base64(response(assertion)))'></form>"
    let pages = [
      "<title>SP</title><a href='/login'>Entra con CIE</a>",
      ">\(host)/idp/profile/SAML2/Redirect/SSO?SAMLRequest=x", ">/idp/login?execution=e1s1",
      linkPage, consentPage, post, ">/profile", "<h1>Hello</h1>",
    ]
    return [pages, Array(pages.dropFirst(2)), Array(pages.prefix(4))].map {
      [UInt8]($0.joined(separator: "\u{1E}").utf8)
    }
  } play: { probe in
    let servers = PageList(probe.bytes)
    let start = try RedirectURL("https://sp.example/")
    let rules = ServiceRules(start: start.origin, LoginConfiguration(.production))
    let browser = Browser(servers, .production, .default, rules, report: { _ in })
    defer { probe.require(servers.count < 60, "a bounded number of requests") }
    let waiting = try HeadlessLogin(browser).reachHandOff(from: start)
    let session: LoggedIn
    switch try waiting.resume(with: RedirectURL(completedLogin)) {
    case .answered(let login):
      guard login.response.status.isSuccess else { throw try login.refuse() }
      let agreement = ReleaseAgreement(try login.request)
      session = try login.respond(agreement)
    case .asked(let login):
      let agreement = ReleaseAgreement(login.request)
      session = try login.accept().respond(agreement)
    }
    probe.require(session.url.host == "sp.example", "at the service's own")
  }

  private static let completedLogin =
    host + "/idp/Authn/X509?conversation=e1s1&login=1&codice=0123456789012345"
}

/// Servers that answer any request with the pages of an input.
private final class PageList: PageExchange {
  private var rest: [ArraySlice<UInt8>]
  private(set) var count = 0
  let cookies = ["sp.example\tFALSE\t/\tTRUE\t0\tsession\tx"]

  init(_ bytes: [UInt8]) {
    rest = bytes.split(separator: 0x1E, omittingEmptySubsequences: false).reversed()
  }

  func send(_ request: HTTPRequest) throws(HTTPError) -> HTTPResponse {
    count += 1
    guard let page = rest.popLast() else { throw .connect(host: "") }
    let target = page.first == UInt8(ascii: ">") ? page.dropFirst() : nil
    return try HTTPResponse(
      status: target == nil ? 200 : 302, url: request.url,
      headers: target.map {
        [HTTPResponse.Header(name: "location", value: String(decoding: $0, as: UTF8.self))]
      } ?? [], body: target == nil ? [UInt8](page) : [])
  }
}
