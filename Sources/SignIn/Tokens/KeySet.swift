internal import System

/// The keys with which tokens are checked (RFC 7517 §5): from an issuer's own address or a file, never from a token.
package struct KeySet: Sendable {
  /// How long a list may be, in bytes.
  package static let lengthLimit = 64 << 10
  private static let countLimit = 64

  private let keys: [JSONWebKey]

  /// Reads `{"keys": [...]}`.
  ///
  /// Keys of another kind or use are passed over; a weak or private one, or two of one name, spoil the whole list.
  package init(json: [UInt8]) throws(TokenProblem) {
    guard json.count <= Self.lengthLimit else { throw .tooLong(limit: Self.lengthLimit) }
    do throws(TokenProblem) {
      try self.init(TokenClaims(json))
    } catch {
      throw Self.inList(error)
    }
  }

  /// Takes a list out of another document, such as an entity statement.
  package init(_ claims: TokenClaims) throws(TokenProblem) {
    guard case .array(let values) = claims["keys"], values.count <= Self.countLimit else {
      throw .keySetMalformed
    }
    var (keys, ids): ([JSONWebKey], Set<String>) = ([], [])
    for value in values {
      do throws(TokenProblem) {
        guard let key = try JSONWebKey(TokenClaims(value)) else { continue }
        keys.append(key)
      } catch {
        throw Self.inList(error)
      }
      guard let id = keys.last?.id else { continue }
      guard ids.insert(id).inserted else { throw .keySetRepeatsName }
    }
    self.keys = keys
  }

  /// A list that somebody pinned.
  package init(file path: String) throws(TokenProblem) {
    let bytes: [UInt8]
    do throws(PlainFile.Failure) {
      bytes = try PlainFile.read(path, limit: Self.lengthLimit)
    } catch {
      throw .keyFileUnreadable
    }
    try self.init(json: bytes)
  }

  /// What is wrong with a list, whichever of its members shows it.
  private static func inList(_ problem: TokenProblem) -> TokenProblem {
    switch problem {
    case .notAnObject, .claimMissing, .claimMalformed: .keySetMalformed
    default: problem
    }
  }

  /// The key that a token names; the only one that suits, when it names none.
  func key(_ id: String?, for algorithm: TokenAlgorithm) throws(TokenProblem) -> JSONWebKey {
    if let id {
      guard let key = keys.first(where: { $0.id == id }) else { throw .keyUnknown }
      guard key.suits(algorithm) else { throw .algorithmWrongForKey(algorithm.rawValue) }
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
