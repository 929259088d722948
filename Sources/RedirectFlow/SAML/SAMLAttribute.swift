/// An attribute of the person in an assertion (SAML 2.0 Core §2.7.3.1).
public struct SAMLAttribute: Sendable, Equatable {
  /// Its name, such as `fiscalNumber`.
  public let name: String
  /// Its name for people, such as "Codice Fiscale", if the identity provider gives one.
  public let friendlyName: String?
  /// Its values; personal.
  public let values: [String]
}

extension SAMLAttribute: Redacted {
  /// The name alone.
  public var description: String { name }
}
