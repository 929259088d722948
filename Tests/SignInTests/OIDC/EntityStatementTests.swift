import Primitives
import Testing

@testable import SignIn

/// Rules for one statement (OpenID Federation §3) and for names in constraints (§6.2.2), without a chain.
@Suite struct EntityStatementTests {
  private static let now = 1_800_000_000

  /// Unsigned statement, because only `prove` verifies the signature.
  private func statement(
    typed header: String = #"{"alg":"ES256","typ":"entity-statement+jwt"}"#,
    _ changes: [String: String] = [:]
  ) throws -> EntityStatement {
    let usual = [
      "iss": #""https://a.example/""#, "sub": #""https://b.example/""#, "iat": "\(Self.now)",
      "exp": "\(Self.now + 600)", "jwks": #"{"keys":[]}"#,
    ]
    let claims = usual.merging(changes) { $1 }.filter { !$0.value.isEmpty }
      .map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
    let parts = [header, "{\(claims)}"].map { Base64URL.encode([UInt8]($0.utf8)) }
    return try EntityStatement(
      parts.joined(separator: ".") + ".AA", issuer: "https://a.example/",
      subject: "https://b.example/", now: UTCTime(seconds: Int64(Self.now)))
  }

  @Test(arguments: [#"{"alg":"ES256"}"#, #"{"alg":"ES256","typ":"JWT"}"#])
  func `a token of another type is no statement`(_ header: String) throws {
    let error = #expect(throws: SignInError.self) { try statement(typed: header) }
    guard case .statement(.wrongType) = error?.federationProblem else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `a statement counts in its time, with a minute between two clocks`() throws {
    _ = try statement(["exp": "\(Self.now - 59)", "iat": "\(Self.now + 60)"])
    for (name, moment, problem) in [
      ("exp", Self.now - 60, TokenProblem.expired), ("iat", Self.now + 61, .issuedInFuture),
    ] {
      expectUnproved(.statement(problem)) {
        try statement([name: "\(moment)"])
      }
    }
  }

  @Test(arguments: [
    ("crit", #"["later"]"#, FederationProblem.statement(.criticalExtension)),
    ("crit", "null", .statement(.criticalExtension)),
    ("jwks", "", .statement(.claimMissing("jwks"))),
    ("iss", #""https://c.example/""#, .issuerWrong),
    ("sub", #""https://c.example/""#, .subjectWrong),
  ])
  func `a statement is the one that was asked for, and understood`(
    name: String, value: String, problem: FederationProblem
  ) {
    expectUnproved(problem) { try statement([name: value]) }
  }

  /// A constraint is a host name (RFC 5280 §4.2.1.10).
  @Test(arguments: ["https://192.0.2.1/", "https://[2001:db8::1]/", "b.example"])
  func `an entity without a host name is below no constraint`(_ name: String) throws {
    let names = #"{"naming_constraints":{"permitted":[".example","192.0.2.1","[2001:db8::1]"]}}"#
    let superior = try statement(["constraints": names])
    let constraints = try #require(try TrustConstraints(superior))
    try constraints.check(["https://b.example/"])
    expectUnproved(.nameForbidden) { try constraints.check([name]) }
  }
}

extension SignInError {
  /// The reason for which a provider is not trusted, if that is the cause.
  var federationProblem: FederationProblem? {
    if case .openID(.federation(let problem)) = cause { problem } else { nil }
  }
}

/// Expects that a statement or a chain of them proves nothing, for this reason.
func expectUnproved(
  _ problem: FederationProblem, at location: SourceLocation = #_sourceLocation,
  _ body: () throws -> Any?
) {
  let error = #expect(throws: SignInError.self, sourceLocation: location) { try body() }
  #expect(error?.federationProblem == problem, sourceLocation: location)
}
