/// Private keys of this client at a provider (RFC 7523): one signs tokens, and the same or others decrypt those encrypted
/// to them, as federations ask for.
final class ClientKey: Sendable {
  private static let fileLimit = 16 << 10
  private static let mostKeys = 8

  let algorithm: TokenAlgorithm
  private let signing: PrivateJSONWebKey
  /// Keys that are for decryption alone, otherwise the signing one if it can.
  private let decrypting: [PrivateJSONWebKey]

  var id: String? { signing.id }

  /// Reads a private key, or a set of them (RFC 7517 §5), from a file that only its owner may read.
  convenience init(file path: String) throws(SignInError) {
    let bytes = try mapError(try PlainFile.read(path, limit: Self.fileLimit, others: .none)) {
      (error: PlainFile.Failure) in
      SignInError(.clientKey(error == .exposed ? .exposed : .unreadable, path: path))
    }
    do { try self.init(json: bytes) } catch { throw SignInError(.clientKey(.unusable, path: path)) }
  }

  /// Takes a key, or a set: the first key that signs, and all those for decryption.
  ///
  /// - Throws: `clientKeyUnusable` also if no key signs.
  init(json: [UInt8]) throws(SignInError) {
    do throws(SignInError) {
      let keys = try Self.keys(in: try TokenClaims(json))
      guard let signing = keys.first(where: { $0.signature != nil }),
        let algorithm = signing.signature
      else { throw .token(.clientKeyUnusable) }
      self.signing = signing
      self.algorithm = algorithm
      let others = keys.filter { $0.signature == nil }
      decrypting = others.isEmpty && signing.decrypts ? [signing] : others
    } catch {
      throw .token(.clientKeyUnusable)
    }
  }

  private static func keys(in claims: TokenClaims) throws(SignInError) -> [PrivateJSONWebKey] {
    guard let set = claims["keys"] else { return [try PrivateJSONWebKey(claims)] }
    guard case .array(let values) = set, values.count <= mostKeys else {
      throw .token(.clientKeyUnusable)
    }
    return try values.map { (value) throws(SignInError) in
      try PrivateJSONWebKey(TokenClaims(value))
    }
  }

  func sign(
    _ claims: JSON, type: String = "JWT"
  ) throws(SignInError) -> String {
    let header = [("alg", algorithm.rawValue), ("typ", type)] + (id.map { [("kid", $0)] } ?? [])
    return try signing.sign([UInt8](claims.text.utf8), header)
  }

  /// Decrypts a token (JWE in compact form, RFC 7516) to its payload, such as a signed token: by RSA-OAEP or
  /// RSA-OAEP-256, with A128CBC-HS256 or A256CBC-HS512; the CIE's rules demand all of them.
  ///
  /// - Throws: `keyUnknown` for a token to another key, that for signatures included; `clientKeyOnlySigns`.
  func decrypt(_ text: String) throws(SignInError) -> [UInt8] {
    let token = try CompactToken(text, parts: 5)
    let name = (token.header.algorithm, token.header.encryption ?? "")
    guard name.0 != "RSA1_5" else { throw .token(.algorithmForbidden(name.0)) }
    guard let wrapping = KeyWrapping(rawValue: name.0) else {
      throw .token(.encryptionUnknown(name.0))
    }
    guard let content = ContentEncryption(rawValue: name.1) else {
      throw .token(.encryptionUnknown(name.1))
    }
    guard !decrypting.isEmpty else { throw .token(.clientKeyOnlySigns) }
    // A token without a name is for the only key; of several it must name one.
    let meant = decrypting.filter { key in
      guard let named = token.header.keyID, let id = key.id else { return decrypting.count == 1 }
      return named == id
    }
    guard let key = meant.first else { throw .token(.keyUnknown) }
    let header = [UInt8](text.utf8.prefix { $0 != UInt8(ascii: ".") })
    guard let contentKey = try key.unwrap(token.parts[1], by: wrapping, to: content.keyLength)
    else { throw .token(.algorithmWrongForKey(name.0)) }
    return try content.open(
      token.parts[3], vector: token.parts[2], tag: token.parts[4], header: header, contentKey)
  }

  /// JSON Web Key Set of the public keys, for registration with a provider: each with its use (RFC 7517 §4.2) and the
  /// algorithm that it names; a key for both uses has neither, because each of them would forbid one.
  var publicKeys: JSON {
    let isForBoth = decrypting.contains { $0 === signing }
    let signer = signing.published(isForBoth ? nil : ("sig", algorithm.rawValue))
    let others = isForBoth ? [] : decrypting.map { $0.published(("enc", $0.wrapping?.rawValue)) }
    return .object([JSON.Member("keys", .array([signer] + others))])
  }
}

extension ClientKey: Redacted {
  var description: String { "client key for \(algorithm.rawValue)" }
}
