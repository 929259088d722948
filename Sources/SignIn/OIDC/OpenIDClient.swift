internal import RedirectFlow
internal import System

/// Who this program is to one OpenID provider: what a description says for the methods that need one.
///
/// Members: `issuer`; `clientId`; `clientKey`, the file of a private key as JSON (RFC 7517); if wanted, `hosts`, further
/// servers of the provider beside the issuer's own, `signedUserInfo`, whether the client was registered for userinfo that is
/// signed (`userinfo_signed_response_alg`, OpenID Connect Registration §2), and `trustAnchor` with `trustAnchorKeys`, an authority of OpenID
/// Federation and the file of its public keys: then the provider is believed as far as the authority says, and with
/// `trustMark` only if it bears this mark of the authority's.
package struct OpenIDClient: Sendable {
  /// The issuer, exactly as it names itself.
  package let issuer: String
  /// How the provider knows us.
  package let clientID: String
  /// The servers that may be spoken to.
  let origins: Set<RedirectURL.Origin>
  let keyFile: String
  /// Whether what the userinfo endpoint tells must be signed.
  let signsUserInfo: Bool
  let anchor: TrustAnchor?

  /// Takes its members from an entry.
  package init(_ entry: inout ServiceEntry) throws(ServiceProblem) {
    issuer = try entry.text("issuer")
    guard let url = try? RedirectURL(issuer), url.scheme == .https, url.query == nil else {
      throw .notHTTPS("issuer")
    }
    clientID = try entry.text("clientId")
    guard let file = try entry.file("clientKey") else { throw .missingMember("clientKey") }
    keyFile = file
    signsUserInfo = try entry.flag("signedUserInfo")
    var origins = try entry.origins("hosts").union([url.origin])
    anchor = try TrustAnchor(&entry)
    if let anchor { origins.insert(anchor.url.origin) }
    self.origins = origins
  }

  /// A document at a well-known place below an issuer (OpenID Connect Discovery §4.1).
  static func wellKnown(_ name: String, of issuer: String) throws(OpenIDProblem) -> RedirectURL {
    let base = issuer.hasSuffix("/") ? issuer : issuer + "/"
    guard let url = try? RedirectURL(base + ".well-known/" + name), url.query == nil else {
      throw .metadataWrong("issuer")
    }
    return url
  }
}

/// An authority of OpenID Federation whose keys are known beforehand.
struct TrustAnchor: Sendable {
  /// Its name, which is its address.
  let identifier: String
  let url: RedirectURL
  let keyFile: String
  /// The mark that a provider must bear; any provider will do where there is none.
  let mark: String?

  /// `nil` where the entry names none.
  init?(_ entry: inout ServiceEntry) throws(ServiceProblem) {
    let file = try entry.file("trustAnchorKeys")
    mark = try entry.optionalText("trustMark")
    guard let identifier = try entry.optionalText("trustAnchor") else {
      guard file == nil, mark == nil else { throw .missingMember("trustAnchor") }
      return nil
    }
    guard let url = try? RedirectURL(identifier), url.scheme == .https, url.query == nil else {
      throw .notHTTPS("trustAnchor")
    }
    guard let file else { throw .missingMember("trustAnchorKeys") }
    self.identifier = identifier
    self.url = url
    keyFile = file
  }
}
