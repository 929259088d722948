internal import CIECard
@testable import Web

/// Addresses, links that hand a login over, and returned ones.
extension FuzzTarget {
  static let addresses = [
    url, pageURL, handOff, builtHandOff, returnURL, returnRequest, environmentFile,
  ]

  static let host = "https://idserver.servizicie.interno.gov.it"
  static let card =
    host + "/OpenApp?nextUrl=\(host)/idp/Authn/X509&name=conversation&value=e1s1"
    + "&authnRequestString=_r-1&OpText=Entra&imgUrl=https://sp.example/logo.png"
  private static let app =
    host + "/idp/login/livello2?opId=_1&challenge=ab&level=2&SPName=Comune&value=e1s2"
  private static let hybrid =
    host + "/idp/erroreQr.jsp?opId=_0f&opType=login&SPName=Comune&IdPName=\(host)/idp/"
    + "&userId=CA00000AA&opText=Entra&SPLogo=x"

  private static let url = FuzzTarget("url") {
    try Seeds.lines(card, app, "https://[::1]:8443/a?b=c%20d#e", "https://xn--nxasmq6b.example/")
      + Seeds.texts("page-urls", ["input", "href"]).map { [UInt8]($0.utf8) }
  } play: { probe in
    let url = try RedirectURL(probe.text, allowingFragment: true)
    let again = try? RedirectURL(url.text, allowingFragment: true)
    probe.require(again == url, "an address that is written is read: \(url.text)")
    _ = url.adding([QueryItem("a&b", "c d")])
  }

  private static let pageURL = FuzzTarget("page-url") {
    try Seeds.behind(
      [[0], [1]],
      Seeds.texts("page-urls", ["input", "href"]).map { [UInt8]($0.utf8) }
        + Seeds.lines("../../a/./b?c#d", "//two.example\\x", "https:1.2.3/é", "http://0x7f.1/"))
  } play: { probe in
    let (choices, rest) = probe.split(1)
    let base = try RedirectURL("https://sp.example/one/two/three?q=1")
    let text = String(decoding: rest, as: UTF8.self)
    let url = try RedirectURL(asBrowsersRead: text, on: choices[0] & 1 == 0 ? nil : base)
    let again = try? RedirectURL(asBrowsersRead: url.text)
    probe.require(again?.text == url.text, "an address that was read stays: \(url.text)")
    probe.require(
      url.text.utf8.count <= 3 * RedirectURL.pageLengthLimit + 4096, "a bounded address")
  }

  private static let handOff = FuzzTarget("hand-off") {
    Seeds.lines(card, app, hybrid, "CIEID://\(card)&sourceApp=myapp", "cieid://" + app)
  } play: { probe in
    try judge(HandOff(probe.text, in: .production), probe)
  }

  private static func judge(_ handOff: HandOff, _ probe: Probe) throws {
    let environment = LoginEnvironment.production
    probe.require(environment.mayCarryHandOff(handOff.url), "only from the identity provider")
    switch handOff {
    case .card(let card):
      probe.require(environment.isIdentityProvider(card.nextURL), "only to the identity provider")
      probe.require(card.nextURL.query == nil, "nothing is slipped in")
    case .app, .hybrid: break
    }
    let again = try? HandOff(handOff.url.text, in: environment)
    probe.require(again?.url == handOff.url, "a link that is written is read")
    _ = handOff.appLink(returningTo: "app")
  }

  /// Links of valid form, with parts from an input: a kind, and name=value by the line.
  private static let builtHandOff = FuzzTarget("built-hand-off") {
    [card, app, hybrid].enumerated().map { kind, link in
      let query = link.drop { $0 != "?" }.dropFirst()
      return [UInt8(kind)] + [UInt8](query.replacing("&", with: "\n").utf8)
    }
  } play: { probe in
    let (choices, rest) = probe.split(1)
    let pages = ["/OpenApp", "/idp/login/livello2", "/idp/erroreQr.jsp"]
    let items = rest.split(separator: 0x0A).map { line in
      let halves = line.split(separator: 0x3D, maxSplits: 1, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      return QueryItem(halves[0], halves.count > 1 ? halves[1] : "")
    }
    let link = host + pages[Int(choices[0]) % pages.count] + "?" + items.encoded
    try judge(HandOff(link, in: .production), probe)
  }

  private static let completed =
    host + "/idp/Authn/X509?conversation=e1s1&login=1&codice=0123456789012345"

  private static let returnURL = FuzzTarget("return-url") {
    Seeds.behind(
      [[0], [1], [2]],
      Seeds.lines(
        completed, app, host + "/idp/login/livello2?cieid_error_message=Operazione_non_valida"))
  } play: { probe in
    let (choices, rest) = probe.split(1)
    let answered: HandOff? =
      switch choices[0] % 3 {
      case 0: nil
      case 1: try HandOff(card, in: .production)
      default: try HandOff(app, in: .production)
      }
    let text = String(decoding: rest, as: UTF8.self)
    switch try ReturnURL(text, in: .production, answering: answered) {
    case .completed(let url):
      probe.require(url.origin.description == host, "the identity provider's own")
      if case .card(let card) = answered {
        probe.require(url.value(of: card.name) == card.value, "of the login that was begun")
      }
    case .resumed(let url):
      if case .app(let app) = answered {
        probe.require(url.value(of: "value") == app.value, "of the login that was begun")
      }
    case .failed: break
    }
  }

  private static let returnRequest = FuzzTarget("return-request") {
    let head = "Host: 127.0.0.1:4321\r\n"
    let form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 6\r\n\r\nurl=ab"
    return Seeds.behind(
      [[0], [1]],
      Seeds.lines(
        "GET /secret?url=https%3A%2F%2Fa HTTP/1.1\r\n\(head)Accept: */*\r\n\r\n",
        "POST /secret HTTP/1.1\r\n\(head)\(form)",
        "GET /secret?code=1&state=2 HTTP/1.1\r\n\(head)\r\n"))
  } play: { probe in
    let (choices, rest) = probe.split(1)
    let shape =
      choices[0] & 1 == 0
      ? ReturnRequest.Shape.url : ReturnRequest.Shape(takesForms: true) { !$0.isEmpty }
    let address = try RedirectURL("http://127.0.0.1:4321/secret")
    let isWhole = ReturnRequest.isWhole(rest)
    let request = try ReturnRequest(rest, for: address, shape)
    probe.require(isWhole, "what is taken is whole")
    probe.require(request.items.count <= ReturnRequest.itemLimit * 128, "a bounded number")
  }

  private static let environmentFile = FuzzTarget("environment") {
    Seeds.lines(
      #"{"name":"test","idp":"https://idp.test/idp/","linkHosts":["idp.test","ios.idp.test:8443"],"#
        + #""nextPaths":["/idp/Authn/X509"],"method":"signed-challenge","ca":"ca.pem"}"#,
      #"{"name":"a","idp":"https://[::1]/","linkHosts":["x.test"],"nextPaths":["/"]}"#)
  } play: { probe in
    let environment = try LoginEnvironment(json: probe.bytes, folder: "/etc/")
    let hosts = [environment.identityProvider.host] + environment.linkOrigins.map(\.host)
    probe.require(
      !hosts.contains { $0.hasSuffix(LoginEnvironment.reservedDomain) }, "not the ministry's")
    probe.require(
      environment.identityProvider.scheme == .https
        && environment.linkOrigins.allSatisfy { $0.scheme == .https }, "https alone")
  }
}
