import Primitives
import Foundation
@testable import Web
import TestSupport
import Testing

@testable import SignIn

/// Government kit of the sandbox, written in another language; curl visits the bank's pages.
extension SandboxSignInTests {
  private static func bank(of sandbox: Sandbox) throws -> BankSignIn {
    guard case .bank(let way) = try sandbox.service().description.way(.bank) else {
      throw NotRefused()
    }
    return way
  }

  private static func begin(_ sandbox: Sandbox) async throws -> SignInState.ProviderRequired {
    try await sandbox.signIn(by: .bank).begin().provider.choose("bankid").provider
  }

  /// Person at the bank who enters user name and password, and is redirected.
  private static func visit(_ page: RedirectURL, _ sandbox: Sandbox, _ fields: [String]) throws {
    let ticket = page.value(of: "ticket") ?? ""
    let address = page.text.prefix { $0 != "?" }
    let result = try BuiltBinary(path: "/usr/bin/curl").run(
      ["--silent", "--location", "--cacert", try sandbox.address("ca"), String(address)]
        + (["ticket=\(ticket)"] + fields).flatMap { ["--data-urlencode", $0] })
    _ = result.standardOutput
  }

  /// Passes through the bank with the password of a user, and returns.
  private static func through(
    _ browser: SignInState.BrowserRequired, _ sandbox: Sandbox, role: String = "password",
    _ fields: [String]? = nil
  ) async throws -> SignInState {
    let user = try sandbox.user(role)
    let fields = fields ?? ["username=\(user.name)", "password=\(user.password)"]
    let visit = Task.detached { try Self.visit(browser.url, sandbox, fields) }
    let next: Result<SignInState, any Error>
    do { next = .success(try await browser.wait()) } catch { next = .failure(error) }
    try await visit.value
    return try next.get()
  }

  @Test func `a bank of the sandbox signs in, and the token is refreshed and ended`() async throws {
    let sandbox = try Self.fresh()
    let banks = try await Self.begin(sandbox)
    #expect(banks.providers.map(\.identifier) == ["sabbia", "duna", "marea"])
    #expect(banks.providers.map(\.isAvailable) == [true, true, false])
    let browser = try await banks.choose("sabbia").browser
    let account = try await Self.through(browser, sandbox).account
    #expect(account.service == "Sandbox" && account.claims["processId"].first?.count == 36)
    // The sandbox's tokens are signed, and its description has their issuer.
    #expect(account.claims[.codiceFiscale]?.count == 16 && account.expires != nil)

    let method = try Self.bank(of: sandbox)
    let renewed = try method.refresh(account, try sandbox.context())
    #expect(renewed.tokens?.access != account.tokens?.access)
    let old = try await refusal { try method.refresh(account, try sandbox.context()) }
    #expect(old.reason == .refreshTokenExpired)
    #expect(try method.methods(of: renewed, try sandbox.context()) == [.bank, .card])

    // Another verification, for a longer session.
    let again = try await method.begin(.prolong, of: renewed, try sandbox.context())
      .provider.choose("bankid").provider.choose("duna").browser
    let longer = try await Self.through(again, sandbox).account
    #expect(longer.tokens?.access != renewed.tokens?.access)
    #expect(longer.claims["processId"] != account.claims["processId"])

    try method.signOut(longer, try sandbox.context())
    try method.signOut(longer, try sandbox.context())
    let over = try await refusal { try method.refresh(longer, try sandbox.context()) }
    #expect(over.reason == .refreshTokenExpired)
  }

  @Test func `the sandbox's menu has the disabled methods with their reasons`() async throws {
    let menu = try await Self.fresh().signIn(by: .bank).begin().provider
    #expect(menu.providers.map(\.identifier) == ["bankid", "sms-otp", "nfc", "photoid"])
    #expect(menu.providers.map(\.isAvailable) == [true, true, false, false])
    #expect(menu.providers.last?.name.raw == "Questo terminale non ha fotocamera.")
  }

  @Test func `a code by text message from the sandbox signs in; three wrong ones end it`()
    async throws
  {
    let sandbox = try Self.fresh()
    let code = try await sandbox.signIn(by: .bank).begin().provider.choose("sms-otp").code
    #expect(code.length == 6 && code.sentTo?.raw.hasSuffix("42") == true)
    let wrong = try await refusal { try await code.submit(.typed("000000")) }
    #expect(wrong.reason == .invalidCode)
    let again = try #require(wrong.again).code
    _ = try await again.submit(.typed(try sandbox.code())).account

    let other = try await sandbox.signIn(by: .bank).begin().provider.choose("sms-otp").code
    for _ in 0..<2 {
      #expect(try await refusal { try await other.submit(.typed("000000")) }.reason == .invalidCode)
    }
    let over = try await refusal { try await other.submit(.typed("000000")) }
    guard case .template(let template) = over.cause, over.again == nil else { throw NotRefused() }
    #expect(template.title.raw == "Troppi tentativi")
    #expect(template.isClosing)
  }

  @Test func `a temporary token and a service's entrance of the sandbox`() async throws {
    let sandbox = try Self.fresh()
    let method = try Self.bank(of: sandbox)
    #expect(try !method.temporaryToken(try sandbox.context()).isEmpty)
    let service = try method.signIn(offer: "sandbox-offer", try sandbox.context())
    let renewed = try method.refresh(service, try sandbox.context())
    #expect(renewed.tokens?.access != service.tokens?.access)
    try method.signOut(renewed, try sandbox.context())
    let unknown = try await refusal { try method.signIn(offer: "other", sandbox.context()) }
    #expect(unknown.cause == .expired && unknown.number == 404)
  }

  @Test func `a person who gives up at the bank is a person who said no`() async throws {
    let sandbox = try Self.fresh()
    let browser = try await Self.begin(sandbox).choose("sabbia").browser
    let error = try await refusal { try await Self.through(browser, sandbox, ["choice=cancel"]) }
    #expect(error.cause == .denied(UntrustedText("access_denied")))
  }

  @Test(arguments: ["bank-no-methods", "bank-all-disabled"])
  func `where the sandbox offers nothing its reason is told`(fault: String) async throws {
    let sandbox = try Self.fresh()
    try sandbox.arm(fault, at: "government/flow-methods")
    let error = try await refusal { try await sandbox.signIn(by: .bank).begin() }
    let word = "Su questo terminale la carta si legge con il suo metodo."
    #expect(error.cause == .denied(UntrustedText(word)))
  }

  @Test(arguments: ["bank-unknown-method", "bank-methods-template", "bank-process-swapped"])
  func `the sandbox's list of methods is strange, and usable`(fault: String) async throws {
    let sandbox = try Self.fresh()
    try sandbox.arm(fault, at: "government/flow-methods")
    let menu = try await sandbox.signIn(by: .bank).begin().provider
    #expect(menu.providers.prefix(2).map(\.identifier) == ["bankid", "sms-otp"])
    let browser = try await menu.choose("bankid").provider.choose("sabbia").browser
    _ = try await Self.through(browser, sandbox).account
  }

  @Test func `somebody whom the sandbox knows is not asked for a method`() async throws {
    let sandbox = try Self.fresh()
    try sandbox.arm("bank-skip-methods", at: "government/flow-methods")
    _ = try await sandbox.signIn(by: .bank).begin().account
  }

  @Test(arguments: [
    ("bank-list-empty", SignInError.Cause.notOffered), ("bank-list-closed", .notOffered),
    ("bank-list-repeated", .exchange(.wrongMember("banks"))),
  ])
  func `the sandbox's list of banks is of no use`(fault: String, reason: SignInError.Cause)
    async throws
  {
    let sandbox = try Self.fresh()
    try sandbox.arm(fault, at: "government/banks")
    #expect(try await refusal { try await Self.begin(sandbox) }.cause == reason)
  }

  @Test(arguments: ["bank-foreign-host", "bank-http", "bank-lookalike-host", "bank-url-script"])
  func `the sandbox's bank is not where it should be`(fault: String) async throws {
    let sandbox = try Self.fresh()
    let banks = try await Self.begin(sandbox)
    try sandbox.arm(fault, at: "government/auth-url")
    let error = try await refusal { try await banks.choose("sabbia") }
    switch (fault, error.cause) {
    case ("bank-foreign-host", .exchange(.foreignHost(let origin))):
      #expect(origin.host == "elsewhere.cie-sandbox.invalid")
    case ("bank-http", .exchange(.notHTTPS)): break
    default: #expect(error.cause == .exchange(.wrongMember("authUrl")))
    }
  }

  @Test(arguments: [
    ("bank-no-code", SignInError.Cause.exchange(.missingMember("code"))),
    ("bank-code-odd", .exchange(.wrongMember("code"))),
    ("bank-denies", .denied(UntrustedText("access_denied"))),
  ])
  func `the sandbox's bank sends people back without a usable code`(
    fault: String, reason: SignInError.Cause
  ) async throws {
    let sandbox = try Self.fresh()
    let browser = try await Self.begin(sandbox).choose("sabbia").browser
    try sandbox.arm(fault, at: "government/bank-form")
    #expect(try await refusal { try await Self.through(browser, sandbox) }.cause == reason)
  }

  @Test func `the code of another process leads back to the methods`() async throws {
    let sandbox = try Self.fresh()
    let browser = try await Self.begin(sandbox).choose("sabbia").browser
    try sandbox.arm("bank-code-of-another", at: "government/bank-form")
    let error = try await refusal { try await Self.through(browser, sandbox) }
    guard case .template(let template) = error.cause else { throw NotRefused() }
    #expect(template.title.raw == "Verifica non riuscita")
    let banks = try await (try #require(error.again)).provider.choose("bankid").provider
    _ = try await Self.through(try await banks.choose("duna").browser, sandbox).account
  }

  @Test(arguments: ["bank-return-host", "bank-code-repeated"])
  func `who is not sent back as agreed is not signed in`(fault: String) async throws {
    let sandbox = try Self.fresh()
    let method = try Self.bank(of: sandbox)
    let context = try SignInContext(
      service: "Sandbox", trust: try sandbox.service().description.trust, patience: .seconds(2))
    let browser = try await method.begin(context).provider.choose("bankid")
      .provider.choose("sabbia").browser
    try sandbox.arm(fault, at: "government/bank-form")
    #expect(try await refusal { try await Self.through(browser, sandbox) }.cause == .timedOut)
  }

  @Test(arguments: [
    ("bank-verify-fails", "Verifica non riuscita"), ("bank-verify-hostile", "Banca"),
  ])
  func `a verification that the sandbox refuses signs nobody in`(fault: String, title: String)
    async throws
  {
    let sandbox = try Self.fresh()
    let browser = try await Self.begin(sandbox).choose("sabbia").browser
    try sandbox.arm(fault, at: "government/verify")
    let error = try await refusal { try await Self.through(browser, sandbox) }
    switch error.cause {
    case .template(let template): #expect(template.title.raw.contains(title))
    // Its button reports success; the server's status does not.
    default: #expect(fault == "bank-verify-hostile" && error.number == 403)
    }
  }

  @Test(arguments: ["bank-refresh-401", "bank-refresh-template"])
  func `a refresh that the sandbox refuses keeps nobody signed in`(fault: String) async throws {
    let sandbox = try Self.fresh()
    let browser = try await Self.begin(sandbox).choose("sabbia").browser
    let account = try await Self.through(browser, sandbox).account
    let method = try Self.bank(of: sandbox)
    try sandbox.arm(fault, at: "government/refresh")
    let error = try await refusal { try method.refresh(account, try sandbox.context()) }
    if fault == "bank-refresh-401" {
      #expect(error.reason == .refreshTokenExpired)
    } else {
      guard case .template = error.cause else { throw NotRefused() }
    }
  }

  @Test(arguments: [
    ("token-alg-none", TokenProblem.algorithmForbidden("none")),
    ("token-hs256", .algorithmForbidden("HS256")), ("token-other-key", .signatureInvalid),
    ("token-unknown-kid", .keyUnknown), ("token-tampered", .signatureInvalid),
    ("token-garbage", .malformed), ("token-wrong-issuer", .issuerWrong),
    ("token-wrong-audience", .audienceWrong), ("token-expired", .expired),
    ("token-not-yet", .issuedInFuture), ("token-no-expiry", .claimMissing("exp")),
  ])
  func `a token of the sandbox's government that proves nothing signs nobody in`(
    fault: String, problem: TokenProblem
  ) async throws {
    let sandbox = try Self.fresh()
    let browser = try await Self.begin(sandbox).choose("sabbia").browser
    try sandbox.arm(fault, at: "government/token")
    let error = try await refusal { try await Self.through(browser, sandbox) }
    #expect(error.cause == .token(problem))
  }

  /// Keys in the header of a token.
  @Test(arguments: ["token-header-jwk", "token-header-jku", "token-header-x5u", "token-crit"])
  func `a token of the sandbox's government with a key of its own signs nobody in`(fault: String)
    async throws
  {
    let sandbox = try Self.fresh()
    let browser = try await Self.begin(sandbox).choose("sabbia").browser
    try sandbox.arm(fault, at: "government/token")
    guard case .token = try await refusal({ try await Self.through(browser, sandbox) }).cause
    else { throw NotRefused() }
  }

  /// Faults that affect any response of a server.
  static let governmentFaults: [String] =
    [400, 401, 403, 404, 405, 409, 429, 500, 503, 504].map { "way-\($0)" }
    + [
      "way-not-json", "way-not-utf8", "way-html", "way-content-type", "way-empty", "way-array",
      "way-deep", "way-no-members", "way-wrong-types", "way-repeated-member", "way-huge",
      "way-endless", "way-truncated", "way-redirect-loop", "way-redirect-host", "way-redirect-http",
    ]

  @Test(arguments: governmentFaults.indices)
  func `no answer of a faulty government server signs anybody in`(_ index: Int) async throws {
    // The scripted servers test all of them at every request; here each is met once.
    let places = ["flow-methods", "banks", "auth-url", "verify", "token"]
    let place = places[index % places.count]
    let sandbox = try Self.fresh()
    try sandbox.arm(Self.governmentFaults[index], at: "government/" + place)
    let error = try await refusal {
      let browser = try await Self.begin(sandbox).choose("sabbia").browser
      return try await Self.through(browser, sandbox).account
    }
    #expect(error.correlationID?.isEmpty == false, "\(place): \(error)")
  }
}
