/// Data requested from an identity app; the kit has other names for them (Civic Connect for iOS, `ScopeRequestType`).
package enum IdentityAppScope: String, Sendable, Hashable, CaseIterable {
  /// E-mail and phone, for a simple registration (the kit's `basicSignup`).
  case minimum
  /// Only an identifier by which the same person is recognized here.
  case anonymous
  /// Name and document.
  case identity
  /// Address of the person.
  case residence
  /// Legal age, without the date of birth: the ID token, which has it, is not kept.
  case age

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
