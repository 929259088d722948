/// What a login is doing. No event holds anything personal or secret.
public enum LoginEvent: Sendable, Equatable {
  /// The service provider's page is opened.
  case opening(URLOrigin)
  /// The identity provider was reached.
  case reachedIdentityProvider(URLOrigin)
  /// The link to the card, or to the app, was found and judged.
  case handOff
  /// This server is about to get the certificate.
  case presentingCertificate(to: URLOrigin)
  /// The server has accepted the card; the completed URL exists.
  case cardAccepted
  /// The app has come back with a URL to go on with.
  case appReturned
  /// The identity provider asks for consent to this many attributes.
  case consentAsked(attributes: Int)
  /// The person has answered.
  case consentAnswered(Bool)
  /// The signed response is handed to the service provider.
  case responding(to: URLOrigin)
  /// The service provider has let the person in.
  case loggedIn(URLOrigin)
}
