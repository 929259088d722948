/// Registration of this program with an OpenID provider, from the service description.
struct OpenIDClient: Sendable {
  /// Issuer identifier, exactly as the provider writes it.
  let issuer: String
  let clientID: String
  let origins: Set<RedirectURL.Origin>
  let keyFile: String
  /// True if the client is registered for signed userinfo (`userinfo_signed_response_alg`, OpenID Connect Registration
  /// §2), which then must be signed.
  let signsUserInfo: Bool
  /// The provider is trusted only as far as its chain to this anchor allows.
  let anchor: TrustAnchor?

  init(_ entry: inout ServiceEntry) throws(SignInError) {
    issuer = try entry.text("issuer")
    guard let url = try? RedirectURL(issuer), url.scheme == .https, url.query == nil else {
      throw .of(.notHTTPS("issuer"))
    }
    clientID = try entry.text("clientId")
    guard let file = try entry.file("clientKey") else { throw .of(.missingMember("clientKey")) }
    keyFile = file
    signsUserInfo = try entry.flag("signedUserInfo")
    var origins = try entry.origins("hosts").union([url.origin])
    anchor = try TrustAnchor(&entry)
    if let anchor { origins.insert(anchor.url.origin) }
    self.origins = origins
  }

  /// Address of a well-known document of an issuer (OpenID Connect Discovery §4.1).
  static func wellKnown(_ name: String, of issuer: String) throws(SignInError) -> RedirectURL {
    let base = issuer.hasSuffix("/") ? issuer : issuer + "/"
    guard let url = try? RedirectURL(base + ".well-known/" + name), url.query == nil else {
      throw SignInError(.openID(.metadataWrong("issuer")))
    }
    return url
  }
}

/// Trust anchor of OpenID Federation, whose keys are known in advance.
struct TrustAnchor: Sendable {
  /// Entity identifier, which is an address.
  let identifier: String
  let url: RedirectURL
  let keyFile: String
  /// Trust mark that a provider must have; `nil` accepts any provider.
  let mark: String?

  /// `nil` if the entry has no trust anchor.
  init?(_ entry: inout ServiceEntry) throws(SignInError) {
    let file = try entry.file("trustAnchorKeys")
    mark = try entry.optionalText("trustMark")
    guard let identifier = try entry.optionalText("trustAnchor") else {
      guard file == nil, mark == nil else { throw .of(.missingMember("trustAnchor")) }
      return nil
    }
    guard let url = try? RedirectURL(identifier), url.scheme == .https, url.query == nil else {
      throw .of(.notHTTPS("trustAnchor"))
    }
    guard let file else { throw .of(.missingMember("trustAnchorKeys")) }
    self.identifier = identifier
    self.url = url
    keyFile = file
  }
}
