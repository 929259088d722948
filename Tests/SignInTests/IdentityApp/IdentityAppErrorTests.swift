import CIECard
import RedirectFlow
import TestSupport
import Testing

@testable import SignIn

/// The numbered errors of the identity app's kit, each by what causes it.
@Suite struct IdentityAppErrorTests {
  typealias Script = ScopeRequestScript

  /// A whole sign-in with other answers.
  private func refused(
    _ script: Script, clock: ScriptedClock = ScriptedClock()
  ) async throws -> SignInError {
    let folder = try TemporaryDirectory()
    let method = try Script.method(folder)
    let context = try script.servers.context(clock: clock)
    return try await refusal { try await method.begin(context).browser.wait().account }
  }

  private func refused(
    _ request: String, _ answer: ScriptedServers.Answer
  ) async throws -> SignInError {
    try await refused(try Script().answering(request, answer))
  }

  private func expect(
    _ error: SignInError, _ code: IdentityAppCode,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(error.reason == .identityApp(code), sourceLocation: sourceLocation)
    #expect(error.number == code.rawValue, sourceLocation: sourceLocation)
    #expect(error.correlationID?.count == 36, sourceLocation: sourceLocation)
  }

  private static let begin =
    #"{"protocol":"scope-request","insecure":true,"base":"https://localhost:1/","#
  private static let names = #""appId":"a","mobileId":"m","secretFile":"s""#
  static let numbered: [(entry: String, problem: ServiceProblem, code: IdentityAppCode)] = [
    (#""mobileId":"m","secretFile":"s"}"#, .missingMember("appId"), .cannotFindApplicationId),
    (#""appId":"a","secretFile":"s"}"#, .missingMember("mobileId"), .cannotFindBundleId),
    (#""appId":"a","mobileId":"m"}"#, .missingMember("secretFile"), .cannotFindSecret),
    (
      names + #","returnScheme":"mine","schemeHandler":"none.desktop"}"#,
      .wrongMember("returnScheme"), .redirectSchemeMismatch
    ),
    (
      names + #","returnScheme":"https","schemeHandler":"app.desktop"}"#,
      .wrongMember("returnScheme"), .redirectSchemeMismatch
    ),
    (
      names + #","returnScheme":"other","schemeHandler":"app.desktop"}"#,
      .wrongMember("returnScheme"), .redirectSchemeMismatch
    ),
  ]

  @Test(arguments: numbered.indices)
  func `what is missing or wrong in a description is 901 to 904`(_ index: Int) throws {
    let (entry, problem, code) = Self.numbered[index]
    let folder = try TemporaryDirectory()
    try folder.write("app.desktop", "MimeType=x-scheme-handler/mine;x-scheme-handler/https\n".utf8)
    let path = folder.path("") + "/"
    #expect(throws: problem) { try Script.method(entry: Self.begin + entry, folder: path) }
    #expect(IdentityAppCode(problem) == code)
  }

  static let others: [(entry: String, problem: ServiceProblem)] = [
    (begin + names + #","returnScheme":"mine"}"#, .missingMember("schemeHandler")),
    (begin + names + #","secret":"in the file"}"#, .unknownMember("secret")),
    (begin + names + #","scope":"everything"}"#, .wrongMember("scope")),
    (
      #"{"protocol":"scope-request","base":"https://localhost:1/",\#(names)}"#,
      .insecure("insecure")
    ),
    (
      #"{"protocol":"scope-request","insecure":false,"base":"https://localhost:1/",\#(names)}"#,
      .insecure("insecure")
    ),
    (
      #"{"protocol":"scope-request","insecure":true,"base":"https://api.example/",\#(names)}"#,
      .insecure("base")
    ),
    (
      #"{"protocol":"scope-request","insecure":true,"base":"https://localhost.example/",\#(names)}"#,
      .insecure("base")
    ),
    (
      #"{"protocol":"scope-request","insecure":true,"base":"http://localhost:1/",\#(names)}"#,
      .notHTTPS("base")
    ),
    (
      #"{"protocol":"other","insecure":true,"base":"https://localhost:1/",\#(names)}"#,
      .wrongMember("protocol")
    ),
  ]

  @Test(arguments: others.indices)
  func
    `the weak protocol is spoken on this machine alone, when a description says that it is insecure`(
      _ index: Int
    ) throws
  {
    let (entry, problem) = Self.others[index]
    #expect(throws: problem) { try Script.method(entry: entry, folder: "/") }
    #expect(IdentityAppCode(problem) == nil)
  }

  @Test func `a description from the network names no secret of this machine`() {
    #expect(throws: ServiceProblem.fileFromNetwork("secretFile")) {
      try Script.method(entry: Self.begin + Self.names + "}", folder: nil)
    }
  }

  @Test func `a secret that is missing, short or open to others is 933, before anybody is asked`()
    async throws
  {
    let servers = try Script().servers
    for (secret, permissions) in [("short", 0o600), (try SealedData.all.get().secret, 0o644)] {
      let folder = try TemporaryDirectory()
      let method = try Script.method(folder, secret: secret, permissions: permissions)
      let error = try await refusal { try await method.begin(try servers.context()) }
      expect(error, .secretNotFound)
    }
    let none = try Script.method(entry: Self.begin + Self.names + "}", folder: "/nowhere/")
    expect(try await refusal { try await none.begin(try servers.context()) }, .secretNotFound)
    #expect(servers.requests.isEmpty)
  }

  @Test(arguments: [Script.verify, Script.poll, Script.fetch])
  func `an answer that cannot be read is 911, one that says nothing of use 912`(request: String)
    async throws
  {
    let unreadable: [ScriptedServers.Answer] = [
      .json(#"{"half": "#), .of(type: "text/html", "<p>hello</p>"),
      .redirect("https://elsewhere.test/", status: 307), .redirect("http://localhost/"),
      .json(String(repeating: "[", count: 100_000)),
    ]
    for answer in unreadable { expect(try await refused(request, answer), .cannotParseResponse) }
    let twice = #"{"uuid":"a","uuid":"b","statusCode":202,"statusCode":200}"#
    expect(try await refused(request, .json(twice)), .cannotParseResponseData)
    guard request != Script.poll else { return }
    for body in ["{}", "[]", "null", #"{"uuid":1,"encryptedData":1}"#] {
      expect(try await refused(request, .json(body)), .cannotParseResponseData)
    }
  }

  @Test func `a beginning without a usable time, or of a real service, is 912`() async throws {
    for timeout in ["-1", "9223372036854775808", "86401", "1.5", "\"120\"", "null"] {
      expect(
        try await refused(Script.verify, Script.begun(timeout: timeout)), .cannotParseResponseData)
    }
    expect(try await refused(Script.verify, Script.begun(request: "")), .cannotParseResponseData)
    expect(
      try await refused(Script.verify, Script.begun(isTest: false)), .cannotParseResponseData)
  }

  @Test func `a link that would be too long for one is 913`() async throws {
    let long = String(repeating: "x", count: 9000)
    expect(try await refused(Script.verify, Script.begun(request: long)), .invalidUrl)
  }

  @Test(arguments: [
    "../../../sandbox/fault", "https://elsewhere.test/x", "", "a b", "%2e%2e", ".", "..",
    String(repeating: "a", count: 65),
  ])
  func `an identifier that would lead elsewhere is 914`(uuid: String) async throws {
    let servers = try Script().answering(Script.verify, Script.begun(uuid: uuid)).servers
    let folder = try TemporaryDirectory()
    let method = try Script.method(folder)
    expect(try await refusal { try await method.begin(try servers.context()) }, .invalidRequest)
    #expect(servers.requests.count == 1)
  }

  @Test(arguments: [404, 410])
  func `a request that the server does not know any more is 921`(status: Int) async throws {
    expect(try await refused(Script.poll, .json("{}", status: status)), .invalidSession)
  }

  @Test(arguments: [
    ("mobile-upgrade", IdentityAppCode.mobileUpgrade), ("user-cancelled", .userCancelled),
    ("verify-error", .verifyError),
  ])
  func `what went wrong in the app is 922 to 924`(action: String, code: IdentityAppCode)
    async throws
  {
    for type in ["code", "browser"] {
      expect(try await refused(Script.poll, Script.answered(action, type)), code)
    }
  }

  @Test func `an answer that no table has is 998`() async throws {
    let answers: [ScriptedServers.Answer] = [
      Script.answered("data-teleported"), Script.answered("data-received", "browser"),
      .json(#"{"statusCode":200,"authResponse":"t","type":"code"}"#),
      .json(#"{"statusCode":200,"authResponse":"t","action":"data-received"}"#),
      .json(#"{"statusCode":200,"action":"data-received","type":"code"}"#), .json("{}"),
      .json("[]"),
    ]
    for answer in answers {
      expect(try await refused(Script.poll, answer), .authenticationUnknownError)
    }
  }

  @Test func `when the server's time is over it is 925`() async throws {
    let clock = ScriptedClock()
    let script = try Script()
      .answering(Script.verify, Script.begun(timeout: "21")).answering(Script.poll, Script.pending)
    expect(try await refused(script, clock: clock), .scopeRequestTimeOut)
    #expect(clock.waited == 25)
    let none = try Script().answering(Script.verify, Script.begun(timeout: "0"))
    expect(try await refused(none), .scopeRequestTimeOut)
  }

  @Test func `when only this program's patience is over it is 202, and can be waited for again`()
    async throws
  {
    let folder = try TemporaryDirectory()
    let script = try Script()
      .answering(Script.verify, Script.begun(timeout: "3600"))
      .answering(Script.poll, .json(#"{"statusCode":202,"message":"in the body alone"}"#))
    let clock = ScriptedClock()
    let browser = try await Script.method(folder)
      .begin(try script.servers.context(clock: clock)).browser
    let error = try await refusal { try await browser.wait() }
    expect(error, .userDataNotAvailable)
    #expect(clock.waited == 300)
    let again = try (try #require(error.again)).browser
    #expect(again.url == browser.url && again.until == browser.until)
    #expect(try await refusal { try await again.wait() }.number == 202)
  }

  @Test(arguments: [400, 401, 405, 409, 500, 504])
  func `a status of the server has its number of the table`(status: Int) async throws {
    let code = try #require(IdentityAppCode(rawValue: status))
    for request in [Script.verify, Script.poll, Script.fetch] {
      let body = #"{"statusCode":\#(status),"message":"m"}"#
      expect(try await refused(request, .json(body, status: status)), code)
      expect(try await refused(request, .status(status)), code)
    }
  }

  @Test func `too many requests are 429 where the server is asked only once`() async throws {
    let answer = ScriptedServers.Answer.status(429, [.init(name: "retry-after", value: "9")])
    for request in [Script.verify, Script.fetch] {
      let error = try await refused(request, answer)
      #expect(error.reason == .tooManyRequests(retryAfter: 9))
      #expect(error.number == IdentityAppCode.tooManyRequests.rawValue)
    }
  }

  @Test(arguments: [402, 418, 501, 599])
  func `a status of no table is 999`(status: Int) async throws {
    expect(try await refused(Script.verify, .status(status)), .unknown)
  }

  @Test func `what happened on the network is told, with 999`() async throws {
    let error = try await refused(Script.verify, .failure(.resolve(host: "localhost")))
    #expect(error.reason == .exchange(.http(.resolve(host: "localhost"))) && error.number == 999)
    #expect(error.isOutage)
  }

  static let sealed = (try? SealedData.all.get().cases) ?? []

  @Test(arguments: sealed)
  func `data whose signature, cipher or text is wrong are 931, 932 or 997`(
    _ sealed: SealedData.Case
  ) async throws {
    let script = try Script().answering(Script.fetch, .json(sealed.answer))
    guard sealed.number == 0 else {
      expect(try await refused(script), try #require(IdentityAppCode(rawValue: sealed.number)))
      return
    }
    let folder = try TemporaryDirectory()
    let account = try await Script.method(folder).begin(try script.servers.context())
      .browser.wait().account
    #expect(account.claims[.nome] == "SOFIA")
  }

  @Test func `the vectors are there`() throws {
    #expect(try SealedData.all.get().cases.count == 25)
  }

  @Test func `nothing secret or personal is printed`() async throws {
    let folder = try TemporaryDirectory()
    let method = try Script.method(folder)
    let browser = try await method.begin(try Script().servers.context()).browser
    let account = try await browser.wait().account
    let text = printed(browser.url) + printed(account) + printed(account.claims)
    for secret in ["scope+", "h.p.s", "SOFIA", "sofia@"] { #expect(!text.contains(secret)) }
  }
}
