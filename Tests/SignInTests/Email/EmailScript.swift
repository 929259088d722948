import Primitives
import Web
import TestSupport

@testable import SignIn

/// Scripted provider of native authentication: correct responses, unless a test replaces one.
struct EmailScript {
  typealias Answer = ScriptedServers.Answer

  static let authority = "https://tenant.test/t/"
  static let name = "norberto@example.invalid"
  static let now: Int64 = 1_767_225_600
  static let requests = ["initiate", "challenge", "introspect", "token"]

  /// Responses by the last segment of the path; `configuration` and `keys` are the two of discovery.
  var answers: [String: [Answer]]
  var challengeTypes = ["oob", "password"]

  init() throws {
    let key = try Self.key()
    answers = [
      "initiate": [.json(#"{"continuation_token":"began"}"#)],
      "challenge": [Self.codeSent("sent")],
      "introspect": [
        .json(
          #"{"continuation_token":"known","methods":[{"id":"w","challenge_type":"webauthn"},"#
            + #"{"id":"phone","challenge_type":"oob","challenge_channel":"sms","login_hint":"*42"}]}"#
        )
      ],
      "token": [try Self.granted(signed: Self.claims())],
      "configuration": [
        .json(
          #"{"issuer":"https://tenant.test/t/v2.0","jwks_uri":"https://tenant.test/t/keys"}"#)
      ],
      "keys": [.json(key.publicKeys.text)],
    ]
  }

  /// Returns the script with other responses.
  func answering(_ request: String, _ answers: Answer...) -> EmailScript {
    var script = self
    script.answers[request] = answers
    return script
  }

  var servers: ScriptedServers {
    var table: [String: [Answer]] = [:]
    for (request, answers) in answers {
      switch request {
      case "configuration":
        table["GET \(Self.authority)v2.0/.well-known/openid-configuration"] = answers
      case "keys": table["GET \(Self.authority)keys"] = answers
      default: table["POST \(Self.authority)oauth2/v2.0/\(request)"] = answers
      }
    }
    return ScriptedServers(table)
  }

  func method(_ further: String = "") throws -> EmailSignIn {
    let types = challengeTypes.map { "\"\($0)\"" }.joined(separator: ",")
    let text =
      #"{"authority":"\#(Self.authority)","clientId":"client","challengeTypes":[\#(types)]\#(further)}"#
    var entry = try ServiceEntry(JSONValue([UInt8](text.utf8)), folder: nil)
    let method = try EmailSignIn(&entry)
    try entry.finish()
    return method
  }

  /// Returns the first state; the servers record the requests.
  func begin(
    _ servers: ScriptedServers, _ clock: ScriptedClock = ScriptedClock()
  ) async throws -> SignInState {
    try method().begin(try servers.context(clock: clock))
  }

  /// Returns the state after the name.
  func named(_ servers: ScriptedServers) async throws -> SignInState {
    try await begin(servers).userName.submit(Self.name)
  }

  static func key() throws -> ClientKey {
    try ClientKey(json: [UInt8](TokenVectors.all.get().client.utf8))
  }

  static func codeSent(_ token: String, _ further: String = #""code_length":8,"interval":30,"#)
    -> Answer
  {
    .json(
      #"{\#(further)"continuation_token":"\#(token)","challenge_type":"oob","binding_method":"prompt","#
        + #""challenge_channel":"email","challenge_target_label":"n***o@e***.invalid"}"#)
  }

  static func passwordDue(_ token: String) -> Answer {
    .json(#"{"continuation_token":"\#(token)","challenge_type":"password"}"#)
  }

  static let redirect = Answer.json(
    #"{"challenge_type":"redirect","redirect_reason":"not with this client"}"#)

  /// Error in the published form.
  static func refused(
    _ word: String, _ number: Int? = nil, sub: String? = nil, status: Int = 400,
    _ further: String = ""
  ) -> Answer {
    .json(
      #"{"error":"\#(word)","error_description":"AADSTS","#
        + (number.map { #""error_codes":[\#($0)],"# } ?? "")
        + (sub.map { #""suberror":"\#($0)","# } ?? "") + further
        + #""correlation_id":"0f0e0d0c-1111-4222-8333-444455556666"}"#, status: status)
  }

  static func claims(_ changes: [String: JSON] = [:]) -> JSON {
    var all: [(String, JSON)] = [
      ("iss", .string("https://tenant.test/t/v2.0")), ("aud", .string("client")),
      ("sub", .string("person")), ("iat", .int(Int(now))), ("exp", .int(Int(now) + 3600)),
      ("given_name", .string("NORBERTO")), ("fiscal_number", .string("TINIT-FTTNBR81X99Z999N")),
    ]
    for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
      all.removeAll { $0.0 == name }
      if value != .null { all.append((name, value)) }
    }
    return .object(all.map { JSON.Member($0.0, $0.1) })
  }

  static func granted(signed claims: JSON) throws -> Answer { granted(try key().sign(claims)) }

  static func granted(
    _ identity: String?, _ further: String = #""token_type":"Bearer","expires_in":3600,"#
  ) -> Answer {
    .json(
      #"{\#(further)"scope":"openid profile","refresh_token":"again-1","#
        + (identity.map { #""id_token":"\#($0)","# } ?? "") + #""access_token":"access-1"}"#)
  }
}
