import Primitives
@testable import Web
import TestSupport

@testable import SignIn

/// Scripted government service and bank: correct responses, unless a test replaces one.
struct BankScript {
  typealias Answer = ScriptedServers.Answer

  static let base = "https://gov.test/government/"
  static let now: Int64 = 1_767_225_600

  /// Responses by method and path below the base.
  var answers: [String: [Answer]] = [
    "GET v3/auth/login/methods": [methods(["bankid"])],
    "GET v1/auth/banks": [
      .json(
        #"{"banks":[{"id":"sabbia","name":"Banca della Sabbia","logoUrl":"https://x.test/l","workable":true},"#
          + #"{"id":"marea","name":"Banca Marea","workable":false}]}"#)
    ],
    "GET v3/auth/bankid/auth-url": [page("https://bank.test/authorize?ticket=t")],
    "GET v1/auth/bankid/c-1/verify": [template("Identità verificata", "getToken")],
    "GET v3/auth/token": [.json(#"{"token":"token-1"}"#)],
  ]

  func answering(_ request: String, _ answers: Answer...) -> BankScript {
    var script = self
    script.answers[request] = answers
    return script
  }

  var servers: ScriptedServers {
    ScriptedServers(
      Dictionary(
        uniqueKeysWithValues: answers.map { key, value in
          (key.replacing(" ", with: " " + Self.base, maxReplacements: 1), value)
        }))
  }

  static func method(_ further: String = "") throws -> BankSignIn {
    try method(
      entry:
        #"{"base":"\#(base)","hosts":["bank.test"],"returnUrl":"http://127.0.0.1/b"\#(further)}"#)
  }

  static func method(entry text: String, folder: String? = nil) throws -> BankSignIn {
    var entry = try ServiceEntry(JSONValue([UInt8](text.utf8)), folder: folder)
    let method = try BankSignIn(&entry)
    try entry.finish()
    return method
  }

  /// Returns the first state.
  func begin(_ servers: ScriptedServers) async throws -> SignInState {
    try Self.method().begin(try servers.context())
  }

  /// Returns the state in which the person is at the bank.
  func atBank(_ servers: ScriptedServers) async throws -> SignInState.BrowserRequired {
    try await begin(servers).provider.choose("sabbia").browser
  }

  /// Returns the result after the bank redirects the person.
  func returning(
    _ query: String = "?code=c-1", _ servers: ScriptedServers
  ) async throws -> SignInState {
    let state = try await atBank(servers)
    return try await BankScript.returning(query, state, servers)
  }

  /// Runs the person's browser, and this program, which waits for it.
  static func returning(
    _ query: String, _ state: SignInState.BrowserRequired, _ servers: ScriptedServers
  ) async throws -> SignInState {
    let address = try returnAddress(servers) + query.replacing("?", with: "&")
    let visit = Task.detached {
      try BuiltBinary(path: "/usr/bin/curl").run(["--silent", address]).standardOutput
    }
    let next: Result<SignInState, any Error>
    do { next = .success(try await state.wait()) } catch { next = .failure(error) }
    _ = try await visit.value
    return try next.get()
  }

  /// Redirect URI that the server received, with the state of the expected response.
  static func returnAddress(_ servers: ScriptedServers) throws -> String {
    let request = servers.requests.last { $0.contains("/auth-url?") } ?? ""
    let url = try RedirectURL(String(request.dropFirst(4)))
    return (url.value(of: "returnUrl") ?? "") + "?state=" + (url.value(of: "state") ?? "")
  }

  static func methods(
    _ methods: [String], _ further: String = "", process: String = "p-1"
  ) -> Answer {
    let list = methods.map { "\"\($0)\"" }.joined(separator: ",")
    return .json(#"{"title":"t","processId":"\#(process)","authMethods":[\#(list)]\#(further)}"#)
  }

  static func page(_ address: String) -> Answer { .json(#"{"authUrl":"\#(address)","token":"t"}"#) }

  /// Result in the kit's form.
  static func template(
    _ title: String, _ action: String, status: Int = 200, _ further: String = ""
  ) -> Answer {
    .json(
      #"{\#(further)"template":{"type":"middleCenterAlignAlert","isClosable":true,"data":{"icon":"","#
        + #""title":"\#(title)","description":"Testo.","mainButton":{"name":"Avanti","action":"\#(action)"},"#
        + #""alternativeButton":{"name":"Annulla","action":"cancel"}}},"processCode":1}"#,
      status: status)
  }

  /// Signed-in account.
  static let account = Account(
    service: "Test", method: "bank",
    claims: AccountClaims([
      .init("given_name", ["SOFIA"]), .init("processId", ["p-0"]), .init("mobileUid", ["phone-1"]),
    ]), begun: UTCTime(seconds: now - 100),
    tokens: Account.Tokens(
      access: "token-0", refresh: nil, identity: nil, expires: nil, scope: nil))
}
