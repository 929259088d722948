import Testing

@testable import RedirectFlow
@testable import Web

/// Services' buttons, and elements that are not the button.
@Suite struct ServiceButtonTests {
  private func page(_ html: String) throws -> LoadedPage {
    let url = try RedirectURL("https://sp.example/a/?b=c")
    return try LoadedPage(
      HTTPResponse(status: 200, url: url.text, headers: [], body: [UInt8](html.utf8)), at: url)
  }

  private static let buttonsTable: [(String, String)] = [
    ("<a href=/l>Entra con CIE</a>", "GET /l"),
    ("<a href=/l><span>Entra</span>\n<b>con&nbsp;CIE</b></a>", "GET /l"),
    ("<a href=/l><img src=x alt='Entra con CIE'></a>", "GET /l"),
    ("<a href=/l aria-label='Accedi con CIE'><i></i></a>", "GET /l"),
    ("<p id=n>Accedi con la CIE</p><a href=/l aria-labelledby=n><i></i></a>", "GET /l"),
    ("<a href=/l title='Login con CIE'><i></i></a>", "GET /l"),
    ("<a role=button href=/l>Login with CIE</a>", "GET /l"),
    ("<a href=/l>Entra con Carta d'Identità Elettronica</a>", "GET /l"),
    ("<a href=/l>Sign in with your electronic identity card</a>", "GET /l"),
    ("<a href=/l>Accedi con CieID</a>", "GET /l"),
    ("<a href=/l><img alt='Logo CIE'></a>", "GET /l"),
    ("<map><area href=/l alt='Entra con CIE'></map>", "GET /l"),
    (
      "<form action=/l><input type=hidden name=v value='1 2'><input type=submit value='ENTRA CON CIE'></form>",
      "GET /l?v=1+2"
    ),
    (
      "<form method=post action=/l><button name=idp value=cie>Entra con CIE</button></form>",
      "POST /l idp=cie"
    ),
    (
      "<form action=/n><input type=hidden name=v value=1><button formaction=/l><img alt=''> Entra con CIE </button></form>",
      "GET /l?v=1"
    ),
    ("<form action=/l><button formmethod=post>Entra con CIE</button></form>", "POST /l "),
    (
      "<form action=/l><input type=image name=i src=x alt='Entra con CIE'></form>",
      "GET /l?i.x=0&i.y=0"
    ),
    (
      "<form id=f action=/l></form><button form=f name=a value=b>Entra con CIE</button>",
      "GET /l?a=b"
    ),
    (
      "<form action=/l><fieldset><form action=/n><input type=hidden name=a value=b></fieldset><button>Entra con CIE</button></form>",
      "GET /l?a=b"
    ),
    ("<a href='#' onclick=\"location.href='/l';return false\">Entra con CIE</a>", "GET /l"),
    ("<a href=\"javascript:window.location='/l'\">Entra con CIE</a>", "GET /l"),
    (
      "<button type=button onclick=\"window.location.assign('/l')\">Entra con CIE</button>",
      "GET /l"
    ),
    ("<div role=button onclick=\"location = '/l'\">Entra con CIE</div>", "GET /l"),
    ("<input type=button value='Entra con CIE' onclick=\"location.href='/l'\">", "GET /l"),
    (
      "<form action=/k></form><form id=c action=/l><input type=hidden name=v value=1></form><a href='#' onclick=\"document.getElementById('c').submit()\">Entra con CIE</a>",
      "GET /l?v=1"
    ),
    // The better one of several.
    (
      "<a href=/n>Cos'è CIE?</a><a href=/m>Come entrare con CIE</a><a href=/k>Entra con SPID</a><a href=/l>Entra con CIE</a>",
      "GET /l"
    ),
    ("<a href=/n>Accedi con SPID o CIE</a> <a href=/l>Accedi con CIE</a>", "GET /l"),
    ("<a href=/n>CIE</a> <a href=/l>Accedi con SPID o CIE</a>", "GET /l"),
  ]

  @Test(arguments: buttonsTable)
  func buttons(_ html: String, _ expected: String) throws {
    let submission = try page(html).loginButton()
    let address = submission.url.text.replacing("https://sp.example", with: "")
    switch submission.method {
    case .get: #expect("GET \(address)" == expected)
    case .post(let form): #expect("POST \(address) \(form.encoded)" == expected)
    case .postBytes: Issue.record("no form of a page sends that")
    }
    #expect(submission.referrer?.page.text == "https://sp.example/a/?b=c")
  }

  @Test(arguments: [
    "<a href=/l>Entra con SPID</a>", "<a href=/l>Cos'è la CIE?</a>", "Entra con CIE",
    "<a href=/l>Come accedere con CIE</a>", "<a name=l>Entra con CIE</a>",
    "<a href=#>Entra con CIE</a>",
    "<form action=/l><button disabled>Entra con CIE</button></form>", "<a href=/l>Scienza</a>",
    "<template><a href=/l>Entra con CIE</a></template>", "<a href=/l>Richiedi la CIE</a>",
    "<form action=/l><button type=reset>Entra con CIE</button></form>",
    "<button onclick=\"if (x) location.href='/l'\">Entra con CIE</button>",
  ])
  func isNone(_ html: String) throws {
    let page = try page(html)
    #expect(throws: LoginError.self) { try page.loginButton() }
    #expect(!page.hasLoginButton)
  }

  /// A page after a login may mention it without asking to log in again.
  @Test func isNotAskedForAgain() throws {
    #expect(try page("<a href=/l>Entra con CIE</a>").hasLoginButton)
    #expect(try !page("<a href=/l>CIE</a>").hasLoginButton)
    #expect(try !page("<a href=/l>Accesso effettuato con CIE</a>").hasLoginButton)
  }

  @Test func namesOfBigElementsEnd() throws {
    let html = "<a href=/l>" + String(repeating: "<b>x ", count: 400) + "Entra con CIE</a>"
    #expect(throws: LoginError.self) { try page(html).loginButton() }
  }
}
