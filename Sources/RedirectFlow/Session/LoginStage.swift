/// How far a login has come: for errors, and for what may come next.
public enum LoginStage: String, Sendable, Hashable, CaseIterable {
  /// At the service provider, before the identity provider.
  case serviceProvider = "service-provider"
  /// At the identity provider, before the hand-off.
  case identityProvider = "identity-provider"
  /// The call made with the card's key.
  case cardCall = "card-call"
  /// The completed URL is loaded; the identity provider goes on.
  case completion
  /// The person's answer is handed to the identity provider.
  case consent
  /// The response is handed to the service provider.
  case response
}
