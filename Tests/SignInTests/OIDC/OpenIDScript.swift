import Primitives
import Web
import TestSupport

@testable import SignIn

/// Scripted provider at `https://op.example/`: its tokens are signed with the second key of `tokens.json`, the client's
/// key is the first.
struct OpenIDScript: ~Copyable {
  static let issuer = "https://op.example/"
  let folder: TemporaryDirectory
  let vectors: TokenVectors
  var answers: [String: [ScriptedServers.Answer]]
  let clock = ScriptedClock()

  init() throws {
    let vectors = try TokenVectors.all.get()
    let folder = try TemporaryDirectory()
    try folder.write("client.jwk", [UInt8](vectors.client.utf8))
    let key = try ClientKey(json: [UInt8](vectors.clientEc.utf8))
    self.vectors = vectors
    self.folder = folder
    answers = [
      "GET https://op.example/.well-known/openid-configuration": [.json(Self.metadata())],
      "GET https://op.example/keys": [.json(key.publicKeys.text)],
    ]
  }

  /// Provider metadata with some members changed; `nil` removes one.
  static func metadata(_ changes: [String: String?] = [:]) -> String {
    var members: [String: String?] = [
      "issuer": #""\#(issuer)""#, "token_endpoint": #""\#(issuer)token""#,
      "authorization_endpoint": #""\#(issuer)authorize""#, "jwks_uri": #""\#(issuer)keys""#,
      "device_authorization_endpoint": #""\#(issuer)device""#,
      "token_endpoint_auth_methods_supported": #"["private_key_jwt"]"#,
      "code_challenge_methods_supported": #"["S256"]"#, "request_parameter_supported": "true",
    ]
    members.merge(changes) { _, new in new }
    return "{"
      + members.compactMap { name, value in value.map { #""\#(name)":\#($0)"# } }
      .joined(separator: ",") + "}"
  }

  /// Entry of a description; `nil` removes a member.
  borrowing func entry(_ changes: [String: JSONValue?] = [:]) throws -> ServiceEntry {
    var members: [String: JSONValue?] = [
      "issuer": .string(Self.issuer), "clientId": .string("me"), "clientKey": .string("client.jwk"),
    ]
    members.merge(changes) { _, new in new }
    return try ServiceEntry(
      .object(members.compactMap { name, value in value.map { (name: name, value: $0) } }),
      folder: folder.path("") + "/")
  }

  /// ID token, valid except for these claims.
  borrowing func identity(_ changes: [JSON.Member] = []) throws -> String {
    let now = Int(clock.now.seconds)
    let names = Set(changes.map(\.name))
    let usual: [JSON.Member] = [
      .init("iss", Self.issuer), .init("aud", "me"), .init("sub", "person"), .init("iat", now),
      .init("exp", now + 3600), .init("family_name", "PROVA"),
    ]
    return try ClientKey(json: [UInt8](vectors.clientEc.utf8))
      .sign(.object(usual.filter { !names.contains($0.name) } + changes))
  }

  /// Response of the token endpoint.
  static func tokens(_ identity: String?) -> String {
    let more = identity.map { #","id_token":"\#($0)""# } ?? ""
    return #"{"access_token":"secret-access","token_type":"Bearer","expires_in":300\#(more)}"#
  }

  borrowing func servers() -> ScriptedServers { ScriptedServers(answers) }
}
