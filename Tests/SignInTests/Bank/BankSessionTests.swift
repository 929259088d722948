import Primitives
import Web
import Testing

@testable import SignIn

/// Later requests for an account of this method.
@Suite struct BankSessionTests {
  private func context(_ servers: ScriptedServers) throws -> SignInContext { try servers.context() }

  @Test(arguments: VerificationFlow.allCases.filter { $0 != .login })
  func `every flow but the sign-in is for somebody who is signed in`(flow: VerificationFlow)
    async throws
  {
    let servers = BankScript().servers
    let error = try await refusal {
      try BankScript.method().begin(flow, of: nil, try context(servers))
    }
    #expect(error.reason == .notSignedIn && servers.requests.isEmpty)
  }

  @Test func `prolonging verifies the person again and brings a new token`() async throws {
    let script = BankScript()
      .answering("GET v3/auth/prolong/methods", BankScript.methods(["bankid"]))
      .answering("GET v1/auth/prolong/", .json(#"{"token":"token-2"}"#))
    let servers = script.servers
    let browser = try await BankScript.method().begin(
      .prolong, of: BankScript.account, try context(servers)
    ).provider.choose("sabbia").browser
    let account = try await BankScript.returning("?code=c-1", browser, servers).account
    #expect(account.tokens?.access == "token-2" && account.begun == BankScript.account.begun)
    #expect(account.claims["processId"] == ["p-1"] && account.claims["given_name"] == ["SOFIA"])
    #expect(servers.requests.last == "GET \(BankScript.base)v1/auth/prolong/?processId=p-1")
    #expect(servers.headers.last?["Authorization"] == "Bearer token-0")
    #expect(servers.headers.allSatisfy { $0["mobile_uid"] == "phone-1" })
  }

  @Test(arguments: [VerificationFlow.signing, .verification])
  func `another verification leaves the token as it is`(flow: VerificationFlow) async throws {
    let script = BankScript()
      .answering("GET v3/auth/\(flow.rawValue)/methods", BankScript.methods(["bankid"]))
    let servers = script.servers
    let browser = try await BankScript.method().begin(
      flow, of: BankScript.account, try context(servers)
    ).provider.choose("sabbia").browser
    let account = try await BankScript.returning("?code=c-1", browser, servers).account
    #expect(account.tokens == BankScript.account.tokens)
    #expect(account.claims[Account.processClaim] == ["p-1"])
    #expect(servers.requests.last?.contains("/c-1/verify?") == true)
  }

  @Test func `a refresh brings a new token, or keeps the old one`() async throws {
    for (body, token) in [(#"{"token":"token-2"}"#, "token-2"), ("{}", "token-0")] {
      let servers = BankScript().answering("POST v2/auth/token/refresh", .json(body)).servers
      let account = try BankScript.method().refresh(
        BankScript.account, try context(servers))
      #expect(account.tokens?.access == token && account.claims == BankScript.account.claims)
      #expect(servers.headers.last?["Authorization"] == "Bearer token-0")
    }
  }

  @Test func `a refresh that is refused asks for a new sign-in`() async throws {
    let servers = BankScript().answering("POST v2/auth/token/refresh", .status(401)).servers
    let error = try await refusal {
      try BankScript.method().refresh(BankScript.account, try context(servers))
    }
    #expect(error.reason == .refreshTokenExpired && error.number == 401)
  }

  @Test(arguments: ["close", "prolong", "ok"])
  func `a refresh that gives a template in place of a token ends with it`(action: String)
    async throws
  {
    let servers = BankScript().answering(
      "POST v2/auth/token/refresh", BankScript.template("Sessione da rinnovare", action)
    ).servers
    let error = try await refusal {
      try BankScript.method().refresh(BankScript.account, try context(servers))
    }
    guard case .template(let template) = error.cause else { throw NotRefused() }
    #expect(template.title.raw == "Sessione da rinnovare")
  }

  @Test func `signing out tells the server whose token, on which device`() async throws {
    let servers = BankScript().answering("POST v2/auth/token/logout", .json("{}")).servers
    try BankScript.method().signOut(BankScript.account, try context(servers))
    #expect(servers.headers.last?["Authorization"] == "Bearer token-0")
    #expect(servers.headers.last?["mobile_uid"] == "phone-1")
  }

  @Test func `a token that the server does not know any more is signed out`() async throws {
    let servers = BankScript().answering("POST v2/auth/token/logout", .status(401)).servers
    try BankScript.method().signOut(BankScript.account, try context(servers))
  }

  @Test func `without the network the sign-out fails as an outage, to be repeated`() async throws {
    let servers = BankScript().answering("POST v2/auth/token/logout", .failure(.timeout)).servers
    let error = try await refusal {
      try BankScript.method().signOut(BankScript.account, try context(servers))
    }
    #expect(error.isOutage)
  }

  @Test func `nobody can refresh, sign out or ask for methods without a token`() async throws {
    let nobody = Account(
      service: "Test", method: "bank", claims: BankScript.account.claims, begun: 0)
    let method = try BankScript.method()
    let servers = BankScript().servers
    let context = try context(servers)
    #expect(try await refusal { try method.refresh(nobody, context) }.reason == .notSignedIn)
    #expect(try await refusal { try method.signOut(nobody, context) }.reason == .notSignedIn)
    #expect(
      try await refusal { try method.methods(of: nobody, context) }.reason == .notSignedIn)
    #expect(servers.requests.isEmpty)
  }

  @Test func `a temporary token and the methods of an account are fetched`() async throws {
    let servers = BankScript()
      .answering("GET v1/auth/temporary/token", .json(#"{"token":"guest"}"#))
      .answering("GET v1/auth/methods", .json(#"{"authMethods":["bankId","nfc","photoId"]}"#))
      .servers
    let method = try BankScript.method()
    #expect(try method.temporaryToken(try context(servers)) == "guest")
    #expect(
      try method.methods(of: BankScript.account, try context(servers)) == [.bank, .card])
  }

  @Test func `a service signs in by its offer, refreshes and signs out on paths of its own`()
    async throws
  {
    let servers = BankScript()
      .answering(
        "GET v1/auth/acquirer/branch/offer/o%2F1/token", .json(#"{"token":"service-1"}"#)
      )
      .answering(
        "POST v1/auth/acquirer/branch/offer/token/refresh", .json(#"{"token":"service-2"}"#)
      )
      .answering("POST v1/auth/acquirer/branch/offer/token/logout", .json("{}")).servers
    let method = try BankScript.method()
    let account = try method.signIn(offer: "o/1", try context(servers))
    let renewed = try method.refresh(account, try context(servers))
    #expect(renewed.tokens?.access == "service-2")
    try method.signOut(renewed, try context(servers))
    #expect(servers.headers.last?["Authorization"] == "Bearer service-2")
    #expect(Set(servers.headers.map { $0["mobile_uid"] }).count == 1)
  }
}
