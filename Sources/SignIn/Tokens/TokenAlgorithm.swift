/// Accepted signature algorithms of tokens (RFC 7518 §3.1): those with a public key.
enum TokenAlgorithm: String, Sendable, Hashable, CaseIterable {
  case rs256 = "RS256"
  case rs384 = "RS384"
  case rs512 = "RS512"
  case ps256 = "PS256"
  case ps384 = "PS384"
  case ps512 = "PS512"
  case es256 = "ES256"
  case es384 = "ES384"
  case es512 = "ES512"

  /// Parses the `alg` of a header.
  init(named name: String) throws(SignInError) {
    guard let algorithm = TokenAlgorithm(rawValue: name) else {
      // Ignores case, because another reader may fold it.
      let folded = name.lowercased()
      guard folded != "none", !folded.hasPrefix("hs") else {
        throw .token(.algorithmForbidden(name))
      }
      throw .token(.algorithmUnknown(name))
    }
    self = algorithm
  }

  /// Hash function of the algorithm, also for `at_hash`.
  var hash: HashAlgorithm {
    switch self {
    case .rs256, .ps256, .es256: .sha256
    case .rs384, .ps384, .es384: .sha384
    case .rs512, .ps512, .es512: .sha512
    }
  }

  var curve: TokenCurve? {
    switch self {
    case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: nil
    case .es256: .p256
    case .es384: .p384
    case .es512: .p521
    }
  }
}

/// Curves of keys for tokens (RFC 7518 §6.2.1.1).
enum TokenCurve: String, Sendable, Hashable, CaseIterable {
  case p256 = "P-256"
  case p384 = "P-384"
  case p521 = "P-521"

  /// Length in bytes of a coordinate, and of each half of a signature.
  var length: Int {
    switch self {
    case .p256: 32
    case .p384: 48
    case .p521: 66
    }
  }

  var algorithm: TokenAlgorithm {
    switch self {
    case .p256: .es256
    case .p384: .es384
    case .p521: .es512
    }
  }
}
