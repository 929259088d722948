/// Key set for verification of tokens (RFC 7517 §5): from an issuer's own address or a file, never from a token.
package struct KeySet: Sendable {
  package static let lengthLimit = 64 << 10
  private static let countLimit = 64

  private let keys: [JSONWebKey]

  /// Reads `{"keys": [...]}`.
  ///
  /// Keys of another type or use are ignored, and so are malformed, weak and private ones, because the others of the
  /// set stay valid (RFC 7517 §5).
  package init(json: [UInt8]) throws(TokenProblem) {
    guard json.count <= Self.lengthLimit else { throw .tooLong(limit: Self.lengthLimit) }
    let claims = try mapError(try TokenClaims(json)) {
      $0 == .notAnObject ? TokenProblem.keySetMalformed : $0
    }
    try self.init(claims)
  }

  /// Takes a set from another document, such as an entity statement.
  package init(_ claims: TokenClaims) throws(TokenProblem) {
    guard case .array(let values) = claims["keys"], values.count <= Self.countLimit else {
      throw .keySetMalformed
    }
    var keys: [JSONWebKey] = []
    for value in values {
      guard case .object = value else { throw .keySetMalformed }
      if let key = try? JSONWebKey(TokenClaims(value)) { keys.append(key) }
    }
    self.keys = keys
  }

  /// Reads a pinned set from a file; one without a usable key is an error.
  package init(file path: String) throws(TokenProblem) {
    let bytes = try mapError(try PlainFile.read(path, limit: Self.lengthLimit)) {
      (_: PlainFile.Failure) in TokenProblem.keyFileUnreadable
    }
    try self.init(json: bytes)
    guard !isEmpty else { throw .keySetMalformed }
  }

  /// Key with the ID in a token; without an ID, the only suitable one.
  func key(_ id: String?, for algorithm: TokenAlgorithm) throws(TokenProblem) -> JSONWebKey {
    if let id {
      // Keys of different types may share an ID (RFC 7517 §4.5).
      let named = keys.filter { $0.id == id }
      guard !named.isEmpty else { throw .keyUnknown }
      let suitable = named.filter { $0.suits(algorithm) }
      guard let key = suitable.first else { throw .algorithmWrongForKey(algorithm.rawValue) }
      guard suitable.count == 1 else { throw .keySetRepeatsName }
      return key
    }
    let suitable = keys.filter { $0.suits(algorithm) }
    guard let key = suitable.first else { throw .keyUnknown }
    guard suitable.count == 1 else { throw .keyNotNamed }
    return key
  }

  package var isEmpty: Bool { keys.isEmpty }
}
