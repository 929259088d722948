/// The data that an identity app is asked for; the kit has other names for them (Civic Connect for iOS, `ScopeRequestType`).
package enum IdentityAppScope: String, Sendable, Hashable, CaseIterable {
  /// For a simple registration: e-mail and phone (the kit's `basicSignup`).
  case minimum
  /// A number by which the same person is known again here, and nothing else.
  case anonymous
  /// Name and document.
  case identity
  /// The person's address.
  case residence
  /// Whether the person is of age, without the date of birth.
  case age

  /// The scopes of OpenID Connect for it.
  var openIDScopes: [String] {
    switch self {
    case .minimum: ["openid", "email", "phone"]
    case .age: ["openid", "profile"]
    case .anonymous: ["openid"]
    case .identity: ["openid", "identity"]
    case .residence: ["openid", "address"]
    }
  }
}
