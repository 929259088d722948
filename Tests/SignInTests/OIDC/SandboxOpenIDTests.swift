import Primitives
import Foundation
@testable import Web
import TestSupport
import Testing

@testable import SignIn

/// Sign-ins against the sandbox's provider, which is Authlib: independent of this package.
@Suite(.serialized) struct SandboxOpenIDTests {
  private static let shared = Result { try Sandbox() }

  func sandbox() throws -> Sandbox {
    let sandbox = try Self.shared.get()
    try sandbox.clear()
    return sandbox
  }

  func context(
    _ sandbox: Sandbox, patience: Duration = .seconds(1200)
  ) throws -> SignInContext {
    try SignInContext(
      service: "Sandbox", trust: sandbox.address("ca"), timeout: .seconds(600),
      patience: patience)
  }

  /// Method of the sandbox's own description, with some members changed.
  func method(
    _ sandbox: Sandbox, _ changes: [String: JSONValue] = [:]
  ) throws -> OIDCSignIn {
    let path = try sandbox.address("service")
    let value = try JSONValue([UInt8](Data(contentsOf: URL(filePath: path))))
    let entries = try #require(value["methods"]?.list)
    let own = try #require(entries.first { $0["method"]?.text == "oidc" }?.members)
    var entry = try ServiceEntry(
      .object(own.filter { changes[$0.name] == nil } + changes.map { ($0.key, $0.value) }),
      folder: String(path.dropLast("service.json".count)))
    _ = try entry.text("method")
    let method = try OIDCSignIn(&entry)
    try entry.finish()
    return method
  }

  /// Signs in; the person acts at the provider.
  func signIn(
    _ sandbox: Sandbox, _ outcome: String = "approve", _ changes: [String: JSONValue] = [:],
    patience: Duration = .seconds(1200)
  ) async throws -> Account {
    let context = try context(sandbox, patience: patience)
    let state = try method(sandbox, changes).begin(context).browser
    let url = try sandbox.visit(state.url.text, outcome)
    // Runs at the same time, because the listener responds only while it is waited for. It refuses a wrong response,
    // and the wait continues.
    let browser = Task.detached { try? sandbox.open(url) }
    let result = try await state.wait().account
    await browser.value
    return result
  }

  @Test func `a person who agrees at the provider is signed in, with what it says of them`()
    async throws
  {
    let sandbox = try sandbox()
    let account = try await signIn(sandbox, "approve", ["level": .number("2")])
    #expect(account.method == "oidc" && account.service == "Sandbox")
    #expect(account.claims[AccountField.cognome] == "PROVA")
    #expect(account.claims[AccountField.codiceFiscale] == "PRVGSM80X99Z999G")
    #expect(account.claims["acr"] == ["https://www.spid.gov.it/SpidL2"])
    #expect(account.tokens?.refresh != nil && account.tokens?.identity != nil)
    #expect(account.tokens?.expires != nil)
    #expect(try !sandbox.log.contains("PROVA"))
  }

  /// A SPID provider knows no scope for the data of a person (SPID/CIE OIDC rules, "scope" and "claims").
  @Test func `data are asked for one by one, without a scope for them`() async throws {
    let sandbox = try sandbox()
    let name = "https://attributes.eid.gov.it/fiscal_number"
    let openid = JSONValue.array([.string("openid")])
    let asked = JSONValue.array([.string(name), .string("email")])
    let account = try await signIn(sandbox, "approve", ["scopes": openid, "claims": asked])
    #expect(account.claims[AccountField.codiceFiscale] == "PRVGSM80X99Z999G")
    #expect(account.claims[AccountField.emailAddress] != nil)
    #expect(account.claims[AccountField.cognome] == nil)
    let bare = try await signIn(sandbox, "approve", ["scopes": openid])
    #expect(bare.claims.all.map(\.name).sorted() == ["acr", "sub"])
  }

  /// The sandbox encrypts by RSA-OAEP-256, as the CIE's rules demand, unless a fault changes that.
  @Test(arguments: [
    [], ["oidc-oaep-sha1"], ["userinfo-jwt"], ["id-token-encrypted"],
    ["id-token-encrypted", "oidc-oaep-sha1"],
  ])
  func `what is encrypted for us is opened, by each algorithm`(_ switches: [String]) async throws {
    let sandbox = try sandbox()
    for name in switches { try sandbox.turn(name, on: true) }
    defer { for name in switches { try? sandbox.turn(name, on: false) } }
    let account = try await signIn(sandbox)
    #expect(account.claims[AccountField.cognome] == "PROVA")
    let parts = account.tokens?.identity?.split(separator: ".").count
    #expect(parts == (switches.contains("id-token-encrypted") ? 5 : 3))
    try sandbox.arm("oidc-token-refresh-same")
    let again = try method(sandbox).client.refresh(account, context(sandbox))
    #expect(again.tokens?.identity != account.tokens?.identity)
  }

  @Test func `plain JSON is for a client that was registered for nothing else`() async throws {
    let sandbox = try sandbox()
    try sandbox.turn("userinfo-json", on: true)
    defer { try? sandbox.turn("userinfo-json", on: false) }
    let error = try await refusal { try await self.signIn(sandbox) }
    #expect(error.cause == .openID(.notSigned))
    let account = try await signIn(sandbox, "approve", ["signedUserInfo": .flag(false)])
    #expect(account.claims[AccountField.cognome] == "PROVA")
  }

  @Test func `bad keys beside the right one do no harm`() async throws {
    let sandbox = try sandbox()
    try sandbox.arm("oidc-keys-some-bad")
    #expect(try await signIn(sandbox).claims[AccountField.cognome] == "PROVA")
  }

  @Test func `a person who says no, or goes away, is not signed in`() async throws {
    let sandbox = try sandbox()
    for outcome in ["deny", "cancel", "idle"] {
      let error = try await refusal { try await self.signIn(sandbox, outcome) }
      guard case .denied = error.cause else {
        Issue.record("\(outcome): \(error)")
        continue
      }
    }
  }

  @Test(arguments: [
    ("alg-none", "algorithmForbidden"), ("hs256", "algorithmForbidden"),
    ("other-key", "signatureInvalid"), ("header-jwk", "bringsItsKey"),
    ("header-jku", "bringsItsKey"), ("header-x5u", "bringsItsKey"), ("unknown-kid", "keyUnknown"),
    ("changed", "signatureInvalid"), ("wrong-iss", "issuerWrong"), ("wrong-aud", "audienceWrong"),
    ("wrong-azp", "authorizedPartyWrong"), ("wrong-nonce", "nonceWrong"), ("expired", "expired"),
    ("issued-later", "issuedInFuture"), ("not-yet", "notYetValid"),
    ("wrong-at-hash", "accessTokenHashWrong"), ("lower-acr", "levelTooLow"),
    ("unknown-acr", "levelTooLow"), ("text-exp", "claimMalformed"), ("empty-sub", "claimMalformed"),
    ("critical", "criticalExtension"), ("no-iss", "claimMissing"), ("no-sub", "claimMissing"),
    ("no-aud", "claimMissing"), ("no-exp", "claimMissing"), ("no-iat", "claimMissing"),
    ("no-nonce", "claimMissing"), ("no-acr", "claimMissing"), ("garbage", "malformed"),
    ("two-audiences", "claimMissing"),
  ])
  func `an identity token that is not right in every way proves nothing`(
    fault: String, name: String
  ) async throws {
    let sandbox = try sandbox()
    try sandbox.arm("oidc-id-" + fault)
    let error = try await refusal {
      try await self.signIn(sandbox, "approve", ["level": .number("2")])
    }
    guard case .token(let problem) = error.cause else {
      Issue.record("\(fault): \(error)")
      return
    }
    #expect(problem.name == name, "\(fault)")
  }

  @Test func `a key that the provider has changed since is fetched anew`() async throws {
    let sandbox = try sandbox()
    try sandbox.arm("oidc-id-key-rotated")
    #expect(try await signIn(sandbox).claims[AccountField.cognome] == "PROVA")
  }

  @Test(arguments: [
    ("alg-none", "algorithmForbidden"), ("hs256", "algorithmForbidden"),
    ("other-key", "signatureInvalid"), ("header-jwk", "bringsItsKey"),
    ("header-jku", "bringsItsKey"), ("header-x5u", "bringsItsKey"), ("unknown-kid", "keyUnknown"),
    ("changed", "signatureInvalid"), ("garbage", "malformed"), ("other-sub", "subjectWrong"),
    ("wrong-iss", "issuerWrong"), ("wrong-aud", "audienceWrong"), ("expired", "expired"),
  ])
  func `what the userinfo endpoint says is as well proved, and of the same person`(
    fault: String, name: String
  ) async throws {
    let sandbox = try sandbox()
    try sandbox.arm("oidc-userinfo-" + fault)
    let error = try await refusal { try await self.signIn(sandbox) }
    guard case .token(let problem) = error.cause else {
      Issue.record("\(fault): \(error)")
      return
    }
    #expect(problem.name == name, "\(fault)")
  }

  @Test(arguments: [
    ("userinfo-unsigned", SignInError.Cause.openID(.notSigned)), ("userinfo-401", .status(401)),
    ("discovery-other-issuer", .openID(.issuerWrong)),
    ("discovery-foreign-endpoints", .openID(.endpointForeign("authorization_endpoint"))),
    ("discovery-http-endpoints", .openID(.metadataWrong("authorization_endpoint"))),
    ("discovery-no-token-endpoint", .openID(.metadataMissing("token_endpoint"))),
    ("discovery-no-s256", .openID(.notSupported("code_challenge_methods_supported"))),
    ("keys-empty", .token(.keyUnknown)), ("answer-no-iss", .otherSession),
    ("answer-wrong-iss", .otherSession), ("answer-no-code", .openID(.answerMalformed)),
    ("answer-code-and-error", .openID(.answerMalformed)),
    ("answer-access-denied", .denied(UntrustedText("access_denied"))),
    ("answer-invalid-client", .openID(.refused(.invalidClient))),
    ("answer-unauthorized-client", .openID(.refused(.unauthorizedClient))),
    ("answer-invalid-request", .openID(.refused(.invalidRequest))),
    ("answer-invalid-scope", .invalidScope),
    ("answer-invalid-request-object", .openID(.refused(.invalidRequestObject))),
    ("answer-unsupported-response-type", .openID(.refused(.unsupportedResponseType))),
    ("answer-login-required", .openID(.refused(.loginRequired))),
    ("answer-consent-required", .openID(.refused(.consentRequired))),
    ("answer-request-uri-not-supported", .openID(.refused(.requestURINotSupported))),
    ("answer-registration-not-supported", .openID(.refused(.registrationNotSupported))),
    ("answer-server-error", .openID(.refused(.serverError))),
    ("answer-temporarily-unavailable", .openID(.refused(.temporarilyUnavailable))),
    ("token-wrong-type", .openID(.tokenTypeWrong)),
    ("token-no-access-token", .exchange(.missingMember("access_token"))),
    ("token-no-id-token", .exchange(.missingMember("id_token"))),
    ("token-invalid-client", .openID(.refused(.invalidClient))),
    ("token-invalid-grant", .openID(.refused(.invalidGrant))),
    ("token-invalid-request", .openID(.refused(.invalidRequest))),
    ("token-unauthorized-client", .openID(.refused(.unauthorizedClient))),
    ("token-unsupported-grant-type", .openID(.refused(.unsupportedGrantType))),
    ("token-invalid-scope", .invalidScope),
    ("token-server-error", .openID(.refused(.serverError))),
    ("token-temporarily-unavailable", .openID(.refused(.temporarilyUnavailable))),
  ])
  func `each refusal and each wrong answer has its own error`(
    fault: String, reason: SignInError.Cause
  ) async throws {
    let sandbox = try sandbox()
    try sandbox.arm("oidc-" + fault)
    let error = try await refusal { try await self.signIn(sandbox) }
    #expect(error.cause == reason, "\(fault)")
  }

  @Test(arguments: ["answer-wrong-state", "answer-no-state", "answer-two-codes", "answer-huge"])
  func `an answer that is not to our question is not taken, and waited past`(
    _ fault: String
  ) async throws {
    let sandbox = try sandbox()
    try sandbox.arm("oidc-" + fault)
    let error = try await refusal {
      try await self.signIn(sandbox, patience: .milliseconds(1500))
    }
    #expect(error.cause == .timedOut)
  }

  @Test func `the code of a page that posts it is taken`() async throws {
    let sandbox = try sandbox()
    let context = try context(sandbox)
    let state = try method(sandbox, ["responseMode": .string("form_post")]).begin(context)
      .browser
    let request = try #require(state.url.value(of: "request"))
    let parts = request.split(separator: ".")
    let claims = try TokenClaims(#require(Base64URL.decode(parts[1])))
    #expect(try claims.text("response_mode") == "form_post")
    let fields = try sandbox.visitPage(state.url.text)
    let action = try #require(fields["action"])
    let form = fields.filter { $0.key != "action" }.map { QueryItem($0.key, $0.value) }.encoded
    let browser = Task.detached {
      try BuiltBinary(path: "/usr/bin/curl")
        .run(["--silent", "--data", form, action]).exitStatus
    }
    #expect(try await state.wait().account.claims[AccountField.cognome] == "PROVA")
    #expect(try await browser.value == 0)
  }
}

extension JSONValue {
  var list: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
  var members: [(name: String, value: JSONValue)]? {
    if case .object(let members) = self { members } else { nil }
  }
}
