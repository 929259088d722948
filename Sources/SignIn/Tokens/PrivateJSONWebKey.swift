internal import Synchronization

/// Private key as JSON (RFC 7517), checked and written anew, with the uses that it allows.
final class PrivateJSONWebKey: Sendable {
  let id: String?
  /// Public members, in alphabetical order.
  let publicMembers: [JSON.Member]
  /// Algorithm of its signatures; `nil` for a key that is for decryption alone, by its `alg`, `use` or `key_ops`.
  let signature: TokenAlgorithm?
  /// True for an RSA key that is not for signatures alone, by its `use` or `key_ops`; a key on a curve decrypts nothing
  /// here.
  let decrypts: Bool
  /// The only algorithm by which it decrypts, if it names one.
  let wrapping: KeyWrapping?
  private let key: Mutex<JOSEKey>
  /// Operations of a key for tokens encrypted to it (RFC 7517 §4.3).
  private static let decryption: Set = ["decrypt", "unwrapKey"]

  init(_ claims: TokenClaims) throws(SignInError) {
    let type = try claims.requiredText("kty")
    guard type == "RSA" || type == "EC",
      let (kind, shared) = try JSONWebKey.publicMembers(claims, type)
    else { throw .token(.clientKeyUnusable) }
    publicMembers = shared
    id = try claims.text("kid")
    let name = try claims.text("alg")
    wrapping = name.flatMap(KeyWrapping.init)
    var list = shared
    let use = try claims.text("use")
    let operations = try claims.texts("key_ops")
    let usual: TokenAlgorithm
    switch kind {
    case .rsa:
      // The private exponent suffices, and the others count only together (RFC 7518 §6.3.2); some programs write a part.
      let others = ["p", "q", "dp", "dq", "qi"]
      for name in ["d"] + (others.allSatisfy { claims[$0] != nil } ? others : []) {
        list.append(JSON.Member(name, Base64URL.encode(try JSONWebKey.bytes(claims, name))))
      }
      usual = .rs256
      decrypts = use != "sig" && operations?.contains { Self.decryption.contains($0) } != false
    case .ec(let curve):
      let number = try JSONWebKey.number(claims, "d", on: curve)
      list.append(JSON.Member("d", Base64URL.encode(number)))
      usual = curve.algorithm
      decrypts = false
    }
    if wrapping != nil || use == "enc" || operations?.contains("sign") == false {
      guard decrypts, name == nil || wrapping != nil else { throw .token(.clientKeyUnusable) }
      signature = nil
    } else {
      let named = name.map { TokenAlgorithm(rawValue: $0) } ?? usual
      guard let named, named.curve == usual.curve else { throw .token(.clientKeyUnusable) }
      signature = named
    }
    key = Mutex(try JOSEKey(JSON.object(list).text))
  }

  func sign(_ payload: [UInt8], _ header: [(String, String)]) throws(SignInError) -> String {
    try key.withLock { (key) throws(SignInError) in
      try JOSELibrary.sign(payload, header, key)
    }
  }

  /// Unwraps the key of a token's content.
  ///
  /// - Returns: `nil` if this key names another algorithm.
  func unwrap(
    _ wrapped: [UInt8], by wrapping: KeyWrapping, to length: Int
  ) throws(SignInError) -> Secret? {
    guard self.wrapping ?? wrapping == wrapping else { return nil }
    return try key.withLock { (key) throws(SignInError) in
      try wrapping.unwrap(wrapped, with: key, to: length)
    }
  }

  /// Public key with its ID and, if it has one alone, its use and algorithm.
  func published(_ use: (name: String, algorithm: String?)?) -> JSON {
    let more: [(String, String?)] = [("kid", id), ("use", use?.name), ("alg", use?.algorithm)]
    return .object(publicMembers + more.compactMap { name, value in value.map { .init(name, $0) } })
  }
}
