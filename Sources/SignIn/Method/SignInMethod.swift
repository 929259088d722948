/// A way in that a service may offer, by the name that stands in its description.
public enum SignInMethod: String, Sendable, Hashable, CaseIterable {
  /// The card in a reader: "Entra con CIE" at level 3.
  case card
  /// The identity provider's app: hand-off and return.
  case app
  /// A provider of SPID.
  case spid
  /// An e-mail address: a one-time code, a password, or both.
  case email
  /// An identity app on a phone: a link or QR code, then polling.
  case identityApp = "identity-app"
  /// A bank from a list, and back.
  case bank
  /// An OpenID provider: authorization code, PKCE, the client's own key.
  case oidc
}
