@testable import Web
import RedirectFlow
import Testing

/// Links of invented logins at the real hosts, in each form that known clients make or accept.
enum Links {
  static let host = "https://idserver.servizicie.interno.gov.it"
  static let parameters =
    "nextUrl=\(host)/idp/Authn/X509&name=conversation&value=e1s1&authnRequestString=_r-1"
    + "&OpText=Entra&imgUrl=https://sp.example/logo.png"
  static let card = "\(host)/OpenApp?\(parameters)"
  static let level2 =
    "\(host)/idp/login/livello2?opId=_1&challenge=ab&level=2&SPName=Comune&value=e1s2"
  static let hybrid =
    "\(host)/idp/erroreQr.jsp?opId=_0f&opType=login&SPName=Comune&IdPName=\(host)/idp/"
    + "&userId=CA00000AA&opText=Entra&SPLogo=x"

  /// The card link with one parameter's written value replaced.
  static func card(_ name: String, _ value: String) -> String {
    "\(host)/OpenApp?"
      + parameters.split(separator: "&")
      .map { $0.hasPrefix(name + "=") ? "\(name)=\(value)" : String($0) }.joined(separator: "&")
  }

  /// The card link without one parameter.
  static func card(without name: String) -> String {
    "\(host)/OpenApp?"
      + parameters.split(separator: "&").filter { !$0.hasPrefix(name + "=") }
      .joined(separator: "&")
  }
}

@Suite struct HandOffTests {
  private let ios = "https://ios.idserver.servizicie.interno.gov.it"

  @Test func readsACardLink() throws {
    let handOff = try HandOff(Links.card, in: .production)
    guard case .card(let card) = handOff else {
      Issue.record("\(handOff)")
      return
    }
    #expect(card.name == "conversation")
    #expect(card.value == "e1s1")
    #expect(card.authnRequest == "_r-1")
    #expect(card.operationText?.raw == "Entra")
    #expect(card.nextURL.text == "\(Links.host)/idp/Authn/X509")
    #expect(handOff.url.text == Links.card)
  }

  private static let readsEveryFormTable: [String] = [
    "\(Links.host)/OpenApp?\(Links.parameters)",
    "https://ios.idserver.servizicie.interno.gov.it/\(Links.parameters)",
    "https://ios.idserver.servizicie.interno.gov.it/?\(Links.parameters)",
    "https://ios.idserver.servizicie.interno.gov.it?\(Links.parameters)",
    "https://ios.idserver.servizicie.interno.gov.it:443/OpenApp?\(Links.parameters)",
    "HTTPS://IDSERVER.servizicie.interno.gov.it/OpenApp?\(Links.parameters)",
    "CIEID://\(Links.card)&sourceApp=myapp",
    "cieid://\(Links.card)&sourceApp=my.app+2-x",
    "CIEID://https://ios.idserver.servizicie.interno.gov.it/\(Links.parameters)&sourceApp=a",
    "CIEID://\(Links.card)/&sourceApp=myapp",
    "\(Links.card)/&sourceApp=myapp",
    "\(Links.card)&sourceApp=myapp",
    "\(Links.host)/OpenApp?sourceApp=myapp&\(Links.parameters)",
    "myapp://\(Links.card)", "myapp:\(Links.card)",
    "https//idserver.servizicie.interno.gov.it/OpenApp?\(Links.parameters)",
    "myapp://https//idserver.servizicie.interno.gov.it/OpenApp?\(Links.parameters)",
    "CIEID:https//idserver.servizicie.interno.gov.it/OpenApp?\(Links.parameters)",
  ]

  @Test(arguments: readsEveryFormTable)
  func readsEveryForm(_ text: String) throws {
    guard case .card(let card) = try HandOff(text, in: .production) else {
      Issue.record("no card link")
      return
    }
    #expect(card.value == "e1s1")
    #expect(card.authnRequest == "_r-1")
    #expect(card.nextURL.text == "\(Links.host)/idp/Authn/X509")
  }

  /// The part after the slash may hold any query.
  @Test func readsEncodedValuesStraightAfterTheSlash() throws {
    let text = "\(ios)/name=conversation&value=e1s1&authnRequestString=a%2Fb%2E?"
    let handOff = try HandOff(text + "&nextUrl=\(Links.host)/idp/Authn/X509", in: .production)
    guard case .card(let card) = handOff else {
      Issue.record("\(handOff)")
      return
    }
    #expect(card.authnRequest == "a/b.?")
  }

  /// Decoded once; a plus stays a plus; kept byte for byte.
  private static let keepsTheRequestAsItIsTable: [(String, String)] = [
    ("a+b", "a+b"), ("a%2Bb", "a+b"), ("%26codice%3D1", "&codice=1"), ("a=b==", "a=b=="),
    ("%2525", "%25"), ("%C3%A0", "à"), ("a%20b", "a b"), ("%3C%3E%22'", "<>\"'"),
    (String(repeating: "a", count: 4096), String(repeating: "a", count: 4096)),
  ]

  @Test(arguments: keepsTheRequestAsItIsTable)
  func keepsTheRequestAsItIs(_ written: String, _ value: String) throws {
    let handOff = try HandOff(Links.card("authnRequestString", written), in: .production)
    guard case .card(let card) = handOff else {
      Issue.record("\(handOff)")
      return
    }
    #expect(card.authnRequest == value)
  }

  @Test func doesWithoutTextAndLogo() throws {
    for link in [Links.card(without: "OpText"), Links.card("OpText", "")] {
      guard case .card(let card) = try HandOff(link, in: .production) else {
        Issue.record("no card link")
        continue
      }
      #expect(card.operationText == nil)
    }
  }

  private static let readsAppLinksTable: [(String, Int, String?)] = [
    (Links.level2, 2, "e1s2"), ("\(Links.host)/idp/login/livello1?value=e1s1", 1, "e1s1"),
    ("\(Links.host)/idp/login/livello1", 1, nil), ("\(Links.host)/livello2/x", 2, nil),
    ("\(Links.host)/idp/login/app?level=2&value=e2s1", 2, "e2s1"),
    ("CIEID://\(Links.level2)&sourceApp=a", 2, "e1s2"),
    ("CIEID://\(Links.level2)/&sourceApp=a", 2, "e1s2"),
    ("CIEID://\(Links.host)/idp/login/livello1&sourceApp=a", 1, nil),
    ("https://ios.idserver.servizicie.interno.gov.it/idp/login/livello1?level=1", 1, nil),
  ]

  @Test(arguments: readsAppLinksTable)
  func readsAppLinks(_ text: String, _ level: Int, _ value: String?) throws {
    guard case .app(let app) = try HandOff(text, in: .production) else {
      Issue.record("no app link")
      return
    }
    #expect(app.level.rawValue == level)
    #expect(app.value == value)
  }

  @Test func readsAHybridLink() throws {
    guard case .hybrid(let hybrid) = try HandOff(Links.hybrid, in: .production) else {
      Issue.record("no hybrid link")
      return
    }
    #expect(hybrid.operationText.raw == "Entra")
  }

  @Test func makesTheLinkForAnApp() throws {
    let handOff = try HandOff("CIEID://\(Links.level2)&sourceApp=other", in: .production)
    #expect(handOff.appLink(returningTo: "mine") == "CIEID://\(Links.level2)&sourceApp=mine")
    #expect(handOff.appLink(returningTo: nil) == "CIEID://\(Links.level2)")
    let bare = try HandOff("\(Links.host)/idp/login/livello1", in: .production)
    #expect(
      bare.appLink(returningTo: "a") == "CIEID://\(Links.host)/idp/login/livello1?sourceApp=a")
  }

  @Test func completesTheURL() throws {
    guard case .card(let card) = try HandOff(Links.card, in: .production) else { return }
    let code = try LoginCode(responseBody: [UInt8]("codice:0123456789012345".utf8))
    #expect(
      card.completedURL(code: code).text
        == "\(Links.host)/idp/Authn/X509?conversation=e1s1&login=1&codice=0123456789012345")
    #expect(
      card.challengeCompletionURL(signature: [0x0A, 0xFF]).text
        == "\(Links.host)/idp/Authn/X509MobileTLS13Second?challenge=0AFF&conversation=e1s1")
  }

  @Test(arguments: [Links.card, Links.level2, Links.hybrid])
  func hidesWhatTiesItToTheLogin(_ text: String) throws {
    let handOff = try HandOff(text, in: .production)
    var dumped = ""
    dump(handOff, to: &dumped)
    for text in ["\(handOff)", String(reflecting: handOff), dumped] {
      for secret in ["e1s1", "e1s2", "_r-1", "challenge", "CA00000AA", "_0f"] {
        #expect(!text.contains(secret))
      }
    }
  }

  /// Every prefix and every change of one byte is an accepted link or a typed problem.
  @Test(arguments: [
    "CIEID://\(Links.card)/&sourceApp=a",
    "https://ios.idserver.servizicie.interno.gov.it/\(Links.parameters)", Links.level2,
    Links.hybrid,
  ])
  func neverTraps(_ text: String) {
    for bytes in Mutations.of(text) {
      let mutated = String(decoding: bytes, as: UTF8.self)
      guard let handOff = try? HandOff(mutated, in: .production) else { continue }
      #expect(LoginEnvironment.production.mayCarryHandOff(handOff.url))
      if case .card(let card) = handOff {
        #expect(card.nextURL.text == "\(Links.host)/idp/Authn/X509")
      }
    }
  }
}
