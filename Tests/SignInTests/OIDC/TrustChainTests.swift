import Primitives
import Web
import TestSupport
import Testing

@testable import SignIn

/// Chains that the sandbox does not build: long ones, loops, and statements with foreign keys.
@Suite struct TrustChainTests {
  /// Test keys, made by Authlib.
  private static let keys = [
    "anchor": (
      "PK7Ge2HJDt2WJgID8d1lsyvum3M8PiIL4gSlT3KTkME", "33MCbJZ9pTEWEkU5IY-85gJoq-md72wMCtMjb5XwrFo",
      "gZ11Krk3XFKgn9jRYKysPb_4ntPiWnulo39mMJnLgjU"
    ),
    "middle": (
      "QI9blTu4fLzjMFKkHzXNOCymE5p_uu4i7tKAS_Ljsvc", "L7Hi0CVtLHYooZeOeYkbvOL1IsobEVoOstI2RPN1Tww",
      "5lGEq9FHVtr-FWSmIB-DzYOb0jxAmvRALORYnVqaPoM"
    ),
    "op": (
      "laaZIoKbIr3DxOG_vC3d7XZCW7udNgVV3jEmIsN-51k", "vgmmR5eKdcXBwycSQ4JVbN_xzpaZOCpF7-qLy1eM6ks",
      "9-SrW53Xwvha4Zu2QIbieUEuaTMawHQjiSaoZG4H370"
    ),
    "stranger": (
      "pFDI4xRjdpw0Mlyvxa2vqIw_F4vt4yQCk-y7CQ86IkA", "CiWFdB473DjxA-Cjt34b9y1J2TIommfGLnbDchcChls",
      "S5pO8mn_ZuEEI31MUN62LrOWHAKKZ9jDLSpsZctZH8U"
    ),
  ]
  private let clock = ScriptedClock()

  private func key(_ name: String, id: String? = nil) throws -> ClientKey {
    let (x, y, d) = try #require(Self.keys[name])
    return try ClientKey(
      json: [UInt8](
        #"{"kty":"EC","crv":"P-256","kid":"\#(id ?? name)","x":"\#(x)","y":"\#(y)","d":"\#(d)"}"#
          .utf8))
  }

  func address(_ name: String) -> String { "https://\(name).example/" }

  /// Statement about a subordinate, or about the issuer itself.
  func statement(
    by superior: String, about subject: String, keys: String? = nil, signer: String? = nil,
    _ more: [JSON.Member] = []
  ) throws -> String {
    let now = Int(clock.now.seconds)
    return try key(signer ?? superior).sign(
      .object(
        [
          .init("iss", address(superior)), .init("sub", address(subject)), .init("iat", now),
          .init("exp", now + 600), .init("jwks", try key(keys ?? subject).publicKeys),
        ] + more), type: "entity-statement+jwt")
  }

  func hints(_ names: String...) -> JSON.Member {
    .init("authority_hints", .array(names.map { .string(address($0)) }))
  }

  func endpoint(_ name: String) -> JSON.Member {
    .init(
      "metadata",
      .object([
        .init(
          "federation_entity",
          .object([.init("federation_fetch_endpoint", address(name) + "fetch")]))
      ]))
  }

  private var provider: JSON.Member {
    .init(
      "metadata",
      .object([
        .init(
          "openid_provider",
          .object([
            .init("issuer", address("op")), .init("token_endpoint", address("op") + "token"),
            .init("jwks", (try? key("op").publicKeys) ?? .null),
            .init("token_endpoint_auth_methods_supported", .array([.string("private_key_jwt")])),
            .init("client_name", .null),
          ]))
      ]))
  }

  /// Resolves the provider with these documents; by default those of a chain over one intermediate.
  func open(
    _ changes: [String: String] = [:], anchorKeys: String? = nil
  ) async throws -> OpenIDSession {
    let known = ".well-known/openid-federation"
    var documents = [
      address("op") + known: try statement(by: "op", about: "op", [hints("middle"), provider]),
      address("middle") + known: try statement(
        by: "middle", about: "middle", [hints("anchor"), endpoint("middle")]),
      address("middle") + "fetch": try statement(by: "middle", about: "op"),
      address("anchor") + known: try statement(by: "anchor", about: "anchor", [endpoint("anchor")]),
      address("anchor") + "fetch": try statement(by: "anchor", about: "middle"),
    ]
    documents.merge(changes) { _, new in new }
    let folder = try TemporaryDirectory()
    let (x, y, d) = try #require(Self.keys["stranger"])
    try folder.write(
      "client.jwk",
      [UInt8](#"{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)","d":"\#(d)"}"#.utf8))
    try folder.write(
      "anchor.jwks", [UInt8]((anchorKeys ?? key("anchor").publicKeys.text).utf8))
    var entry = try ServiceEntry(
      JSONValue(
        [UInt8](
          #"""
          {"issuer":"https://op.example/","clientId":"me","clientKey":"client.jwk","hosts":["middle.example"],
           "trustAnchor":"https://anchor.example/","trustAnchorKeys":"anchor.jwks"}
          """#.utf8)), folder: folder.path("") + "/")
    let client = try OpenIDClient(&entry)
    try entry.finish()
    let servers = ScriptedServers(
      Dictionary(
        documents.map {
          (
            "GET " + $0.key,
            ScriptedServers.Answer.of(type: "application/entity-statement+jwt", $0.value)
          )
        }
      ) { first, _ in first })
    return try OpenIDSession(client, servers.context(clock: clock))
  }

  func problem(_ changes: [String: String]) async throws -> SignInError.Cause {
    try await refusal { try await self.open(changes) }.cause
  }

  private var middleKnown: String { address("middle") + ".well-known/openid-federation" }
  private var ownKnown: String { address("op") + ".well-known/openid-federation" }

  @Test func `a chain over one superior is proved, with keys that stand in it`() async throws {
    let session = try await open()
    #expect(session.provider.token.text == "https://op.example/token")
    #expect(session.provider.keys == nil && session.provider.givenKeys?.isEmpty == false)
  }

  @Test func `keys that only a superior says of itself sign nothing`() async throws {
    // The attacker plays the superior and vouches for itself; the anchor knows the real superior's key.
    let lie = [
      middleKnown: try statement(
        by: "middle", about: "middle", keys: "stranger", signer: "stranger",
        [hints("anchor"), endpoint("middle")]),
      address("middle") + "fetch": try statement(by: "middle", about: "op", signer: "stranger"),
    ]
    for part in [lie] + lie.map({ [$0.key: $0.value] }) {
      #expect(try await problem(part) == .openID(.federation(.statement(.keyUnknown))))
    }
  }

  @Test func `a statement about the provider's keys counts, not what the provider says of them`()
    async throws
  {
    let lie = [
      ownKnown: try statement(
        by: "op", about: "op", keys: "stranger", signer: "stranger", [hints("middle"), provider])
    ]
    #expect(try await problem(lie) == .openID(.federation(.statement(.keyUnknown))))
  }

  @Test func `superiors that name each other lead nowhere`() async throws {
    let loop = [
      middleKnown: try statement(
        by: "middle", about: "middle", [hints("op", "middle"), endpoint("middle")])
    ]
    #expect(try await problem(loop) == .openID(.federation(.noPath)))
    #expect(
      try await problem([
        ownKnown: statement(by: "op", about: "op", [hints("op"), provider])
      ]) == .openID(.federation(.noPath)))
  }

  @Test func `only so many superiors are asked`() async throws {
    let many = (0..<40).map { JSON.string("https://middle.example/\($0)/") }
    let error = try await refusal {
      try await self.open([
        self.ownKnown: self.statement(
          by: "op", about: "op", [.init("authority_hints", .array(many)), self.provider])
      ])
    }
    guard case .exchange = error.cause else {
      Issue.record("\(error)")
      return
    }
  }

  @Test func `a superior may set what the provider says, and policies come after that`()
    async throws
  {
    let above = JSON.Member(
      "metadata",
      .object([
        .init(
          "openid_provider", .object([.init("token_endpoint", "https://middle.example/other")]))
      ]))
    let set = [address("middle") + "fetch": try statement(by: "middle", about: "op", [above])]
    #expect(try await open(set).provider.token.text == "https://middle.example/other")
    let policy = JSON.Member(
      "metadata_policy",
      .object([
        .init(
          "openid_provider",
          .object([
            .init("token_endpoint", .object([.init("one_of", .array([.string("https://x/")]))]))
          ]))
      ]))
    let forbidden = [
      address("anchor") + "fetch": try statement(by: "anchor", about: "middle", [policy])
    ]
    #expect(
      try await problem(forbidden) == .openID(.federation(.policyForbids("token_endpoint"))))
  }

  @Test func `an anchor that allows nobody between is obeyed, wherever it says so`() async throws {
    let none = JSON.Member("constraints", .object([.init("max_path_length", 0)]))
    for changes in [
      [address("anchor") + "fetch": try statement(by: "anchor", about: "middle", [none])],
      [
        address("anchor") + ".well-known/openid-federation": try statement(
          by: "anchor", about: "anchor", [endpoint("anchor"), none])
      ],
    ] {
      #expect(try await problem(changes) == .openID(.federation(.tooLong)))
    }
    let wrong = JSON.Member("constraints", .object([.init("max_path_length", "0")]))
    #expect(
      try await problem([
        address("anchor") + "fetch": statement(by: "anchor", about: "middle", [wrong])
      ]) == .openID(.federation(.memberWrong("constraints"))))
  }

  @Test func `a critical operator that is not known spoils the chain, without any policy`()
    async throws
  {
    let critical = JSON.Member("metadata_policy_crit", texts("regexp"))
    #expect(
      try await problem([
        address("anchor") + "fetch": statement(by: "anchor", about: "middle", [critical])
      ]) == .openID(.federation(.policyUnusable("metadata_policy_crit"))))
  }

  @Test func `an anchor whose keys cannot be used is a mistake in the description`() async throws {
    #expect(
      try await refusal { try await self.open([:], anchorKeys: #"{"keys":[]}"#) }.cause
        == .description(.wrongMember("trustAnchorKeys")))
  }

  @Test func `members of a wrong kind are told by their names`() async throws {
    #expect(
      try await problem([
        ownKnown: statement(by: "op", about: "op", [.init("authority_hints", 1), provider])
      ]) == .openID(.federation(.memberWrong("authority_hints"))))
    #expect(
      try await problem([
        ownKnown: statement(by: "op", about: "op", [hints("middle"), .init("metadata", 1)])
      ]) == .openID(.federation(.memberWrong("metadata"))))
  }
}
