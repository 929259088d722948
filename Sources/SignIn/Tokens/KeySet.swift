internal import System

/// The keys with which tokens are checked (RFC 7517 §5): from an issuer's own address or a file, never from a token.
package struct KeySet: Sendable {
  /// How long a list may be, in bytes.
  package static let lengthLimit = 64 << 10
  private static let countLimit = 64

  private let keys: [JSONWebKey]

  /// Reads `{"keys": [...]}`.
  ///
  /// Keys of another kind or use are passed over, and so is one that is malformed, weak or private: the others of the list
  /// are as good as before (RFC 7517 §5).
  package init(json: [UInt8]) throws(TokenProblem) {
    guard json.count <= Self.lengthLimit else { throw .tooLong(limit: Self.lengthLimit) }
    let claims: TokenClaims
    do throws(TokenProblem) { claims = try TokenClaims(json) } catch {
      throw error == .notAnObject ? .keySetMalformed : error
    }
    try self.init(claims)
  }

  /// Takes a list out of another document, such as an entity statement.
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

  /// A list that somebody pinned; one without a key that can be used is a mistake.
  package init(file path: String) throws(TokenProblem) {
    let bytes: [UInt8]
    do throws(PlainFile.Failure) {
      bytes = try PlainFile.read(path, limit: Self.lengthLimit)
    } catch {
      throw .keyFileUnreadable
    }
    try self.init(json: bytes)
    guard !isEmpty else { throw .keySetMalformed }
  }

  /// The key that a token names; the only one that suits, when it names none.
  func key(_ id: String?, for algorithm: TokenAlgorithm) throws(TokenProblem) -> JSONWebKey {
    if let id {
      // Keys of different kinds may share a name (RFC 7517 §4.5).
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

  /// Whether there is no key at all that could be used.
  package var isEmpty: Bool { keys.isEmpty }
}
