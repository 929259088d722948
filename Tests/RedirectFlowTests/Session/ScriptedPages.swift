@testable import RedirectFlow
@testable import Web

/// Servers as a table: the answer of each URL, and the requests.
final class ScriptedPages: PageExchange {
  private let answers: [String: Answer]
  private(set) var requests: [String] = []
  let cookies: [String]

  enum Answer {
    case page(String, status: Int = 200)
    case redirect(String, status: Int = 302)
  }

  init(_ answers: [String: Answer], cookies: [String] = usualCookies) {
    self.answers = answers
    self.cookies = cookies
  }

  /// The sessions at both providers.
  static let usualCookies = [
    "sp.example\tFALSE\t/\tTRUE\t0\tsession\tx", "idp.example\tFALSE\t/\tTRUE\t0\ta\tb",
  ]

  func send(_ request: HTTPRequest) throws(HTTPError) -> HTTPResponse {
    switch request.method {
    case .get: requests.append("GET " + request.url)
    case .post(let form): requests.append("POST " + request.url + " " + form.encoded)
    case .postBytes(let bytes): requests.append("POST \(request.url) \(bytes.count) bytes")
    }
    let key = request.url.prefix { $0 != "?" }
    switch answers[request.url] ?? answers[String(key)] {
    case .page(let html, let status):
      return try HTTPResponse(
        status: status, url: request.url, headers: [], body: [UInt8](html.utf8))
    case .redirect(let location, let status):
      return try HTTPResponse(
        status: status, url: request.url, headers: [.init(name: "location", value: location)],
        body: [])
    case nil: throw .connect(host: CurlURL.host(of: request.url) ?? "")
    }
  }
}

extension ScriptedPages {
  /// A whole login of a person who agrees to everything.
  func logIn(
    from page: String = Script.sp + "/", environment: LoginEnvironment = .production,
    allowing allowed: Set<RedirectURL.Origin> = [], expectation: LoginExpectation? = nil,
    needsCookies: Bool = false,
    report: @escaping @Sendable (LoginEvent) -> Void = { _ in }
  ) throws(LoginError) -> LoggedIn {
    let start = try RedirectURL(judging: page, at: .serviceProvider)
    var configuration = LoginConfiguration(environment)
    configuration.allowedReceivers = allowed
    configuration.expectation = expectation
    configuration.needsCookies = needsCookies
    let rules = ServiceRules(start: start.origin, configuration)
    let browser = Browser(self, environment, .default, rules, report: report)
    let waiting = try HeadlessLogin(browser).reachHandOff(from: start)
    let completed = try RedirectURL(judging: Script.completed, at: .completion)
    switch try waiting.resume(with: completed) {
    case .answered(let login):
      guard login.response.status.isSuccess else { throw try login.refuse() }
      let agreement = ReleaseAgreement(try login.request)
      return try login.respond(agreement)
    case .asked(let login):
      let agreement = ReleaseAgreement(login.request)
      return try login.accept().respond(agreement)
    }
  }
}

/// A service provider and the real identity provider's addresses, as a well-behaved login has them.
enum Script {
  static let sp = "https://sp.example"
  static let idp = "https://idserver.servizicie.interno.gov.it"
  static let completed = idp + "/idp/Authn/X509?conversation=e1s1&login=1&codice=0123456789012345"
  static let button = "<title>SP</title><a href='/login'>Entra con CIE</a>"
  static let consent = """
    <title>Consenso</title><dl><dt>Nome</dt><dd>ADA</dd><dt>Codice Fiscale</dt><dd>PROVA</dd></dl>
    <form method=post action=/idp/consent><input type=hidden name=t value=1>
    <button name=choice value=accept>Acconsento</button>
    <button name=choice value=deny>Non acconsento</button></form>
    """

  static func link(_ target: String = Links.card) -> String {
    "<title>Login</title><a href='\(target.replacing("&", with: "&amp;"))'>Entra con lettura carta CIE</a>"
  }

  /// A page with an AuthnRequest, whose content does not matter.
  static func request(to action: String) -> String {
    "<form method=post action='\(action)'><input type=hidden name=SAMLRequest value=abc></form>"
  }

  /// A response as a form's body.
  static func form(_ document: String) -> String {
    (["SAMLResponse": Responses.base64(document)] as HTTPForm).encoded
  }

  static let good: [String: ScriptedPages.Answer] = [
    sp + "/": .page(button),
    sp + "/login": .redirect(idp + "/idp/profile/SAML2/Redirect/SSO?SAMLRequest=x"),
    idp + "/idp/profile/SAML2/Redirect/SSO": .redirect("/idp/login?execution=e1s1"),
    idp + "/idp/login": .page(link()),
    idp + "/idp/Authn/X509": .page(consent),
    idp + "/idp/consent": .page(Responses.page()),
    sp + "/acs": .redirect("/profile", status: 303),
    sp + "/profile": .page("<h1>Hello</h1>"),
  ]
}
