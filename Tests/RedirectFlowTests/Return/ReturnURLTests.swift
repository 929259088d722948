@testable import Web
import RedirectFlow
import Testing

@Suite struct ReturnURLTests {
  private static let host = "https://idserver.servizicie.interno.gov.it"
  private static let completed =
    "\(host)/idp/Authn/X509?conversation=e1s1&login=1&codice=0123456789012345"
  private static let resumed = "\(host)/idp/login/livello2mobile?value=e1s2"

  @Test(arguments: [
    completed, "myapp://\(completed)", "myapp:\(completed)", "https//" + completed.dropFirst(8),
    "myapp://https//" + completed.dropFirst(8), "CIEID://\(completed)",
    "\(host)/idp/Authn/X509?codice=0123456789012345&login=1&conversation=e1s1",
  ])
  func takesACompletedURL(_ text: String) throws {
    let card = try HandOff(Links.card, in: .production)
    guard case .completed(let url) = try ReturnURL(text, in: .production, answering: card) else {
      Issue.record("not completed")
      return
    }
    #expect(url.path == "/idp/Authn/X509")
    #expect(url.value(of: "codice") == "0123456789012345")
  }

  @Test(arguments: [
    resumed, "myapp://\(resumed)", "\(host)/idp/return/login/livello2mobile?value=e1s2&x=1",
    "\(host)/idp/login/livello1e2postqrcode?value=e1s2",
  ])
  func takesTheNextPageOfLevelsOneAndTwo(_ text: String) throws {
    let app = try HandOff(Links.level2, in: .production)
    guard case .resumed(let url) = try ReturnURL(text, in: .production, answering: app) else {
      Issue.record("not resumed")
      return
    }
    #expect(url.value(of: "value") == "e1s2")
  }

  private static let failures: [(String, AppFailure)] = [
    ("Operazione_annullata_dall'utente", .cancelledByUser),
    ("Operazione%20annullata%20dall%27utente", .cancelledByUser),
    ("Carta_non_valida:_certificato_scaduto", .certificateExpired),
    ("Carta_non_valida:_certificato_revocato", .certificateRevoked),
    ("Operazione_non_valida", .invalidOperation), ("", .unknown), ("_", .unknown),
  ]

  @Test(arguments: failures)
  func understandsFailures(_ written: String, _ failure: AppFailure) throws {
    for text in [
      "\(Self.host)/cieiderror?cieid_error_message=\(written)",
      "myapp://\(Self.host)/x?a=1&cieid_error_message=\(written)&b=2",
    ] {
      #expect(try ReturnURL(text, in: .production) == .failed(failure))
    }
  }

  @Test func keepsOtherFailuresAsUntrustedText() throws {
    let text = "\(Self.host)/cieiderror?cieid_error_message=Altro_%1B%5B2Jtesto"
    guard case .failed(.other(let message)) = try ReturnURL(text, in: .production) else {
      Issue.record("another failure")
      return
    }
    #expect(message.display == "Altro �[2Jtesto")
  }

  private static let refused: [(String, ReturnProblem)] = [
    ("", .url(.empty)), ("x", .url(.missingScheme)), (completed + "#", .url(.fragment)),
    (completed + "\n", .url(.controlCharacter)),
    ("javascript:\(completed)", .url(.unsupportedScheme)),
    ("https://u@" + completed.dropFirst(8), .url(.userInformation)),
    ("http://" + completed.dropFirst(8), .notHTTPS),
    ("\(host)//idp/Authn/X509?a=1", .url(.emptySegment)),
    ("\(host)/", .unknownPage), ("\(host)/idp/Authn/X509/?login=1", .unknownPage),
    ("\(host)/idp/logout", .unknownPage), ("\(host)/livello2mobile", .unknownPage),
    ("\(host)/idp/xlivello2", .unknownPage), ("\(host)/idp/?x=livello2", .unknownPage),
    (completed + "&login=1", .repeatedParameter("login")),
    (completed + "&codice=1", .repeatedParameter("codice")),
    (completed + "&conversation=e1s1", .repeatedParameter("conversation")),
    (completed + "&x=1", .unexpectedParameter("x")), (completed + "&", .unexpectedParameter("")),
    ("\(host)/idp/Authn/X509", .missingParameter("login")),
    ("\(host)/idp/Authn/X509?login=1&conversation=a", .missingParameter("codice")),
    ("\(host)/idp/Authn/X509?login=1&codice=0123456789012345", .missingParameter("conversation")),
    (completed.replacing("login=1", with: "x=1"), .missingParameter("login")),
    (completed.replacing("login=1", with: "login=0"), .malformedParameter("login")),
    (completed.replacing("login=1", with: "login="), .malformedParameter("login")),
    (completed + "6", .malformedParameter("codice")),
    (String(completed.dropLast()), .malformedParameter("codice")),
    (completed.dropLast() + "x", .malformedParameter("codice")),
    (completed.replacing("=e1s1", with: "="), .malformedParameter("conversation")),
    (completed.replacing("=e1s1", with: "=a%26b"), .malformedParameter("conversation")),
    (completed.replacing("conversation", with: "1x"), .unexpectedParameter("1x")),
    (completed.replacing("conversation", with: "cert"), .unexpectedParameter("cert")),
    (resumed + "&codice=0123456789012345", .unexpectedParameter("codice")),
    (resumed + "&login=1", .unexpectedParameter("login")),
    (resumed + "&value=e1s2", .repeatedParameter("value")),
    (resumed + "%20", .malformedParameter("value")),
    (
      "\(host)/cieiderror?cieid_error_message=a&cieid_error_message=b",
      .repeatedParameter("cieid_error_message")
    ),
    ("\(host)/cieiderror", .unknownPage), ("\(host)/cieiderror?cieid_error=a", .unknownPage),
  ]

  @Test(arguments: refused)
  func refusesAllElse(_ text: String, _ problem: ReturnProblem) {
    #expect(throws: HandOffError.appReturn(problem)) { try ReturnURL(text, in: .production) }
  }

  @Test(arguments: [
    "https://evil.example", "https://idserver.servizicie.interno.gov.it.evil.example",
    "https://idserver.servizicie.interno.gov.it:8443",
    "https://preproduzione.idserver.servizicie.interno.gov.it",
  ])
  func refusesOtherHosts(_ host: String) throws {
    let origin = try RedirectURL(host).origin
    for text in [Self.completed, Self.resumed, "\(Self.host)/?cieid_error_message=x"] {
      let moved = text.replacing(Self.host, with: host)
      #expect(throws: HandOffError.appReturn(.foreignHost(origin))) {
        try ReturnURL(moved, in: .production)
      }
    }
  }

  @Test func refusesAnswersToOtherLogins() throws {
    let card = try HandOff(Links.card, in: .production)
    let app = try HandOff(Links.level2, in: .production)
    let hybrid = try HandOff(Links.hybrid, in: .production)
    let other = Self.completed.replacing("=e1s1", with: "=e1s2")
    let renamed = Self.completed.replacing("conversation", with: "execution")
    for (text, handOff) in [
      (other, card), (renamed, card), (Self.resumed, card), (Self.completed, app),
      (Self.resumed.replacing("e1s2", with: "e1s3"), app),
      (Self.resumed.replacing("value", with: "x"), app),
    ] {
      #expect(throws: HandOffError.appReturn(.otherSession)) {
        try ReturnURL(text, in: .production, answering: handOff)
      }
    }
    // The page of a hybrid login does not name its web flow.
    #expect(throws: Never.self) {
      try ReturnURL(Self.completed, in: .production, answering: hybrid)
    }
  }

  @Test func hidesTheCode() throws {
    let answer = try ReturnURL(Self.completed, in: .production)
    var dumped = ""
    dump(answer, to: &dumped)
    #expect(!"\(answer)\(dumped)\(String(reflecting: answer))".contains("0123"))
  }

  @Test(arguments: [
    "myapp://\(completed)", resumed, "\(host)/cieiderror?cieid_error_message=Operazione_x",
  ])
  func neverTraps(_ text: String) throws {
    for bytes in Mutations.of(text) {
      let mutated = String(decoding: bytes, as: UTF8.self)
      guard case .completed(let url) = try? ReturnURL(mutated, in: .production) else { continue }
      #expect(url.queryItems.count == 3)
    }
  }
}
