extension AccountClaims {
  /// Takes the claims about the person from a token or a provider's response, without the claims about the token
  /// itself.
  ///
  /// Numbers and booleans become strings. An address gives its `formatted` text (OpenID Connect Core §5.1.1); other
  /// objects are flattened to `object.member`.
  init(_ claims: TokenClaims) {
    self.init(
      claims.names.filter { !Self.ofTheToken.contains($0) }.flatMap { name in
        claims[name].map { Self.claims(name, $0) } ?? []
      })
  }

  /// Claims about the token: RFC 7519 §4.1, OpenID Connect Core §2 and §3.1.3.6, without `sub` and `acr`.
  private static let ofTheToken: Set<String> = [
    "iss", "aud", "exp", "iat", "nbf", "jti", "nonce", "azp", "at_hash", "c_hash", "auth_time",
    "amr", "sid",
    "typ", "ver", "tid", "uti", "rh", "aio",
  ]

  private static func claims(_ name: String, _ value: JSONValue) -> [Claim] {
    switch value {
    case .string(let text): return [Claim(name, [text])]
    case .number(let text): return [Claim(name, [text])]
    case .flag(let isTrue): return [Claim(name, [isTrue ? "true" : "false"])]
    case .null: return []
    case .array(let values):
      let texts = values.compactMap { Self.claims(name, $0).first?.values.first }
      return texts.isEmpty ? [] : [Claim(name, texts)]
    case .object(let members):
      if let whole = value["formatted"]?.text { return [Claim(name, [whole])] }
      return members.flatMap { claims(name + "." + $0.name, $0.value) }
    }
  }
}
