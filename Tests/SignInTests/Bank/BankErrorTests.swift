import Primitives
@testable import Web
import TestSupport
import Testing

@testable import SignIn

@Suite struct BankErrorTests {
  /// Requests of a whole sign-in.
  static let requests = BankScript().answers.keys.sorted()

  /// Runs a whole sign-in with one response replaced.
  private func refused(
    _ request: String, _ answer: ScriptedServers.Answer
  ) async throws -> SignInError {
    let script = BankScript().answering(request, answer)
    return try await refusal { try await script.returning("?code=c-1", script.servers).account }
  }

  /// Meaning of a status, for all requests.
  static let statuses: [(status: Int, reason: SignInError.Cause)] = [
    (400, .badRequest(UntrustedText("Refused."))), (401, .clientRefused),
    (403, .denied(UntrustedText("Refused."))), (404, .expired), (405, .status(405)),
    (409, .status(409)), (429, .tooManyRequests(retryAfter: 7)), (500, .status(500)),
    (503, .status(503)), (504, .status(504)),
  ]

  @Test(arguments: requests)
  func `each status of the server has its meaning at every request`(request: String) async throws {
    for (status, reason) in Self.statuses {
      var answer = ScriptedServers.Answer.json(
        #"{"error":"word","message":"Refused."}"#, status: status)
      answer.headers.append(.init(name: "retry-after", value: "7"))
      let error = try await refused(request, answer)
      #expect(error.cause == reason && error.number == status && error.again == nil)
      #expect(error.correlationID?.isEmpty == false)
    }
  }

  @Test(arguments: requests)
  func `an answer of no use ends the sign-in, whichever request it is the answer to`(
    request: String
  ) async throws {
    for (answer, reason) in EmailHostileServerTests.useless
    where !answer.body.contains("continuation_token") {
      let error = try await refused(request, answer)
      #expect(error.cause == reason && error.correlationID?.isEmpty == false)
    }
    let twice = #"{"token":"a","token":"b","processId":"p-1","authUrl":"https://bank.test/"}"#
    #expect(
      try await refused(request, .json(twice)).cause == .exchange(.repeatedMember("token")))
    for empty in ["{}", "[]", "7", "null"] {
      guard case .exchange = try await refused(request, .json(empty)).cause else {
        throw NotRefused()
      }
    }
  }

  @Test(arguments: [
    "GET v3/auth/bankid/auth-url", "GET v1/auth/bankid/c-1/verify", "GET v3/auth/token",
  ])
  func `an answer for another process is not ours`(request: String) async throws {
    let body =
      #"{"processId":"p-2","authUrl":"https://bank.test/","token":"token-9","template":{"data":{"#
      + #""title":"t","mainButton":{"name":"n","action":"getToken"}}}}"#
    for status in [200, 403] {
      let error = try await refused(request, .json(body, status: status))
      #expect(error.cause == .otherSession && error.correlationID == "p-1")
    }
  }

  /// Rejected addresses, with the error; `nil` for a host outside the list.
  static let pages: [(address: String, problem: ExchangeProblem?)] = [
    ("http://bank.test/authorize", .notHTTPS), ("https://elsewhere.test/authorize", nil),
    ("https://bank.test.elsewhere.test/", nil), ("https://bank.test:8443/", nil),
    ("https://gov.test/authorize", nil),
    ("https://bank.test@elsewhere.test/", .wrongMember("authUrl")),
    (#"https://elsewhere.test\\@bank.test/"#, .wrongMember("authUrl")),
    ("javascript:alert(1)", .wrongMember("authUrl")), ("//bank.test/", .wrongMember("authUrl")),
    ("bank.test", .wrongMember("authUrl")),
  ]

  @Test(arguments: pages)
  func `nobody is sent to a page outside of the list`(
    address: String, problem: ExchangeProblem?
  ) async throws {
    let error = try await refused("GET v3/auth/bankid/auth-url", BankScript.page(address))
    let expected = try problem ?? .foreignHost(RedirectURL(address).origin)
    #expect(error.cause == .exchange(expected))
  }

  /// Redirects that a bank may send, with the expected cause.
  static let returns: [(query: String, reason: SignInError.Cause)] = [
    ("?error=access_denied", .denied(UntrustedText("access_denied"))),
    ("?error=x&code=c-1", .denied(UntrustedText("x"))),
    ("?other=nothing", .exchange(.missingMember("code"))),
    ("?code=", .exchange(.missingMember("code"))),
    ("?code=..%2F..%2Ftoken%3FprocessId%3Dx", .exchange(.wrongMember("code"))),
    ("?code=..", .exchange(.wrongMember("code"))), ("?code=a%2fb", .exchange(.wrongMember("code"))),
    ("?code=a%0d%0ab", .exchange(.wrongMember("code"))),
    ("?code=" + String(repeating: "c", count: 513), .exchange(.wrongMember("code"))),
  ]

  @Test(arguments: returns)
  func `a return without a usable code ends the verification`(
    query: String, reason: SignInError.Cause
  ) async throws {
    let script = BankScript()
    let servers = script.servers
    let error = try await refusal { try await script.returning(query, servers) }
    #expect(error.cause == reason)
    #expect(servers.requests.count == 3, "nothing is sent to the server")
  }

  @Test func `a code that comes twice in one return is refused and the right return awaited`()
    async throws
  {
    let script = BankScript()
    let servers = script.servers
    let browser = try await script.atBank(servers)
    let address = try BankScript.returnAddress(servers)
    let visits = Task.detached {
      _ = try BuiltBinary(path: "/usr/bin/curl").run(["--silent", address + "&code=x&code=c-1"])
      _ = try BuiltBinary(path: "/usr/bin/curl").run(["--silent", address + "&code=c-1"])
    }
    _ = try await browser.wait().account
    try await visits.value
    #expect(!servers.requests.contains { $0.contains("bankid/x") })
  }

  @Test func `the door on this machine opens once`() async throws {
    let script = BankScript()
    let servers = script.servers
    let browser = try await script.atBank(servers)
    _ = try await BankScript.returning("?code=c-1", browser, servers).account
    let second = try await refusal { try await browser.wait() }
    #expect(second.cause == .expired)
    let verifications = servers.requests.filter { $0.contains("/verify") }
    #expect(verifications.count == 1)
  }

  @Test func `whoever does not come back is not waited for longer than the patience`() async throws
  {
    let script = BankScript()
    let servers = script.servers
    let context = try SignInContext(
      service: "Test", trust: nil, patience: .milliseconds(50), exchange: { servers })
    let browser = try await BankScript.method().begin(context).provider.choose("sabbia").browser
    #expect(try await refusal { try await browser.wait() }.cause == .timedOut)
  }

  @Test func `waiting for the bank can be ended at any time`() async throws {
    let script = BankScript()
    let servers = script.servers
    let context = try servers.context()
    let browser = try await BankScript.method().begin(context).provider.choose("sabbia").browser
    let waiting = Task { try await refusal { try await browser.wait() } }
    context.cancel()
    #expect(try await waiting.value.reason == .cancelled)
  }

  @Test func `two banks of one number, banks without name, or none at work end it`() async throws {
    for (list, reason) in [
      (
        #"[{"id":"a","name":"A","workable":true},{"id":"a","name":"B","workable":true}]"#,
        SignInError.Cause.exchange(.wrongMember("banks"))
      ),
      (#"[{"id":"a","workable":true}]"#, .exchange(.wrongMember("banks"))),
      (#"[{"id":"","name":"A","workable":true}]"#, .exchange(.wrongMember("banks"))),
      (#"["a"]"#, .exchange(.wrongMember("banks"))),
      (#"{"a":1}"#, .exchange(.missingMember("banks"))), ("[]", .notOffered),
      (#"[{"id":"a","name":"A","workable":"yes"}]"#, .notOffered),
    ] {
      let error = try await refused("GET v1/auth/banks", .json(#"{"banks":\#(list)}"#))
      #expect(error.cause == reason)
    }
  }

  @Test func `where nothing is offered the service's own reason is told`() async throws {
    let none = try await refused("GET v3/auth/login/methods", BankScript.methods(["photoid"]))
    #expect(none.cause == .notOffered && none.correlationID == "p-1")
    let disabled = try await refused(
      "GET v3/auth/login/methods",
      BankScript.methods(
        ["bankid"], #","disabledMethods":[{"code":"bankid","description":"Manutenzione."}]"#))
    #expect(disabled.cause == .denied(UntrustedText("Manutenzione.")))
  }

  @Test func `a bank that does not answer leads back to the methods`() async throws {
    let error = try await refused(
      "GET v3/auth/bankid/auth-url", BankScript.template("Banca non disponibile", "authMethods"))
    guard case .template(let template) = error.cause else { throw NotRefused() }
    #expect(template.title.raw == "Banca non disponibile")
    #expect(try (try #require(error.again)).provider.providers.map(\.identifier) == ["bankid"])
  }

  @Test func `a refusal may be worded as a template`() async throws {
    let error = try await refused(
      "GET v3/auth/token", BankScript.template("Non ora", "close", status: 503))
    guard case .template(let template) = error.cause else { throw NotRefused() }
    #expect(template.isClosing && error.number == 503)
  }

  @Test func `a template cannot paint on a terminal`() async throws {
    let error = try await refused(
      "GET v1/auth/bankid/c-1/verify",
      BankScript.template(#"\u001b[2J\u001b]0;Banca\u0007\u202e"#, "unheard-of"))
    guard case .template(let template) = error.cause else { throw NotRefused() }
    let unseen: [Unicode.Scalar] = ["\u{1B}", "\u{7}", "\u{202E}"]
    #expect(!template.title.display.unicodeScalars.contains { unseen.contains($0) })
  }

  @Test func `nothing secret or personal is printed`() async throws {
    let script = BankScript()
    let servers = script.servers
    let browser = try await script.atBank(servers)
    let address = try BankScript.returnAddress(servers)
    let account = try await BankScript.returning("?code=c-1", browser, servers).account
    let text = printed(browser) + printed(account) + printed(BankScript.account)
    let state = try #require(try RedirectURL(address).value(of: "state"))
    for secret in ["ticket=t", "token-1", "token-0", "SOFIA", state] {
      #expect(!text.contains(secret))
    }
  }
}

/// Required and optional members of an entry.
@Suite struct BankEntryTests {
  static let wrong: [(entry: String, problem: ServiceProblem)] = [
    (#"{"hosts":["b.test"]}"#, .missingMember("base")),
    (#"{"base":"http://g.test/","hosts":["b.test"]}"#, .notHTTPS("base")),
    (#"{"base":"https://g.test/x","hosts":["b.test"]}"#, .notABase("base")),
    (#"{"base":"https://g.test/"}"#, .missingMember("hosts")),
    (#"{"base":"https://g.test/","hosts":[]}"#, .wrongMember("hosts")),
    (#"{"base":"https://g.test/","hosts":["b.test/x"]}"#, .wrongMember("hosts")),
    (#"{"base":"https://g.test/","hosts":["b.test"],"flow":"other"}"#, .wrongMember("flow")),
    (#"{"base":"https://g.test/","hosts":["b.test"],"more":1}"#, .unknownMember("more")),
    (
      #"{"base":"https://g.test/","hosts":["b.test"],"issuer":"i"}"#,
      .missingMember("audience")
    ),
    (
      #"{"base":"https://g.test/","hosts":["b.test"],"audience":"a"}"#,
      .missingMember("issuer")
    ),
    (#"{"base":"https://g.test/","hosts":["b.test"],"keys":"k"}"#, .fileFromNetwork("keys")),
  ]

  @Test(arguments: wrong)
  func `what is missing, wrong or unknown in an entry is named`(
    entry: String, problem: ServiceProblem
  ) {
    expectUnfit(problem) { try BankScript.method(entry: entry) }
  }

  @Test func `a file of keys that is none is refused`() throws {
    let entry =
      #"{"base":"https://g.test/","hosts":["b.test"],"issuer":"i","audience":"a","keys":"none"}"#
    expectUnfit(.wrongMember("keys")) {
      try BankScript.method(entry: entry, folder: "/nowhere/")
    }
  }
}
