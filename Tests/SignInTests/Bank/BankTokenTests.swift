import Primitives
import Foundation
import Web
import TestSupport
import Testing

@testable import SignIn

/// Verification of tokens with known keys.
@Suite struct BankTokenTests {
  static let issuer = "https://gov.test/government"
  static let checking = #","issuer":"\#(issuer)","audience":"government""#

  private func key() throws -> ClientKey {
    try ClientKey(json: [UInt8](TokenVectors.all.get().client.utf8))
  }

  private func token(_ changes: [String: JSON] = [:]) throws -> String {
    var claims: [String: JSON] = [
      "iss": .string(Self.issuer), "aud": "government".json, "sub": "person".json,
      "iat": .int(Int(BankScript.now)), "exp": .int(Int(BankScript.now) + 3600),
      "given_name": "SOFIA".json,
    ]
    claims.merge(changes) { $1 }
    return try key().sign(
      .object(claims.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) }))
  }

  private func script(_ token: String, issuer: String = issuer, keys: String? = nil) throws
    -> BankScript
  {
    BankScript()
      .answering("GET v3/auth/login/methods", BankScript.methods([], #","skipAuthMethods":true"#))
      .answering("GET v3/auth/token", .json(#"{"token":"\#(token)"}"#))
      .answering(
        "GET .well-known/openid-configuration",
        .json(#"{"issuer":"\#(issuer)","jwks_uri":"\#(keys ?? BankScript.base + "keys")"}"#)
      )
      .answering("GET keys", .json(try key().publicKeys.text))
  }

  private func account(_ script: BankScript) async throws -> Account {
    try BankScript.method(Self.checking).begin(try script.servers.context()).account
  }

  @Test func `a token proved by the service's published keys tells who somebody is`() async throws {
    let account = try await account(try script(try token()))
    #expect(account.claims[.nome] == "SOFIA" && account.claims["processId"] == ["p-1"])
    #expect(account.expires == UTCTime(seconds: BankScript.now + 3600))
  }

  @Test func `a token proved by a pinned key needs no other request`() async throws {
    let folder = try TemporaryDirectory()
    try key().publicKeys.text.write(
      toFile: folder.path("keys.json"), atomically: true, encoding: .utf8)
    let method = try BankScript.method(
      entry:
        #"{"base":"\#(BankScript.base)","hosts":["bank.test"],"keys":"keys.json"\#(Self.checking)}"#,
      folder: folder.url.path + "/")
    let servers = try script(try token()).servers
    #expect(try method.begin(try servers.context()).account.claims["sub"] == ["person"])
    #expect(servers.requests.count == 2)
  }

  @Test func `a token that proves nothing signs nobody in`() async throws {
    for (changes, problem) in [
      (["iss": "https://elsewhere.test".json], TokenProblem.issuerWrong),
      (["aud": "others".json], .audienceWrong), (["exp": .int(1)], .expired),
    ] {
      let script = try script(try token(changes))
      let error = try await refusal { try await account(script) }
      #expect(error.cause == .token(problem) && error.correlationID?.isEmpty == false)
    }
    let opaque = try await refusal { try await account(try script("token-1")) }
    #expect(opaque.cause == .token(.malformed))
  }

  @Test func `keys come from the service's own server and under its own name`() async throws {
    let name = try await refusal {
      try await account(try script(try token(), issuer: "https://gov.test/other"))
    }
    #expect(name.cause == .exchange(.wrongMember("issuer")))
    let host = try await refusal {
      try await account(try script(try token(), keys: "https://elsewhere.test/keys"))
    }
    #expect(
      host.cause == .exchange(.foreignHost(try RedirectURL("https://elsewhere.test/").origin)))
    let plain = try await refusal {
      try await account(try script(try token(), keys: "http://gov.test/government/keys"))
    }
    #expect(plain.cause == .exchange(.notHTTPS))
  }

  @Test func `without issuer and audience a token is a word that says nothing`() async throws {
    let servers = try script(try token()).servers
    let account = try BankScript.method().begin(try servers.context()).account
    #expect(account.claims["sub"].isEmpty && account.expires == nil)
  }
}

extension String {
  fileprivate var json: JSON { .string(self) }
}
