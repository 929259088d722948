import Primitives
import Web
import Synchronization
import TestSupport
import Testing

@testable import SignIn

/// Stored account between runs.
@Suite struct AccountKeeperTests: ~Copyable {
  private static let base = "https://provider.example/"
  private static let description = """
    {"name":"Comune di Prova","methods":[{"method":"bank","base":"\(base)","hosts":["bank.example"]}]}
    """

  private let folder: TemporaryDirectory
  private let keeper: AccountKeeper

  init() throws {
    folder = try TemporaryDirectory()
    keeper = AccountKeeper(folder: folder.path("state"))
  }

  private func signedIn(_ token: String = "secret-1") throws -> SignedIn {
    SignedIn(
      Account(
        service: "Comune di Prova", method: "bank",
        claims: AccountClaims([.init("nome", ["STELLA"]), .init("sub", ["a", "b"])]),
        begun: 1_767_225_600,
        tokens: Account.Tokens(
          access: token, refresh: nil, identity: nil, expires: 1_767_229_200, scope: "x")),
      at: try ServiceDescription(json: [UInt8](Self.description.utf8), folder: "/srv/"))
  }

  private func context(
    _ servers: ScriptedServers
  ) -> @Sendable (SignedIn) throws(SignInError) -> SignInContext {
    { (_) throws(SignInError) in
      try SignInContext(service: "Test", trust: nil, exchange: { servers })
    }
  }

  private func expectNobody() {
    let error = #expect(throws: SignInError.self) { try keeper.current() }
    #expect(error?.reason == .notSignedIn)
  }

  @Test func `an account is there again in the next run, to the last value`() throws {
    let kept = try signedIn()
    try keeper.keep(kept)
    let again = try keeper.current()
    #expect(again.account == kept.account)
    #expect(again.source == kept.source && again.folder == "/srv/")
    #expect(try again.way().method == .bank)
  }

  @Test func `where nobody is signed in that is an error of its own, also for a sign-out`()
    async throws
  {
    expectNobody()
    let error = #expect(throws: SignInError.self) {
      try keeper.signOut(context(ScriptedServers([String: [ScriptedServers.Answer]]())))
    }
    #expect(error?.reason == .notSignedIn)
  }

  @Test func `a sign-out forgets the account even where the provider says no`() async throws {
    try keeper.keep(try signedIn())
    let servers = ScriptedServers(["POST \(Self.base)v2/auth/token/logout": .status(500)])
    #expect(try keeper.signOut(context(servers)))
    expectNobody()
    #expect(try keeper.load().pending.isEmpty)
  }

  @Test
  func `a sign-out without the network is told to the provider once, when the network is back`()
    async throws
  {
    try keeper.keep(try signedIn())
    let down = ScriptedServers(
      ["POST \(Self.base)v2/auth/token/logout": .failure(.connect(host: "provider.example"))])
    #expect(try keeper.signOut(context(down)) == false)
    expectNobody()
    #expect(try keeper.load().pending.map(\.account.tokens?.access) == ["secret-1"])

    // Another account signs in meanwhile.
    try keeper.keep(try signedIn("secret-2"))
    let up = ScriptedServers(["POST \(Self.base)v2/auth/token/logout": .json("{}")])
    #expect(try keeper.tellPending(context(up)))
    #expect(try keeper.tellPending(context(up)))
    #expect(up.requests.count == 1)
    #expect(up.headers.first?["Authorization"] == "Bearer secret-1")
    #expect(try keeper.current().account.tokens?.access == "secret-2")
  }

  @Test func `only so many sign-outs wait for the network`() async throws {
    let down = ScriptedServers(
      ["POST \(Self.base)v2/auth/token/logout": .failure(.timeout)])
    for number in 0..<(AccountKeeper.pendingLimit + 3) {
      try keeper.keep(try signedIn("secret-\(number)"))
      #expect(try keeper.signOut(context(down)) == false)
    }
    let left = try keeper.load().pending.map(\.account.tokens?.access)
    #expect(left.count == AccountKeeper.pendingLimit && left.last == "secret-10")
  }

  @Test func `new tokens are kept, and a session that cannot be renewed is over`() async throws {
    try keeper.keep(try signedIn())
    let good = ScriptedServers(
      ["POST \(Self.base)v2/auth/token/refresh": .json(#"{"token":"secret-2"}"#)])
    let new = try keeper.refresh(context(good))
    #expect(new.account.tokens?.access == "secret-2")
    #expect(try keeper.current().account.tokens?.access == "secret-2")

    let down = ScriptedServers(["POST \(Self.base)v2/auth/token/refresh": .failure(.timeout)])
    #expect(throws: SignInError.self) { try keeper.refresh(context(down)) }
    #expect(try keeper.current().account.tokens?.access == "secret-2")

    let refused = ScriptedServers(["POST \(Self.base)v2/auth/token/refresh": .status(401)])
    let error = #expect(throws: SignInError.self) {
      try keeper.refresh(context(refused))
    }
    #expect(error?.reason == .refreshTokenExpired)
    expectNobody()
  }

  @Test func `a reset forgets the account and what waits`() async throws {
    try keeper.keep(try signedIn())
    let down = ScriptedServers(["POST \(Self.base)v2/auth/token/logout": .failure(.timeout)])
    #expect(try keeper.signOut(context(down)) == false)
    try keeper.keep(try signedIn())
    try keeper.reset()
    expectNobody()
    #expect(try keeper.load().pending.isEmpty)
    try keeper.reset()
  }

  /// Events during a request for new tokens; the new token must be revoked.
  @Test(arguments: ["reset", "exhausted code", "other sign-in"])
  func `a session that was ended while it was renewed stays ended, and its new token is ended, too`(
    _ what: String
  ) async throws {
    try keeper.keep(try signedIn())
    let keeper = keeper
    let (other, state) = (try signedIn("secret-9"), folder.path("state"))
    let servers = ScriptedServers([
      "POST \(Self.base)v2/auth/token/refresh": .json(#"{"token":"secret-2"}"#),
      "POST \(Self.base)v2/auth/token/logout": .json("{}"),
    ])
    let error = #expect(throws: SignInError.self) {
      try keeper.refresh { (_) throws(SignInError) in
        // The account was loaded; the request to the provider follows.
        switch what {
        case "reset": try keeper.reset()
        case "exhausted code": try? SessionStore(folder: state).remove()
        default: try keeper.keep(other)
        }
        return try SignInContext(service: "Test", trust: nil, exchange: { servers })
      }
    }
    let isReplaced = what == "other sign-in"
    #expect(error?.cause == (isReplaced ? .otherSession : .notSignedIn))
    if isReplaced {
      #expect(try keeper.current().account.tokens?.access == "secret-9")
    } else {
      expectNobody()
    }
    #expect(servers.requests.last?.hasPrefix("POST \(Self.base)v2/auth/token/logout") == true)
    #expect(servers.headers.last?["Authorization"] == "Bearer secret-2")
  }

  @Test func `a refusal that comes late does not end another sign-in`() async throws {
    try keeper.keep(try signedIn())
    let (keeper, other) = (keeper, try signedIn("secret-9"))
    let refused = ScriptedServers(["POST \(Self.base)v2/auth/token/refresh": .status(401)])
    let error = #expect(throws: SignInError.self) {
      try keeper.refresh { (_) throws(SignInError) in
        try keeper.keep(other)
        return try SignInContext(service: "Test", trust: nil, exchange: { refused })
      }
    }
    #expect(error?.reason == .refreshTokenExpired)
    #expect(try keeper.current().account.tokens?.access == "secret-9")
  }

  @Test func `of two that renew one session the second gets what the first has kept`() async throws
  {
    try keeper.keep(try signedIn())
    let (keeper, renewed) = (keeper, try signedIn("secret-2"))
    let store = SessionStore(folder: folder.path("state"))
    let second = ScriptedServers(["POST \(Self.base)v2/auth/token/refresh": .status(401)])
    let late = try keeper.refresh { (signedIn) throws(SignInError) in
      // Another process renews the session first.
      var record = AccountKeeper.Record(current: signedIn)
      record.current?.account = renewed.account
      _ = try? store.store([UInt8](record.json.text.utf8))
      return try SignInContext(service: "Test", trust: nil, exchange: { second })
    }
    #expect(late.account.tokens?.access == "secret-2")
    #expect(try keeper.current().account.tokens?.access == "secret-2")
  }

  @Test func `a reset while providers are told of sign-outs stays one`() async throws {
    try keeper.keep(try signedIn())
    let down = ScriptedServers(["POST \(Self.base)v2/auth/token/logout": .failure(.timeout)])
    #expect(try keeper.signOut(context(down)) == false)
    let (keeper, other) = (keeper, try signedIn("secret-9"))
    for isReset in [true, false] {
      _ = try? keeper.tellPending { (_) throws(SignInError) in
        // Meanwhile another account signs in, or everything is forgotten.
        if isReset { try keeper.reset() } else { try keeper.keep(other) }
        return try SignInContext(service: "Test", trust: nil, exchange: { down })
      }
      if isReset {
        #expect(try keeper.load().pending.isEmpty)
        expectNobody()
        try keeper.keep(try signedIn())
        #expect(try keeper.signOut(context(down)) == false)
      }
    }
    #expect(try keeper.current().account.tokens?.access == "secret-9")
    #expect(try keeper.load().pending.count == 1)
  }

  @Test func `a record of another version, or one that is cut, is nobody's`() throws {
    let store = SessionStore(folder: folder.path("state"))
    for text in [
      "{}", #"{"version":2,"current":null,"pending":[]}"#,
      #"{"version":1,"current":{},"pending":[]}"#,
      #"{"version":1,"current":null,"pending":[{}]}"#, #"{"version":1,"current":nul"#,
    ] {
      try store.store([UInt8](text.utf8))
      expectNobody()
    }
    try keeper.keep(try signedIn())
    let kept = String(decoding: try #require(try store.load()), as: UTF8.self)
    try store.store([UInt8](kept.replacing(#""version":1"#, with: #""version":2"#).utf8))
    expectNobody()
  }

  @Test func `nothing of the account is printed`() throws {
    let text = "\(try signedIn().account) \(String(reflecting: try signedIn().account))"
    #expect(!text.contains("STELLA") && !text.contains("secret"))
  }
}
