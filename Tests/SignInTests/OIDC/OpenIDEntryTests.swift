import Primitives
import Foundation
@testable import Web
import TestSupport
import Testing

@testable import SignIn

/// Allowed members of an OpenID provider's entry, and of its metadata.
@Suite struct OpenIDEntryTests {
  private func problem(_ changes: [String: JSONValue?]) throws -> ServiceProblem? {
    let script = try OpenIDScript()
    do throws(SignInError) {
      guard var entry = try? script.entry(changes) else { return nil }
      _ = try OIDCSignIn(&entry)
      try entry.finish()
      return nil
    } catch {
      return error.serviceProblem
    }
  }

  @Test func `an entry has a provider, a name for us and a key, and nothing unknown`() throws {
    #expect(try problem([:]) == nil)
    #expect(
      try problem([
        "scopes": .array([.string("openid")]), "level": .number("3"),
        "responseMode": .string("form_post"), "hosts": .array([.string("a.example:1")]),
        "claims": .array([.string("given_name"), .string("email")]),
      ]) == nil)
    #expect(try problem(["issuer": nil]) == .missingMember("issuer"))
    #expect(try problem(["clientId": nil]) == .missingMember("clientId"))
    #expect(try problem(["clientKey": nil]) == .missingMember("clientKey"))
    #expect(try problem(["issuer": .string("http://op.example/")]) == .notHTTPS("issuer"))
    #expect(try problem(["issuer": .string("https://op.example/?a")]) == .notHTTPS("issuer"))
    #expect(try problem(["scopes": .array([.string("email")])]) == .wrongMember("scopes"))
    #expect(
      try problem(["scopes": .array([.string("openid"), .string("a b")])]) == .wrongMember("scopes")
    )
    for names in [["given_name", "given_name"], [""], []] {
      #expect(
        try problem(["claims": .array(names.map { .string($0) })]) == .wrongMember("claims"))
    }
    for level in [JSONValue.number("0"), .number("4"), .string("2")] {
      #expect(try problem(["level": level]) == .wrongMember("level"))
    }
    #expect(try problem(["responseMode": .string("fragment")]) == .wrongMember("responseMode"))
    #expect(try problem(["secret": .string("x")]) == .unknownMember("secret"))
    #expect(
      try problem(["trustAnchor": .string("https://a/")]) == .missingMember("trustAnchorKeys"))
    #expect(try problem(["trustAnchorKeys": .string("a")]) == .missingMember("trustAnchor"))
    #expect(try problem(["trustMark": .string("a")]) == .missingMember("trustAnchor"))
    #expect(
      try problem(["trustAnchor": .string("http://a/"), "trustAnchorKeys": .string("a")])
        == .notHTTPS("trustAnchor"))
  }

  @Test func `the public keys of a client are for its registration`() throws {
    let script = try OpenIDScript()
    let json =
      #"{"name":"n","methods":[{"method":"card","start":"https://a.example/"},"#
      + #"{"method":"oidc","issuer":"https://op.example/","clientId":"me","clientKey":"client.jwk"}]}"#
    let service = try SignInService(json: [UInt8](json.utf8), folder: script.folder.path("") + "/")
    let published = try service.clientKeys(of: .oidc)
    #expect(try published == ClientKey(json: [UInt8](script.vectors.client.utf8)).publicKeys.text)
    #expect(cause { _ = try service.clientKeys(of: .card) } == .notOffered)
  }

  @Test func `a description from the network names no key of this machine`() throws {
    var entry = try ServiceEntry(
      .object([
        (name: "issuer", value: .string(OpenIDScript.issuer)),
        (name: "clientId", value: .string("me")), (name: "clientKey", value: .string("/etc/x")),
      ]), folder: nil)
    expectUnfit(.fileFromNetwork("clientKey")) { try OpenIDClient(&entry) }
  }

  private func begin(
    _ script: borrowing OpenIDScript
  ) async throws -> (SignInState, SignInContext) {
    var entry = try script.entry()
    let method = try OIDCSignIn(&entry)
    let context = try script.servers().context(clock: script.clock)
    return (try method.begin(context), context)
  }

  private func reason(_ metadata: [String: String?]) async throws -> SignInError.Cause {
    var script = try OpenIDScript()
    script.answers["GET https://op.example/.well-known/openid-configuration"] = [
      .json(OpenIDScript.metadata(metadata))
    ]
    do {
      _ = try await begin(script)
    } catch let error as SignInError {
      return error.cause
    }
    throw NotRefused()
  }

  @Test func `what a provider says of itself is looked at member by member`() async throws {
    #expect(try await reason(["issuer": #""https://op.example""#]) == .openID(.issuerWrong))
    #expect(try await reason(["issuer": nil]) == .openID(.issuerWrong))
    #expect(try await reason(["issuer": "1"]) == .openID(.metadataWrong("issuer")))
    for name in ["token_endpoint", "jwks_uri", "authorization_endpoint"] {
      #expect(try await reason([name: nil]) == .openID(.metadataMissing(name)))
      #expect(try await reason([name: "1"]) == .openID(.metadataWrong(name)))
      #expect(try await reason([name: #""http://op.example/x""#]) == .openID(.metadataWrong(name)))
      #expect(try await reason([name: #""/token""#]) == .openID(.metadataWrong(name)))
      for foreign in ["https://op.example.evil/", "https://op.example:444/", "https://127.0.0.1/"] {
        #expect(try await reason([name: #""\#(foreign)""#]) == .openID(.endpointForeign(name)))
      }
    }
    for (name, value) in [
      ("token_endpoint_auth_methods_supported", #"["client_secret_basic"]"#),
      ("code_challenge_methods_supported", #"["plain"]"#),
      ("response_types_supported", #"["id_token"]"#),
    ] {
      #expect(try await reason([name: value]) == .openID(.notSupported(name)))
      #expect(try await reason([name: "{}"]) == .openID(.metadataWrong(name)))
    }
    #expect(
      try await reason(["authorization_response_iss_parameter_supported": "1"])
        == .openID(.metadataWrong("authorization_response_iss_parameter_supported")))
    #expect(
      try await reason(["jwks_uri": nil, "jwks": #"{"keys":1}"#]) == .openID(.metadataWrong("jwks"))
    )
  }

  @Test func `a provider that is not there, or talks nonsense, is told as that`() async throws {
    let place = "GET https://op.example/.well-known/openid-configuration"
    for (answer, reason) in [
      (ScriptedServers.Answer.status(404), SignInError.Cause.status(404)),
      (.status(429, [.init(name: "retry-after", value: "7")]), .tooManyRequests(retryAfter: 7)),
      (.json("[]"), .token(.notAnObject)),
      (.redirect("https://op.example/"), .exchange(.redirected(status: 302))),
      (.of(type: "text/html", "<p>"), .exchange(.notJSON(status: 200))),
      (.json(#"{"issuer":"a","issuer":"b"}"#), .exchange(.repeatedMember("issuer"))),
      (.failure(.timeout), .exchange(.http(.timeout))), (.failure(.cancelled), .cancelled),
      (.json(#"{"error":"what"}"#, status: 400), .openID(.refusedOtherwise(UntrustedText("what")))),
    ] {
      var script = try OpenIDScript()
      script.answers[place] = [answer]
      do {
        _ = try await begin(script)
        Issue.record("not refused")
      } catch let error as SignInError {
        #expect(error.cause == reason)
      }
    }
  }

  @Test func `a key that is missing, open to others or none is not the provider's fault`()
    async throws
  {
    for (text, mode, problem) in [
      ("", 0o600, ClientKeyProblem.unusable), (try OpenIDScript().vectors.client, 0o644, .exposed),
      (nil, 0, .unreadable), (try OpenIDScript().vectors.weak, 0o600, .unusable),
    ] {
      let script = try OpenIDScript()
      let path = script.folder.path("client.jwk")
      if let text {
        try script.folder.write("client.jwk", [UInt8](text.utf8), permissions: mode)
      } else {
        try FileManager.default.removeItem(atPath: path)
      }
      do {
        _ = try await begin(script)
        Issue.record("not refused")
      } catch let error as SignInError {
        #expect(error.cause == .clientKey(problem, path: path))
      }
    }
  }

  /// Parameters of a request to a provider with these members: outside the request object, and in it.
  private func parameters(
    _ metadata: [String: String?], level: String? = nil
  ) async throws -> (outside: [String: String], object: TokenClaims?) {
    var script = try OpenIDScript()
    script.answers["GET https://op.example/.well-known/openid-configuration"] = [
      .json(OpenIDScript.metadata(metadata))
    ]
    var entry = try script.entry(["level": level.map { .number($0) }])
    let context = try script.servers().context(clock: script.clock)
    let url = try OIDCSignIn(&entry).begin(context).browser.url
    let outside = Dictionary(uniqueKeysWithValues: url.queryItems.map { ($0.name, $0.value) })
    let object = try outside["request"].map {
      try TokenClaims(#require(Base64URL.decode($0.split(separator: ".")[1])))
    }
    return (outside, object)
  }

  /// OpenID Connect Core §6.1: the required parameters of a request are also outside the object.
  @Test func `the parameters that must stand outside the request object do, and say the same`()
    async throws
  {
    for metadata in [
      [:], ["request_parameter_supported": nil, "require_signed_request_object": "true"],
    ] as [[String: String?]] {
      let (outside, object) = try await parameters(metadata)
      let names: Set = [
        "client_id", "response_type", "scope", "redirect_uri", "code_challenge",
        "code_challenge_method", "request",
      ]
      #expect(Set(outside.keys) == names)
      for name in names.subtracting(["request"]) {
        #expect(try object?.text(name) == outside[name], "\(name)")
      }
    }
  }

  /// Discovery §3: without `request_parameter_supported` a provider reads no request objects.
  @Test(arguments: [nil, "false"])
  func `a provider that reads no request objects gets plain parameters`(
    _ flag: String?
  ) async throws {
    let (outside, object) = try await parameters(["request_parameter_supported": flag], level: "3")
    #expect(object == nil && outside["request"] == nil)
    #expect(outside["acr_values"] == "https://www.spid.gov.it/SpidL3")
    for name in ["state", "nonce", "redirect_uri", "code_challenge"] {
      #expect((outside[name] ?? "").count >= 20, "\(name)")
    }
    for name in ["iss", "aud", "iat", "exp"] { #expect(outside[name] == nil) }
  }

  @Test(
    arguments: [
      (nil, nil, 2), (nil, "1", 1), (#"["https://www.spid.gov.it/SpidL3"]"#, nil, 3),
      (#"["https://www.spid.gov.it/SpidL1","https://www.spid.gov.it/SpidL2"]"#, nil, 2),
      (#"["urn:other"]"#, nil, nil), (#"["urn:other"]"#, "2", 2),
    ] as [(String?, String?, Int?)])
  func `a level is asked for where the description names none, if the provider has it`(
    supported: String?, level: String?, asked: Int?
  ) async throws {
    let object = try await parameters(["acr_values_supported": supported], level: level).object
    #expect(
      try object?.text("acr_values") == asked.map { "https://www.spid.gov.it/SpidL\($0)" })
  }

  @Test func `the address for the browser carries a signed request and new secrets each time`()
    async throws
  {
    let script = try OpenIDScript()
    let key = try ClientKey(json: [UInt8](script.vectors.client.utf8))
    let keys = try KeySet(json: [UInt8](key.publicKeys.text.utf8))
    var seen: Set<String> = []
    for _ in 0..<2 {
      let state = try await begin(script).0.browser
      #expect(state.url.origin.description + state.url.path == "https://op.example/authorize")
      #expect(state.url.value(of: "response_type") == "code")
      #expect(state.url.value(of: "state") == nil && state.url.value(of: "nonce") == nil)
      let request = try TokenVerifier(keys: keys)
        .claims(signedIn: #require(state.url.value(of: "request")), types: ["jwt"])
      #expect(try request.text("iss") == "me" && request.texts("aud") == [OpenIDScript.issuer])
      #expect(try request.text("prompt") == "consent")
      #expect(try request.requiredText("redirect_uri").hasPrefix("http://127.0.0.1:"))
      for name in ["state", "nonce"] {
        let secret = try request.requiredText(name)
        #expect(secret.count >= 32 && secret.allSatisfy { $0.isLetter || $0.isNumber })
        #expect(seen.insert(secret).inserted)
      }
      #expect(try seen.insert(request.requiredText("code_challenge")).inserted)
      #expect(!printed(state).contains("request="))
    }
  }

  @Test func `whoever waits for the browser can be told to stop, and waits only once`() async throws
  {
    let script = try OpenIDScript()
    let (state, context) = try await begin(script)
    let browser = try state.browser
    context.cancel()
    #expect(try await refusal { try await browser.wait() }.reason == .cancelled)
    #expect(try await refusal { try await browser.wait() }.cause == .cancelled)
  }

  @Test func `without a refresh token or a place to revoke it there is nothing to be asked`()
    async throws
  {
    let script = try OpenIDScript()
    var entry = try script.entry()
    let method = try OIDCSignIn(&entry)
    let servers = script.servers()
    let account = Account(
      service: "Test", method: "oidc", claims: AccountClaims([AccountClaims.Claim]()),
      begun: script.clock.now,
      tokens: Account.Tokens(
        access: "a", refresh: nil, identity: nil, expires: nil, scope: nil))
    let context = try servers.context(clock: script.clock)
    #expect(
      try await refusal { try method.client.refresh(account, context) }.cause
        == .refreshTokenExpired)
    try method.client.signOut(account, context)
    #expect(!servers.requests.contains { $0.hasPrefix("POST") })
  }
}
