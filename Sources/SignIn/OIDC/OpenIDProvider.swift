internal import Primitives

/// Provider metadata (OpenID Connect Discovery §3), checked against the service description.
struct OpenIDProvider: Sendable {
  /// Authorization endpoint; `nil` for a provider with the device grant alone.
  let authorization: RedirectURL?
  let token: RedirectURL
  /// Address of the provider's keys; `nil` if the metadata contain them, which a federation allows.
  let keys: RedirectURL?
  let givenKeys: KeySet?
  let userInfo: RedirectURL?
  let revocation: RedirectURL?
  let deviceAuthorization: RedirectURL?
  /// True if its authorization responses have `iss` (RFC 9207 §3).
  let namesItself: Bool
  /// True if it reads request objects; without the member it does not (Discovery §3), unless it demands one (RFC 9101
  /// §10.5).
  let readsRequestObjects: Bool
  /// Level to request if the service description has none: 2 as for most public services, else 3, else 1, whichever the
  /// provider supports first; `nil` if it supports only others.
  let usualLevel: AuthenticationLevel?

  /// - Parameter claims: the document, from the issuer's own address or from a trust chain.
  init(_ claims: TokenClaims, for client: OpenIDClient) throws(SignInError) {
    guard try Self.member("issuer", claims.text) == client.issuer else {
      throw SignInError(.openID(.issuerWrong))
    }
    let endpoint = { (name: String) throws(SignInError) -> RedirectURL? in
      guard let text = try Self.member(name, claims.text) else { return nil }
      guard let url = try? RedirectURL(text), url.scheme == .https else {
        throw SignInError(.openID(.metadataWrong(name)))
      }
      guard client.origins.contains(url.origin) else {
        throw SignInError(.openID(.endpointForeign(name)))
      }
      return url
    }
    let needed = { (name: String) throws(SignInError) -> RedirectURL in
      guard let url = try endpoint(name) else { throw SignInError(.openID(.metadataMissing(name))) }
      return url
    }
    authorization = try endpoint("authorization_endpoint")
    token = try needed("token_endpoint")
    keys = try endpoint("jwks_uri")
    givenKeys = try keys == nil ? Self.keys(claims) : nil
    userInfo = try endpoint("userinfo_endpoint")
    revocation = try endpoint("revocation_endpoint")
    deviceAuthorization = try endpoint("device_authorization_endpoint")

    // Without this member a provider takes only a shared secret (RFC 8414 §2).
    let methods = try Self.member("token_endpoint_auth_methods_supported", claims.texts) ?? []
    guard methods.contains("private_key_jwt") else {
      throw SignInError(.openID(.notSupported("token_endpoint_auth_methods_supported")))
    }
    if authorization != nil {
      // Without this member a provider does not support PKCE (RFC 8414 §2).
      let challenges = try Self.member("code_challenge_methods_supported", claims.texts) ?? []
      guard challenges.contains("S256") else {
        throw SignInError(.openID(.notSupported("code_challenge_methods_supported")))
      }
      let types = try Self.member("response_types_supported", claims.texts) ?? ["code"]
      guard types.contains("code") else {
        throw SignInError(.openID(.notSupported("response_types_supported")))
      }
    }
    namesItself =
      try Self.member("authorization_response_iss_parameter_supported", claims.flag) ?? false
    let demandsObject = try Self.member("require_signed_request_object", claims.flag) ?? false
    let readsObject = try Self.member("request_parameter_supported", claims.flag) ?? false
    readsRequestObjects = readsObject || demandsObject
    let supported = try Self.member("acr_values_supported", claims.texts)
    usualLevel = [.two, .three, .one].first { supported?.contains($0.name) ?? true }
  }

  private static func keys(_ claims: TokenClaims) throws(SignInError) -> KeySet {
    do throws(SignInError) {
      if let keys = try claims.object("jwks") { return try KeySet(keys) }
    } catch {
      throw SignInError(.openID(.metadataWrong("jwks")))
    }
    throw SignInError(.openID(.metadataMissing("jwks_uri")))
  }

  private static func member<Value>(
    _ name: String, _ read: (String) throws(SignInError) -> Value?
  ) throws(SignInError) -> Value? {
    return try mapError(try read(name)) { (_: SignInError) in
      SignInError(.openID(.metadataWrong(name)))
    }
  }
}
