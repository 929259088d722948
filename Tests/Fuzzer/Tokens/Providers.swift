internal import CIECard
@testable import Web
@testable import SignIn
internal import Primitives
internal import TestSupport

/// Providers: their descriptions, and chains of statements to an anchor.
extension FuzzTarget {
  static let providers = [discovery, federation]

  private static func client(_ more: String = "") throws -> OpenIDClient {
    var entry = try ServiceEntry(
      JSONValue(
        [UInt8](
          (#"{"issuer":"https://op.example/","clientId":"me","clientKey":"client.jwk","#
            + #""hosts":["middle.example","other.example"]\#(more)}"#).utf8)),
      folder: Repository.path("Tests/Fuzzer/Keys") + "/")
    return try OpenIDClient(&entry)
  }

  private static let provider =
    #""issuer":"https://op.example/","token_endpoint":"https://op.example/token","#
    + #""authorization_endpoint":"https://op.example/authorize","#
    + #""token_endpoint_auth_methods_supported":["private_key_jwt"],"#
    + #""code_challenge_methods_supported":["S256"],"response_types_supported":["code"],"#
    + #""userinfo_signing_alg_values_supported":["ES256"],"userinfo_endpoint":"https://op.example/me""#

  private static let discovery = FuzzTarget("discovery") {
    Seeds.lines(
      #"{\#(provider),"jwks_uri":"https://other.example/keys","#
        + #""authorization_response_iss_parameter_supported":true}"#,
      #"{\#(provider),"jwks":\#(SigningKey.op.jwks),"revocation_endpoint":"https://op.example/r"}"#)
  } play: { probe in
    let client = try client()
    let provider = try OpenIDProvider(TokenClaims(probe.bytes), for: client)
    let endpoints = [
      provider.authorization, provider.token, provider.keys, provider.userInfo, provider.revocation,
      provider.deviceAuthorization,
    ].compactMap { $0 }
    probe.require(
      endpoints.allSatisfy { $0.scheme == .https && client.origins.contains($0.origin) },
      "only at hosts that the description names")
    probe.require(
      (provider.keys == nil) != (provider.givenKeys == nil), "keys from one place")
  }

  /// Five statements, divided by 1E, each signed by its proper issuer: the provider, the intermediate, its statement
  /// about the provider, the anchor, and the anchor's statement about the intermediate.
  private static let federation = FuzzTarget("federation") {
    func statement(_ by: String, _ about: SigningKey, _ more: String = "") -> String {
      #"{"iss":"https://\#(by).example/","sub":"https://\#(about.id).example/","iat":1767225590,"#
        + #""exp":1767229000,"jwks":\#(about.jwks)\#(more)}"#
    }
    func fetch(_ name: String) -> String {
      #","metadata":{"federation_entity":{"federation_fetch_endpoint":"https://\#(name).example/fetch"}}"#
    }
    let policy =
      #","metadata_policy":{"openid_provider":{"token_endpoint_auth_methods_supported":"#
      + #"{"subset_of":["private_key_jwt","x"],"essential":true},"contacts":{"add":["a"],"default":["b"]},"#
      + #""scope":{"superset_of":["openid"],"value":"openid profile"}}},"constraints":{"max_path_length":1}"#
    return ["", policy].map { policy in
      [UInt8](
        [
          statement(
            "op", .op,
            #","authority_hints":["https://middle.example/"],"metadata":{"openid_provider":"#
              + #"{\#(provider),"jwks":\#(SigningKey.op.jwks)}}"#),
          statement(
            "middle", .middle, #","authority_hints":["https://anchor.example/"]"# + fetch("middle")),
          statement("middle", .op, policy), statement("anchor", .anchor, fetch("anchor")),
          statement("anchor", .middle, policy),
        ].joined(separator: "\u{1E}").utf8)
    }
  } play: { probe in
    let statements = probe.bytes.split(separator: 0x1E, omittingEmptySubsequences: false)
      .map([UInt8].init)
    guard statements.count == 5 else { throw Unfit() }
    let keys: [SigningKey] = [.op, .middle, .middle, .anchor, .anchor]
    let known = ".well-known/openid-federation"
    let places = [
      "https://op.example/" + known, "https://middle.example/" + known,
      "https://middle.example/fetch", "https://anchor.example/" + known,
      "https://anchor.example/fetch",
    ]
    var answers: [String: [UInt8]] = [:]
    for ((statement, key), place) in zip(zip(statements, keys), places) {
      answers[place] = [UInt8](try key.sign(statement, type: EntityStatement.type).utf8)
    }
    let servers = AnswerTable(answers, type: "application/entity-statement+jwt")
    let client = try client(
      #","trustAnchor":"https://anchor.example/","trustAnchorKeys":"anchor.jwks""#)
    guard let anchor = client.anchor else { throw Unfit() }
    let context = try SignInContext(
      service: "Test", trust: nil, now: { now }, exchange: { servers })
    let chain = TrustChain(anchor: anchor, line: context.line(to: client.origins)) { now }
    defer { probe.require(servers.count <= 60, "a bounded number of requests") }
    let claims = try finished { try chain.metadata(of: client.issuer) }
    let provider = try OpenIDProvider(claims, for: client)
    probe.require(client.origins.contains(provider.token.origin), "at the provider's")
  }

  private static let now: UTCTime = 1_767_225_600
}
