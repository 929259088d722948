import Primitives
import TestSupport
import Testing

@testable import SignIn

/// Responses that the userinfo endpoint may send (OpenID Connect Core §5.3.2), and their media types.
@Suite struct UserInfoTests {
  private static let place = "GET https://op.example/userinfo"

  /// Claims of a response, for a client with these members in its entry.
  private func found(
    _ entry: [String: JSONValue] = [:],
    _ answer: (borrowing OpenIDScript) throws -> ScriptedServers.Answer
  ) async throws -> TokenClaims? {
    try asked(entry, answer).claims
  }

  private func asked(
    _ entry: [String: JSONValue] = [:],
    _ answer: (borrowing OpenIDScript) throws -> ScriptedServers.Answer
  ) throws -> (claims: TokenClaims?, servers: ScriptedServers) {
    var script = try OpenIDScript()
    script.answers["GET https://op.example/.well-known/openid-configuration"] = [
      .json(
        OpenIDScript.metadata([
          "userinfo_endpoint": #""https://op.example/userinfo""#,
          "userinfo_signing_alg_values_supported": #"["RS256"]"#,
        ]))
    ]
    script.answers[Self.place] = [try answer(script)]
    var entry = try script.entry(entry)
    let client = try OpenIDClient(&entry)
    try entry.finish()
    let servers = script.servers()
    let session = try OpenIDSession(client, servers.context(clock: script.clock))
    return (try session.userInfo(access: "secret-access", subject: "person"), servers)
  }

  /// Providers that look at the first field only would answer with plain JSON.
  @Test func `one Accept field names the signed forms first`() throws {
    let (_, servers) = try asked { script in
      .of(type: "application/jwt", try script.identity([]))
    }
    let accepted = "application/jose, application/jwt, application/json"
    #expect(servers.headers.contains { $0["Accept"] == accepted })
  }

  @Test(arguments: [
    "application/jwt", "application/jose", "Application/JOSE", "application/jose; charset=utf-8",
    "application/JWT;charset=utf-8", "application/jose\t; a=b",
  ])
  func `a signed answer is taken under each of its names`(_ type: String) async throws {
    let claims = try await found(["signedUserInfo": .flag(true)]) { script in
      .of(type: type, try script.identity([.init("given_name", "GELSOMINA")]))
    }
    #expect(try claims?.text("given_name") == "GELSOMINA")
  }

  /// A signed response must be by the provider, for this client, and not expired (§5.3.2).
  @Test(arguments: [
    ("iss", JSON.string("https://other.example/"), TokenProblem.issuerWrong),
    ("aud", .string("other"), .audienceWrong), ("exp", .int(1), .expired),
  ])
  func `a signed answer that is not for this client is refused`(
    name: String, value: JSON, problem: TokenProblem
  ) async throws {
    let error = try await refusal {
      try await found { script in
        .of(type: "application/jwt", try script.identity([.init(name, value)]))
      }
    }
    #expect(error.cause == .token(problem))
  }

  /// JSON is the default without a registered signature, regardless of the provider's abilities.
  @Test func `plain JSON is taken, unless the client was registered for a signed answer`()
    async throws
  {
    let plain = ScriptedServers.Answer.json(#"{"sub":"person","given_name":"GELSOMINA"}"#)
    #expect(try await found { _ in plain }?.text("given_name") == "GELSOMINA")
    #expect(try await found(["signedUserInfo": .flag(false)]) { _ in plain } != nil)
    let error = try await refusal {
      try await found(["signedUserInfo": .flag(true)]) { _ in plain }
    }
    #expect(error.cause == .openID(.notSigned))
    let other = try await refusal { try await found { _ in .json(#"{"sub":"other"}"#) } }
    #expect(other.cause == .token(.subjectWrong))
  }
}
