import RedirectFlow
import Testing

/// Links that are good URLs and bad hand-offs: each rule about links has rows here that fail without it.
@Suite struct HostileLinkTests {
  private static let real = "idserver.servizicie.interno.gov.it"

  /// Scheme, host and port are compared, never searched for (look-alikes of the real host).
  @Test(arguments: [
    "idserver.servizicie.interno.gov.it.evil.example", "evil-idserver.servizicie.interno.gov.it",
    "evil.example/idserver.servizicie.interno.gov.it", "evil.example/?\(real)=",
    "servizicie.interno.gov.it", "interno.gov.it", "x.idserver.servizicie.interno.gov.it",
    "idserver.servizicie.interno.gov.it:8443", "idserver.servizicie.interno.gov.it:80",
    "idserver-servizicie.interno.gov.it", "idserver.servizicie.interno.gov",
    "idserver.servizicie.interno.gov.itt", "idserver.servizicie.lnterno.gov.it",
    "ldserver.servizicie.interno.gov.it", "idserver.servizicie.interno.go.it",
    "xn--dserver-7ya.servizicie.interno.gov.it", "ios.ios.idserver.servizicie.interno.gov.it",
    "oidc.idserver.servizicie.interno.gov.it", "mtls.idserver.servizicie.interno.gov.it",
    "preproduzione.idserver.servizicie.interno.gov.it", "127.0.0.1", "[::1]", "localhost:8443",
    "collaudo.idserver.servizicie.interno.gov.it", "www.idserver.servizicie.interno.gov.it",
    "ios.preproduzione.idserver.servizicie.interno.gov.it", "ios.evil.example",
    "idserver.servizicie.interno.gov.it.", "idserver..servizicie.interno.gov.it",
  ])
  func refusesOtherHosts(_ host: String) {
    for path in ["/OpenApp?\(Links.parameters)", "/idp/login/livello1", "/\(Links.parameters)"] {
      #expect { try HandOff("https://\(host)\(path)", in: .production) } throws: { error in
        guard case .link(let problem)? = error as? HandOffError else { return false }
        return switch problem {
        case .foreignHost, .url(.invalidHost): true
        case .url, .notHTTPS, .notAHandOff, .missingParameter, .repeatedParameter,
          .injectedParameter, .malformedParameter, .nestedURL, .nestedNotHTTPS,
          .nestedElsewhere, .nestedPath, .nestedQuery:
          false
        }
      }
    }
  }

  /// One environment a login: the link's host and the next page's are of the same one.
  @Test func keepsEnvironmentsApart() throws {
    let environments = LoginEnvironment.builtIn
    for one in environments {
      for other in environments {
        let next = "\(other.identityProvider.origin)/idp/Authn/X509"
        let link =
          "\(one.identityProvider.origin)/OpenApp?name=c&value=v&authnRequestString=r&nextUrl=\(next)"
        if one == other {
          #expect(throws: Never.self) { try HandOff(link, in: one) }
        } else {
          #expect(throws: HandOffError.link(.foreignHost(one.identityProvider.origin))) {
            try HandOff(link, in: other)
          }
          #expect(
            throws: HandOffError.link(.nestedElsewhere("nextUrl", other.identityProvider.origin))
          ) {
            try HandOff(link, in: one)
          }
        }
      }
    }
  }

  private static let refusesOtherThingsTable: [(String, HandOffProblem)] = [
    ("", HandOffProblem.url(.empty)), ("x", .url(.missingScheme)),
    (Links.card + "#x", .url(.fragment)), (Links.card + " ", .url(.space)),
    (Links.card + "\n", .url(.controlCharacter)), (Links.card + "à", .url(.notASCII)),
    (Links.card + String(repeating: "a", count: 8192), .url(.tooLong)),
    ("https://u@\(real)/OpenApp?\(Links.parameters)", .url(.userInformation)),
    ("https:\\\\\(real)/OpenApp", .url(.backslash)),
    ("http://\(real)/OpenApp?\(Links.parameters)", .notHTTPS),
    ("http://\(real):443/OpenApp?\(Links.parameters)", .notHTTPS),
    ("CIEID://http://\(real)/OpenApp?\(Links.parameters)", .url(.unsupportedScheme)),
    ("CIEID://\(real)/OpenApp?\(Links.parameters)", .url(.unsupportedScheme)),
    ("CIEID://CIEID://\(Links.card)", .url(.unsupportedScheme)),
    ("javascript:\(Links.card)", .url(.unsupportedScheme)),
    ("javascript://\(Links.card)", .url(.unsupportedScheme)),
    ("data:\(Links.card)", .url(.unsupportedScheme)),
    ("file://\(Links.card)", .url(.unsupportedScheme)),
    ("view-source:\(Links.card)", .url(.unsupportedScheme)),
    ("https:\(Links.card)", .url(.missingAuthority)), ("1app:\(Links.card)", .url(.missingScheme)),
    ("my_app://\(Links.card)", .url(.missingScheme)),
    ("\(Links.host)//OpenApp?\(Links.parameters)", .url(.emptySegment)),
    ("\(Links.host)/idp//login/livello2", .url(.emptySegment)),
    ("\(Links.host)/x/../OpenApp?\(Links.parameters)", .url(.dotSegment)),
    ("\(Links.host)/idp/login%2Flivello2", .url(.encodedSeparator)),
    ("\(Links.host)/", .notAHandOff), ("\(Links.host)/idp/Authn/X509", .notAHandOff),
    ("\(Links.host)/idp/login/livello2mobile?value=e1s2", .notAHandOff),
    ("\(Links.host)/idp/login/app?level=1", .notAHandOff),
    ("\(Links.host)/idp/login/app", .notAHandOff),
    ("\(Links.host)/login/app?level=2", .notAHandOff),
    ("\(Links.host)/idp/login/Livello2", .notAHandOff),
    ("\(Links.host)/idp/?x=livello1", .notAHandOff), ("\(Links.host)/openapp", .notAHandOff),
    ("\(Links.host)/OpenApp", .missingParameter("name")),
  ]

  @Test(arguments: refusesOtherThingsTable)
  func refusesOtherThings(_ text: String, _ problem: HandOffProblem) {
    #expect(throws: HandOffError.link(problem)) { try HandOff(text, in: .production) }
  }

  @Test(arguments: ["name", "value", "authnRequestString", "nextUrl"])
  func needsItsParameters(_ name: String) {
    for link in [Links.card(without: name), Links.card(name, "")] {
      #expect(throws: HandOffError.link(.missingParameter(name))) {
        try HandOff(link, in: .production)
      }
    }
  }

  @Test(arguments: ["name", "value", "authnRequestString", "nextUrl", "OpText", "imgUrl", "zz"])
  func refusesRepeatedParameters(_ name: String) {
    let link = "\(Links.card)&zz=1&\(name)="
    #expect(throws: HandOffError.link(.repeatedParameter(name))) {
      try HandOff(link, in: .production)
    }
  }

  /// Percent-encoding does not make another name, and the callback scheme counts at any place.
  private static let seesDisguisedRepetitionsTable: [(String, String)] = [
    ("&%76alue=e9s9", "value"), ("&sourceApp=a&sourceApp=b", "sourceApp"),
    ("&sourceApp=a/&sourceApp=b", "sourceApp"), ("&sourceAp%70=a&sourceApp=b", "sourceApp"),
  ]

  @Test(arguments: seesDisguisedRepetitionsTable)
  func seesDisguisedRepetitions(_ tail: String, _ name: String) {
    #expect(throws: HandOffError.link(.repeatedParameter(name))) {
      try HandOff(Links.card + tail, in: .production)
    }
  }

  @Test(arguments: ["login", "codice", "authnRequest", "generaCodice", "cert"])
  func refusesParametersOfTheServersCalls(_ name: String) {
    #expect(throws: HandOffError.link(.injectedParameter(name))) {
      try HandOff("\(Links.card)&\(name)=1", in: .production)
    }
    #expect(throws: HandOffError.link(.malformedParameter("name"))) {
      try HandOff(Links.card("name", name), in: .production)
    }
  }

  /// Values that would become parameters if a client concatenates them, and other invalid values.
  private static let refusesMalformedParametersTable: [(String, String)] = [
    ("name", "challenge"), ("name", "1a"), ("name", "_a"), ("name", "a%20b"),
    ("name", "a%3Db"), ("name", "a%26b"), ("name", "a=b"), ("name", "%C3%A0"), ("name", "a%00"),
    ("name", "a%0A"), ("name", "a+b"), ("name", "a~"), ("name", "a%25"), ("name", "a[]"),
    ("name", String(repeating: "a", count: 33)),
    ("value", "e1s1%26codice%3D0000000000000000"), ("value", "e1s1=x"), ("value", "a%20b"),
    ("value", "a+b"), ("value", "%C3%A0"), ("value", "%0D%0A"), ("value", "a%2Fb"),
    ("value", "a/b"),
    ("value", "e1s1%23"), ("value", "a%25"), ("value", "~"),
    ("value", String(repeating: "a", count: 65)),
    ("authnRequestString", "a%00b"), ("authnRequestString", "a%0Ab"),
    ("authnRequestString", "a%0D%0Ab"), ("authnRequestString", "%7F"),
    ("authnRequestString", "%C2%85"), ("authnRequestString", String(repeating: "a", count: 4097)),
  ]

  @Test(arguments: refusesMalformedParametersTable)
  func refusesMalformedParameters(_ name: String, _ value: String) {
    let expected: HandOffProblem =
      value.contains("[") ? .url(.forbiddenCharacter) : .malformedParameter(name)
    #expect(throws: HandOffError.link(expected)) {
      try HandOff(Links.card(name, value), in: .production)
    }
  }

  @Test(arguments: ["a%20b", "1a", "a%3A", "", "a_b", "%C3%A0", String(repeating: "a", count: 65)])
  func refusesMalformedCallbackSchemes(_ scheme: String) {
    for link in [Links.card, Links.level2, Links.hybrid] {
      #expect(throws: HandOffError.link(.malformedParameter("sourceApp"))) {
        try HandOff("\(link)&sourceApp=\(scheme)", in: .production)
      }
    }
  }

  private static let refusesNextPagesElsewhereTable: [(String, String)] = [
    ("https://evil.example/idp/Authn/X509", "https://evil.example"),
    ("https://\(real).evil.example/idp/Authn/X509", "https://\(real).evil.example"),
    ("https://\(real):8443/idp/Authn/X509", "https://\(real):8443"),
    ("https://%5B::1%5D/idp/Authn/X509", "https://[::1]"),
  ]

  @Test(arguments: refusesNextPagesElsewhereTable)
  func refusesNextPagesElsewhere(_ next: String, _ origin: String) throws {
    let elsewhere = try RedirectURL(origin).origin
    #expect(throws: HandOffError.link(.nestedElsewhere("nextUrl", elsewhere))) {
      try HandOff(Links.card("nextUrl", next), in: .production)
    }
  }

  private static let refusesOtherNextPagesTable: [(String, HandOffProblem)] = [
    ("http://\(real)/idp/Authn/X509", HandOffProblem.nestedNotHTTPS("nextUrl")),
    ("\(Links.host)/idp/Authn/X509?x=1", .nestedQuery("nextUrl")),
    ("\(Links.host)/idp/Authn/X509?", .nestedQuery("nextUrl")),
    ("\(Links.host)/idp/Authn/X509%3Fx=1", .nestedQuery("nextUrl")),
    ("\(Links.host)/idp/Authn/X509/", .nestedPath("nextUrl")),
    ("\(Links.host)//idp/Authn/X509", .nestedPath("nextUrl")),
    ("\(Links.host)/idp/authn/x509", .nestedPath("nextUrl")),
    ("\(Links.host)/idp/Authn/X509;x=1", .nestedPath("nextUrl")),
    ("\(Links.host)/idp/Authn/%2558509", .nestedPath("nextUrl")),
    ("\(Links.host)/", .nestedPath("nextUrl")), (Links.host, .nestedPath("nextUrl")),
    ("\(Links.host)/idp/logout", .nestedPath("nextUrl")),
    ("\(Links.host)/idp/Authn/X509%23", .nestedURL("nextUrl", .fragment)),
    ("https://u@\(real)/idp/Authn/X509", .nestedURL("nextUrl", .userInformation)),
    ("\(Links.host)/idp/x/../Authn/X509", .nestedURL("nextUrl", .dotSegment)),
    ("\(Links.host)/idp%252FAuthn/X509", .nestedURL("nextUrl", .encodedSeparator)),
    ("%20\(Links.host)/idp/Authn/X509", .nestedURL("nextUrl", .space)),
    ("%0A", .nestedURL("nextUrl", .controlCharacter)),
    ("//\(real)/idp/Authn/X509", .nestedURL("nextUrl", .missingScheme)),
    ("/idp/Authn/X509", .nestedURL("nextUrl", .missingScheme)),
    ("javascript:1", .nestedURL("nextUrl", .unsupportedScheme)),
    ("CIEID://\(Links.host)/idp/Authn/X509", .nestedURL("nextUrl", .unsupportedScheme)),
    ("https%5C%5C\(real)", .nestedURL("nextUrl", .backslash)),
  ]

  @Test(arguments: refusesOtherNextPagesTable)
  func refusesOtherNextPages(_ next: String, _ problem: HandOffProblem) {
    #expect(throws: HandOffError.link(problem)) {
      try HandOff(Links.card("nextUrl", next), in: .production)
    }
  }

  private static let refusesBadAppLinksTable: [(String, String, HandOffProblem)] = [
    ("level=2", "level=3", HandOffProblem.malformedParameter("level")),
    ("value=e1s2", "value=", .missingParameter("value")),
    ("value=e1s2", "value=a%26b", .malformedParameter("value")),
    ("value=e1s2", "codice=1", .injectedParameter("codice")),
    ("value=e1s2", "opId=2", .repeatedParameter("opId")),
    ("value=e1s2", "=1", .malformedParameter("")), ("value=e1s2", "", .malformedParameter("")),
  ]

  @Test(arguments: refusesBadAppLinksTable)
  func refusesBadAppLinks(_ good: String, _ bad: String, _ problem: HandOffProblem) {
    let link = Links.level2.replacing(good, with: bad)
    #expect(throws: HandOffError.link(problem)) { try HandOff(link, in: .production) }
  }

  private static let refusesBadHybridLinksTable: [(String, String, HandOffProblem)] = [
    ("opType=login", "opType=sign", HandOffProblem.malformedParameter("opType")),
    ("opType=login", "x=1", .missingParameter("opType")),
    ("opId=_0f", "opId=a%2Fb", .malformedParameter("opId")),
    ("opId=_0f", "opId=\(String(repeating: "a", count: 129))", .malformedParameter("opId")),
    ("userId=CA00000AA", "userId=CA-1", .malformedParameter("userId")),
    ("userId=CA00000AA", "userId=", .missingParameter("userId")),
    ("SPName=Comune", "x=1", .missingParameter("SPName")),
    ("opText=Entra", "x=1", .missingParameter("opText")),
    ("IdPName=\(Links.host)/idp/", "IdPName=\(Links.host)/", .nestedPath("IdPName")),
    ("IdPName=\(Links.host)/idp/", "IdPName=x", .nestedURL("IdPName", .missingScheme)),
  ]

  @Test(arguments: refusesBadHybridLinksTable)
  func refusesBadHybridLinks(_ good: String, _ bad: String, _ problem: HandOffProblem) {
    let link = Links.hybrid.replacing(good, with: bad)
    #expect(throws: HandOffError.link(problem)) { try HandOff(link, in: .production) }
  }
}
