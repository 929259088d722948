/// Key set for verification of tokens (RFC 7517 §5): from an issuer's own address or a file, never from a token.
struct KeySet: Sendable {
  static let lengthLimit = 64 << 10
  private static let countLimit = 64

  private let keys: [JSONWebKey]

  /// Reads `{"keys": [...]}`.
  ///
  /// Keys of another type or use are ignored, and so are malformed, weak and private ones, because the others of the
  /// set stay valid (RFC 7517 §5).
  init(json: [UInt8]) throws(SignInError) {
    guard json.count <= Self.lengthLimit else { throw .token(.tooLong(limit: Self.lengthLimit)) }
    let claims = try mapError(try TokenClaims(json)) { (error: SignInError) in
      error.cause == .token(.notAnObject) ? SignInError.token(.keySetMalformed) : error
    }
    try self.init(claims)
  }

  /// Takes a set from another document, such as an entity statement.
  init(_ claims: TokenClaims) throws(SignInError) {
    guard case .array(let values) = claims["keys"], values.count <= Self.countLimit else {
      throw .token(.keySetMalformed)
    }
    var keys: [JSONWebKey] = []
    for value in values {
      guard case .object = value else { throw .token(.keySetMalformed) }
      if let key = try? JSONWebKey(TokenClaims(value)) { keys.append(key) }
    }
    self.keys = keys
  }

  /// Reads a pinned set from a file; one without a usable key is an error.
  init(file path: String) throws(SignInError) {
    let bytes = try mapError(try PlainFile.read(path, limit: Self.lengthLimit)) {
      (_: PlainFile.Failure) in SignInError.token(.keyFileUnreadable)
    }
    try self.init(json: bytes)
    guard !isEmpty else { throw .token(.keySetMalformed) }
  }

  /// Key with the ID in a token; without an ID, the only suitable one.
  func key(_ id: String?, for algorithm: TokenAlgorithm) throws(SignInError) -> JSONWebKey {
    if let id {
      // Keys of different types may share an ID (RFC 7517 §4.5).
      let named = keys.filter { $0.id == id }
      guard !named.isEmpty else { throw .token(.keyUnknown) }
      let suitable = named.filter { $0.suits(algorithm) }
      guard let key = suitable.first else {
        throw .token(.algorithmWrongForKey(algorithm.rawValue))
      }
      guard suitable.count == 1 else { throw .token(.keySetRepeatsName) }
      return key
    }
    let suitable = keys.filter { $0.suits(algorithm) }
    guard let key = suitable.first else { throw .token(.keyUnknown) }
    guard suitable.count == 1 else { throw .token(.keyNotNamed) }
    return key
  }

  var isEmpty: Bool { keys.isEmpty }
}
