import Primitives
@testable import Web
import Synchronization
import Testing

@testable import SignIn

@Suite struct BankStateTests {
  @Test func `a bank is chosen, visited and come back from, with one process through all requests`()
    async throws
  {
    let script = BankScript()
    let servers = script.servers
    let banks = try await script.begin(servers).provider
    #expect(banks.providers.map(\.identifier) == ["sabbia", "marea"])
    let browser = try await banks.choose("sabbia").browser
    #expect(browser.url.text == "https://bank.test/authorize?ticket=t" && browser.until != nil)
    let account = try await BankScript.returning("?code=c-1", browser, servers).account
    #expect(account.method == "bank" && account.service == "Test")
    #expect(account.tokens?.access == "token-1" && account.claims["processId"] == ["p-1"])

    #expect(servers.requests.count == 5)
    #expect(!servers.requests[0].contains("processId"))
    for request in servers.requests[2...] {
      #expect(try RedirectURL(String(request.dropFirst(4))).value(of: "processId") == "p-1")
    }
    let paths = servers.requests.map {
      $0.prefix { $0 != "?" }.dropFirst(4 + BankScript.base.count)
    }
    #expect(
      paths == [
        "v3/auth/login/methods", "v1/auth/banks", "v3/auth/bankid/auth-url",
        "v1/auth/bankid/c-1/verify", "v3/auth/token",
      ])
    #expect(servers.requests[3].contains("bankId=sabbia"))
    for fields in servers.headers {
      #expect(
        fields["App-Version"] == "1.0.0" && fields["mobile_uid"] == account.claims["mobileUid"][0])
    }
  }

  @Test func `one method left is taken without asking`() async throws {
    let script = BankScript().answering(
      "GET v3/auth/login/methods",
      BankScript.methods(
        ["photoid", "BankID", "telepathy", "nfc"],
        #","disabledMethods":[{"code":"sms-otp","description":"Off"}]"#))
    let banks = try await script.begin(script.servers).provider
    #expect(banks.providers.map(\.identifier) == ["sabbia", "marea"])
  }

  @Test func `several methods are shown, unknown ones hidden, disabled ones with their reasons`()
    async throws
  {
    let script = BankScript().answering(
      "GET v3/auth/login/methods",
      BankScript.methods(
        ["telepathy", "photoid", "bankid", "monobank", "privatbank", "sms-otp", "bankid", "nfc"],
        #","disabledMethods":[{"code":"privatbank","description":"Manutenzione."},{"code":""}]"#))
    let servers = script.servers
    let menu = try await script.begin(servers).provider
    #expect(
      menu.providers.map(\.identifier) == ["bankid", "monobank", "sms-otp", "privatbank"])
    #expect(menu.providers.map(\.isAvailable) == [true, true, true, false])
    #expect(menu.providers.last?.name.raw == "Manutenzione.")
    for choice in ["privatbank", "nfc", "photoid", ""] {
      let error = try await refusal { try await menu.choose(choice) }
      #expect(error.cause == .unknownProvider)
      _ = try await (try #require(error.again)).provider.choose("bankid").provider
    }
  }

  @Test func `a bank that is not at work is shown and cannot be chosen`() async throws {
    let script = BankScript()
    let servers = script.servers
    let banks = try await script.begin(servers).provider
    #expect(banks.providers.map(\.isAvailable) == [true, false])
    let error = try await refusal { try await banks.choose("marea") }
    #expect(error.cause == .unknownProvider && servers.requests.count == 2)
    _ = try await (try #require(error.again)).provider.choose("sabbia").browser
  }

  @Test func `a bank with a name of its own is visited without the list`() async throws {
    let script = BankScript()
      .answering("GET v3/auth/login/methods", BankScript.methods(["monobank"]))
      .answering("GET v3/auth/monobank/auth-url", BankScript.page("https://bank.test/mono"))
      .answering("GET v1/auth/monobank/m-1/verify", BankScript.template("Fatto", "getToken"))
    let servers = script.servers
    let browser = try await script.begin(servers).browser
    let account = try await BankScript.returning("?code=m-1", browser, servers).account
    #expect(account.tokens?.access == "token-1")
    #expect(!servers.requests.contains { $0.contains("bankId") })
  }

  @Test func `where the service skips the methods the token follows at once`() async throws {
    let script = BankScript().answering(
      "GET v3/auth/login/methods", BankScript.methods([], #","skipAuthMethods":true"#))
    let servers = script.servers
    _ = try await script.begin(servers).account
    #expect(servers.requests.count == 2 && servers.requests[1].hasSuffix("token?processId=p-1"))
  }

  @Test func `the card is a method where somebody reads it`() async throws {
    let script = BankScript()
      .answering("GET v3/auth/login/methods", BankScript.methods(["nfc", "photoid"]))
      .answering("GET v1/auth/nfc/read-1/verify", BankScript.template("Fatto", "getToken"))
    let servers = script.servers
    var method = try BankScript.method()
    method.card = { verification throws(SignInError) in
      #expect(verification.processID == "p-1" && verification.flow == .login)
      return try verification.verify(.card, requestID: "read-1")
    }
    let account = try method.begin(try servers.context()).account
    #expect(account.claims["processId"] == ["p-1"])
    let alone = try await refusal { try await script.begin(script.servers) }
    #expect(alone.cause == .notOffered)
  }

  @Test func `a program identifies by the card itself, and tells its own version`() async throws {
    let script = BankScript()
      .answering("GET v3/auth/login/methods", BankScript.methods(["nfc"]))
      .answering("GET v1/auth/nfc/p-1-read/verify", BankScript.template("Fatto", "getToken"))
    let servers = script.servers
    let text =
      #"{"name":"S","methods":[{"method":"bank","base":"\#(BankScript.base)","hosts":["bank.test"]}]}"#
    let service = SignInService(try ServiceDescription(json: [UInt8](text.utf8), folder: nil))
    let context = try SignInContext(
      service: "Test", trust: nil, version: "7.8", exchange: { servers })
    var hooks = SignInHooks()
    hooks.identify = { $0 + "-read" }
    let account = try await service.signIn(by: .bank, hooks: hooks, context).begin().account
    #expect(account.claims["processId"] == ["p-1"])
    #expect(servers.headers.allSatisfy { $0["App-Version"] == "7.8" })
    hooks.identify = { _ in nil }
    let session = try service.signIn(by: .bank, hooks: hooks, context)
    #expect(try await refusal { try await session.begin() }.reason == .cancelled)
    let without = try service.signIn(by: .bank, context)
    #expect(try await refusal { try await without.begin() }.cause == .notOffered)
  }

  @Test func `a code by text message has its length, may be wrong, and is sent again on demand`()
    async throws
  {
    let script = BankScript()
      .answering("GET v3/auth/login/methods", BankScript.methods(["sms-otp"]))
      .answering(
        "GET v1/auth/otp/screen",
        .json(#"{"title":"t","codeLength":6,"contact":"***42","requestId":"r-1","attempts":3}"#),
        .json(#"{"title":"t","codeLength":6,"contact":"***42","requestId":"r-2","attempts":3}"#)
      )
      .answering("POST v1/auth/sms-otp/r-1/verify", BankScript.template("Codice errato", "repeat"))
      .answering("POST v1/auth/sms-otp/r-2/verify", BankScript.template("Fatto", "getToken"))
    let servers = script.servers
    let code = try await script.begin(servers).code
    #expect(code.length == 6 && code.sentTo?.raw == "***42" && code.channel?.raw == "sms")
    let asked = servers.requests.count
    #expect(try await refusal { try await code.submit(.typed("12345")) }.reason == .invalidCode)
    #expect(servers.requests.count == asked, "a code of another length is not sent")
    let wrong = try await refusal { try await code.submit(.typed("123456")) }
    #expect(wrong.reason == .invalidCode && wrong.correlationID == "p-1")
    #expect(servers.requests.last?.hasSuffix(#"r-1/verify?processId=p-1 {"otp":"123456"}"#) == true)
    let sent = try await (try #require(wrong.again)).code.resend().code
    _ = try await sent.submit(.typed("654321")).account
  }

  @Test func `templates are shown as text, those that go on and those that end it`() async throws {
    let shown = Mutex<[ResultTemplate]>([])
    let script = BankScript()
      .answering(
        "GET v3/auth/login/methods",
        BankScript.template(
          "Avviso", "authMethods", #""processId":"p-1","authMethods":["bankid"],"#)
      )
    let servers = script.servers
    var method = try BankScript.method()
    method.show = { template in shown.withLock { $0.append(template) } }
    let browser = try await method.begin(try servers.context()).provider.choose("sabbia").browser
    _ = try await BankScript.returning("?code=c-1", browser, servers).account
    #expect(shown.withLock { $0.map(\.title.raw) } == ["Avviso", "Identità verificata"])
    let template = try #require(shown.withLock { $0.last })
    #expect(template.text.raw == "Testo." && template.buttons.map(\.raw) == ["Avanti", "Annulla"])
  }

  @Test func `a verification ends in an account, given up, closed, or with an error`() async throws
  {
    func end(_ action: String, _ query: String = "?code=c-1") async throws -> SignInState {
      let script = BankScript()
        .answering("GET v1/auth/bankid/c-1/verify", BankScript.template("t", action))
      return try await script.returning(query, script.servers)
    }
    #expect(try await end("getToken").account.claims[Account.processClaim] == ["p-1"])
    #expect(try await refusal { try await end("cancel") }.reason == .cancelled)
    let denied = try await refusal { try await end("", "?error=access_denied") }
    #expect(denied.reason == .denied(UntrustedText("access_denied")))
    let closed = try await refusal { try await end("close") }
    guard case .template(let last) = closed.reason else { throw NotRefused() }
    #expect(last.isClosing)
    let error = try await refusal { try await end("authMethods") }
    guard case .template(let template) = error.reason else { throw NotRefused() }
    #expect(template.title.raw == "t" && !template.isClosing && error.correlationID == "p-1")
    _ = try await (try #require(error.again)).provider.choose("bankid").provider
    #expect(try await refusal { try await end("logout") }.reason == .notSignedIn)
  }
}
