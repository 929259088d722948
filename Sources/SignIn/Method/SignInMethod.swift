/// Sign-in method that a service may offer; raw value: its name in the service description.
public enum SignInMethod: String, Sendable, Hashable, CaseIterable {
  /// The card in a reader: "Entra con CIE" at level 3.
  case card
  /// Identity provider's app: hand-off and return.
  case app
  /// SPID provider.
  case spid
  /// E-mail address: a one-time code, a password, or both.
  case email
  /// Identity app on a phone: a link or QR code, then polling.
  case identityApp = "identity-app"
  /// Bank chosen from a list, then a redirect.
  case bank
  /// OpenID provider: authorization code, PKCE, the client's own key.
  case oidc
}
