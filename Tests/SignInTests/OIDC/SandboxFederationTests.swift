import Primitives
import Foundation
import Web
import TestSupport
import Testing

@testable import SignIn

/// Trust chains to the sandbox's anchor, whose statements Authlib signs.
@Suite(.serialized) struct SandboxFederationTests {
  private static let shared = Result { try Sandbox() }

  private func sandbox() throws -> Sandbox {
    let sandbox = try Self.shared.get()
    try sandbox.clear()
    return sandbox
  }

  private static let mark = "https://cie-sandbox.invalid/trust-mark/openid_provider/public"

  private func open(_ sandbox: Sandbox, mark: String? = nil) async throws -> OpenIDSession {
    let path = try sandbox.address("serviceFederation")
    let value = try JSONValue([UInt8](Data(contentsOf: URL(filePath: path))))
    var own = try #require(
      value["methods"]?.list?.first { $0["method"]?.text == "oidc" }?.members)
    if let mark { own.append((name: "trustMark", value: .string(mark))) }
    let folder = String(path.dropLast("service-federation.json".count))
    var entry = try ServiceEntry(.object(own), folder: folder)
    _ = try entry.text("method")
    let method = try OIDCSignIn(&entry)
    try entry.finish()
    let context = try SignInContext(
      service: "Sandbox", trust: sandbox.address("ca"), timeout: .seconds(600))
    return try OpenIDSession(method.client, context)
  }

  @Test func `a provider for which the anchor vouches is believed as far as that goes`()
    async throws
  {
    let session = try await open(try sandbox())
    #expect(session.client.anchor != nil)
    #expect(session.provider.token.text.hasSuffix("/oidc/token"))
  }

  @Test(arguments: [
    (nil, nil), ("no-trust-mark", FederationProblem.markMissing),
    ("mark-other-key", .statement(.signatureInvalid)), ("mark-expired", .statement(.expired)),
    ("mark-other-subject", .statement(.subjectWrong)),
  ])
  func `a mark that is asked for must be the anchor's own, and for this provider`(
    fault: String?, problem: FederationProblem?
  ) async throws {
    let sandbox = try sandbox()
    guard let fault, let problem else {
      _ = try await open(sandbox, mark: Self.mark)
      let error = try await refusal { try await self.open(sandbox, mark: Self.mark + "2") }
      #expect(error.cause == .openID(.federation(.markMissing)))
      return
    }
    try sandbox.arm("fed-" + fault)
    let error = try await refusal { try await self.open(sandbox, mark: Self.mark) }
    #expect(error.cause == .openID(.federation(problem)), "\(fault)")
    // A bad trust mark is no error without `trustMark`.
    try sandbox.arm("fed-" + fault)
    _ = try await open(sandbox)
  }

  @Test func `somebody may stand between, as far as the anchor allows it`() async throws {
    let sandbox = try sandbox()
    try sandbox.turn("fed-intermediate", on: true)
    defer { try? sandbox.turn("fed-intermediate", on: false) }
    #expect(try await open(sandbox).provider.token.text.hasSuffix("/oidc/token"))
    try sandbox.arm("fed-path-length")
    let error = try await refusal { try await self.open(sandbox) }
    #expect(error.cause == .openID(.federation(.tooLong)))
  }

  @Test(arguments: [
    ("own-expired", FederationProblem.statement(.expired)),
    ("own-later", .statement(.issuedInFuture)), ("own-other-key", .statement(.signatureInvalid)),
    ("own-none", .statement(.algorithmForbidden("none"))),
    ("own-hs256", .statement(.algorithmForbidden("HS256"))),
    ("own-header-jwk", .statement(.bringsItsKey(member: "jwk"))),
    ("own-type", .statement(.wrongType("JWT"))), ("own-subject", .subjectWrong),
    ("own-issuer", .issuerWrong), ("own-critical", .statement(.criticalExtension)),
    ("no-hint", .noPath), ("many-hints", .statement(.tooLong(limit: 65536))),
    ("no-provider", .noProvider),
    ("no-keys", .statement(.claimMissing("jwks"))),
    ("expired", .statement(.expired)), ("later", .statement(.issuedInFuture)),
    ("other-key", .statement(.signatureInvalid)),
    ("none", .statement(.algorithmForbidden("none"))), ("subject", .subjectWrong),
    ("issuer", .issuerWrong), ("other-jwks", .statement(.keyUnknown)),
    ("policy-forbids", .policyForbids("token_endpoint_auth_methods_supported")),
    ("policy-one-of", .policyForbids("issuer")),
    ("policy-superset", .policyForbids("code_challenge_methods_supported")),
    ("policy-essential", .policyForbids("logo_uri")),
    ("policy-critical", .policyUnusable("metadata_policy_crit")),
    ("policy-malformed", .policyUnusable("metadata_policy")),
    ("policy-value-add", .policyUnusable("contacts")),
    ("policy-value-beyond", .policyUnusable("scopes_supported")),
    ("policy-one-of-subset", .policyUnusable("organization_name")),
    ("policy-null-default", .policyUnusable("op_policy_uri")),
    ("constraint-excluded", .nameForbidden), ("constraint-permitted", .nameForbidden),
    ("constraint-type", .noProvider), ("constraint-no-type", .noProvider),
    ("constraint-leaf-type", .noProvider), ("constraint-malformed", .memberWrong("constraints")),
    ("anchor-other-key", .statement(.keyUnknown)), ("anchor-expired", .statement(.expired)),
    ("anchor-no-fetch", .memberWrong("federation_fetch_endpoint")),
  ])
  func `a chain with a weak link holds nothing`(
    fault: String, problem: FederationProblem
  ) async throws {
    let sandbox = try sandbox()
    try sandbox.arm("fed-" + fault)
    let error = try await refusal { try await self.open(sandbox) }
    #expect(error.cause == .openID(.federation(problem)), "\(fault)")
  }

  @Test(arguments: [
    ("other-provider", SignInError.Cause.openID(.issuerWrong)),
    ("not-found", .openID(.refused(.notFound))),
    ("invalid-request", .openID(.refused(.invalidRequest))),
    ("unavailable", .openID(.refused(.temporarilyUnavailable))),
    ("html", .exchange(.notJSON(status: 200))),
  ])
  func `a provider of another name, and an authority that does not answer, ends it`(
    fault: String, reason: SignInError.Cause
  ) async throws {
    let sandbox = try sandbox()
    try sandbox.arm("fed-" + fault)
    let error = try await refusal { try await self.open(sandbox) }
    #expect(error.cause == reason, "\(fault)")
  }

  @Test(arguments: ["wrong-hint", "anchor-foreign-fetch"])
  func `no statement leads to a server that the description does not name`(
    _ fault: String
  ) async throws {
    let sandbox = try sandbox()
    try sandbox.arm("fed-" + fault)
    let error = try await refusal { try await self.open(sandbox) }
    guard case .exchange(.foreignHost) = error.cause else {
      Issue.record("\(error)")
      return
    }
  }
}
