internal import System

extension AccountClaims {
  /// What a token, or an answer of a provider, says of the person; what it says of itself is left out.
  ///
  /// Numbers and truth values become texts. Of an address counts its whole text (OpenID Connect Core §5.1.1); other
  /// objects are told member by member, as `object.member`.
  package init(_ claims: TokenClaims) {
    self.init(
      claims.names.filter { !Self.ofTheToken.contains($0) }.flatMap { name in
        claims[name].map { Self.claims(name, $0) } ?? []
      })
  }

  /// RFC 7519 §4.1, OpenID Connect Core §2 and §3.1.3.6, but for `sub` and `acr`.
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
