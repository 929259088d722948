internal import Synchronization

/// Private key of this client at a provider (RFC 7523): signs tokens, and decrypts those encrypted to it.
package final class ClientKey: Sendable {
  private static let fileLimit = 16 << 10

  package let id: String?
  package let algorithm: TokenAlgorithm
  private let publicMembers: [JSON.Member]
  private let key: Mutex<JOSEKey>

  /// Reads a private key as JSON (RFC 7517) from a file that only its owner may read.
  package convenience init(file path: String) throws(ClientKeyProblem) {
    let bytes = try mapError(try PlainFile.read(path, limit: Self.fileLimit, others: .none)) {
      (error: PlainFile.Failure) in error == .exposed ? ClientKeyProblem.exposed : .unreadable
    }
    do throws(TokenProblem) { try self.init(json: bytes) } catch { throw .unusable }
  }

  package init(json: [UInt8]) throws(TokenProblem) {
    let members: [JSON.Member]
    let kind: JSONWebKey.Kind
    do throws(TokenProblem) {
      let claims = try TokenClaims(json)
      let type = try claims.requiredText("kty")
      guard type == "RSA" || type == "EC",
        let (found, shared) = try JSONWebKey.publicMembers(claims, type)
      else { throw .clientKeyUnusable }
      (kind, publicMembers) = (found, shared)
      id = try claims.text("kid")
      var list = shared
      switch kind {
      case .rsa:
        for name in ["d", "p", "q", "dp", "dq", "qi"] {
          list.append(JSON.Member(name, Base64URL.encode(try JSONWebKey.bytes(claims, name))))
        }
      case .ec(let curve):
        let number = try JSONWebKey.number(claims, "d", on: curve)
        list.append(JSON.Member("d", Base64URL.encode(number)))
      }
      members = list
      algorithm = try Self.algorithm(kind, claims.text("alg"))
      key = Mutex(try JOSEKey(JSON.object(members).text))
    } catch .keyLength(let bits) {
      throw .keyLength(bits: bits)
    } catch {
      throw .clientKeyUnusable
    }
  }

  /// Algorithm that the key names, else the default of its type.
  private static func algorithm(
    _ kind: JSONWebKey.Kind, _ name: String?
  ) throws(TokenProblem) -> TokenAlgorithm {
    let usual =
      switch kind {
      case .rsa: TokenAlgorithm.rs256
      case .ec(let curve): curve.algorithm
      }
    guard let name else { return usual }
    guard let named = TokenAlgorithm(rawValue: name), named.curve == usual.curve else {
      throw .clientKeyUnusable
    }
    return named
  }

  package func sign(
    _ claims: JSON, type: String = "JWT"
  ) throws(TokenProblem) -> String {
    let header = [("alg", algorithm.rawValue), ("typ", type)] + (id.map { [("kid", $0)] } ?? [])
    return try key.withLock { (key) throws(TokenProblem) in
      try JOSELibrary.sign([UInt8](claims.text.utf8), header, key)
    }
  }

  /// Decrypts a token (JWE in compact form, RFC 7516) to its payload, such as a signed token: by RSA-OAEP or
  /// RSA-OAEP-256, with A128CBC-HS256 or A256CBC-HS512; the CIE's rules demand all of them.
  package func decrypt(_ text: String) throws(TokenProblem) -> [UInt8] {
    let token = try CompactToken(text, parts: 5)
    let name = (token.header.algorithm, token.header.encryption ?? "")
    guard name.0 != "RSA1_5" else { throw .algorithmForbidden(name.0) }
    guard let wrapping = KeyWrapping(rawValue: name.0) else { throw .encryptionUnknown(name.0) }
    guard let content = ContentEncryption(rawValue: name.1) else {
      throw .encryptionUnknown(name.1)
    }
    guard algorithm.curve == nil else { throw .decryptionFailed }
    if let named = token.header.keyID, let id, named != id { throw .keyUnknown }
    let header = [UInt8](text.utf8.prefix { $0 != UInt8(ascii: ".") })
    return try key.withLock { (key) throws(TokenProblem) in
      let contentKey = try wrapping.unwrap(token.parts[1], with: key, to: content.keyLength)
      return try content.open(
        token.parts[3], vector: token.parts[2], tag: token.parts[4], header: header, contentKey)
    }
  }

  /// JSON Web Key Set of the public key, for registration with a provider.
  package var publicKeys: JSON {
    let name = id.map { [JSON.Member("kid", $0)] } ?? []
    return .object([
      JSON.Member("keys", .array([.object(publicMembers + name)]))
    ])
  }
}

package enum ClientKeyProblem: Error, Sendable, Hashable {
  case unreadable
  /// Other users can read or write the file.
  case exposed
  case unusable
}

extension ClientKey: Redacted {
  package var description: String { "client key for \(algorithm.rawValue)" }
}
