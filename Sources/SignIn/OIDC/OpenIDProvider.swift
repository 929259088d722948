internal import RedirectFlow

/// What a provider says of itself (OpenID Connect Discovery §3), checked against what the service's description allows.
package struct OpenIDProvider: Sendable {
  /// What is needed to ask through a browser; absent for a provider of devices alone.
  let authorization: RedirectURL?
  let token: RedirectURL
  /// Where its keys are; absent where they stand in the description itself, as a federation may have it.
  let keys: RedirectURL?
  let givenKeys: KeySet?
  let userInfo: RedirectURL?
  let revocation: RedirectURL?
  let deviceAuthorization: RedirectURL?
  /// Whether its answers say whose they are (RFC 9207 §3).
  let namesItself: Bool
  /// Whether it reads the signed object of a request; without the member it does not (Discovery §3), unless it demands one
  /// (RFC 9101 §10.5).
  let readsRequestObjects: Bool
  /// The level to ask for where the service's description names none: that of most public services, else what the
  /// provider has; `nil` where it has only others.
  let usualLevel: AuthenticationLevel?

  /// - Parameter claims: the document, as it came from the issuer's own address or out of a chain of trust.
  init(_ claims: TokenClaims, for client: OpenIDClient) throws(OpenIDProblem) {
    guard try Self.text(claims, "issuer") == client.issuer else { throw .issuerWrong }
    let endpoint = { (name: String) throws(OpenIDProblem) -> RedirectURL? in
      guard let text = try Self.text(claims, name) else { return nil }
      guard let url = try? RedirectURL(text), url.scheme == .https else {
        throw .metadataWrong(name)
      }
      guard client.origins.contains(url.origin) else { throw .endpointForeign(name) }
      return url
    }
    let needed = { (name: String) throws(OpenIDProblem) -> RedirectURL in
      guard let url = try endpoint(name) else { throw .metadataMissing(name) }
      return url
    }
    authorization = try endpoint("authorization_endpoint")
    token = try needed("token_endpoint")
    keys = try endpoint("jwks_uri")
    givenKeys = try keys == nil ? Self.keys(claims) : nil
    userInfo = try endpoint("userinfo_endpoint")
    revocation = try endpoint("revocation_endpoint")
    deviceAuthorization = try endpoint("device_authorization_endpoint")

    // Without the member a provider takes a shared secret alone (RFC 8414 §2).
    let methods = try Self.texts(claims, "token_endpoint_auth_methods_supported") ?? []
    guard methods.contains("private_key_jwt") else {
      throw .notSupported("token_endpoint_auth_methods_supported")
    }
    if authorization != nil {
      // Without this one it knows no PKCE (RFC 8414 §2).
      let challenges = try Self.texts(claims, "code_challenge_methods_supported") ?? []
      guard challenges.contains("S256") else {
        throw .notSupported("code_challenge_methods_supported")
      }
      let types = try Self.texts(claims, "response_types_supported") ?? ["code"]
      guard types.contains("code") else { throw .notSupported("response_types_supported") }
    }
    namesItself = try Self.flag(claims, "authorization_response_iss_parameter_supported")
    let demandsObject = try Self.flag(claims, "require_signed_request_object")
    readsRequestObjects = try Self.flag(claims, "request_parameter_supported") || demandsObject
    let levels = [2, 3, 1].compactMap { AuthenticationLevel($0) }
    let supported = try Self.texts(claims, "acr_values_supported")
    usualLevel = levels.first { supported?.contains($0.name) ?? true }
  }

  private static func keys(_ claims: TokenClaims) throws(OpenIDProblem) -> KeySet {
    do throws(TokenProblem) {
      if let keys = try claims.object("jwks") { return try KeySet(keys) }
    } catch {
      throw .metadataWrong("jwks")
    }
    throw .metadataMissing("jwks_uri")
  }

  private static func text(
    _ claims: TokenClaims, _ name: String
  ) throws(OpenIDProblem) -> String? {
    do throws(TokenProblem) { return try claims.text(name) } catch { throw .metadataWrong(name) }
  }

  private static func texts(
    _ claims: TokenClaims, _ name: String
  ) throws(OpenIDProblem) -> [String]? {
    do throws(TokenProblem) { return try claims.texts(name) } catch { throw .metadataWrong(name) }
  }

  private static func flag(_ claims: TokenClaims, _ name: String) throws(OpenIDProblem) -> Bool {
    do throws(TokenProblem) { return try claims.flag(name) ?? false } catch {
      throw .metadataWrong(name)
    }
  }
}
