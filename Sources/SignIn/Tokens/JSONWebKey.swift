/// Public key for signatures (RFC 7517), checked and written anew, so that the library sees nothing written by a
/// server.
struct JSONWebKey: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    /// RSA, with the length of the modulus in bits.
    case rsa(bits: Int)
    case ec(TokenCurve)
  }

  /// Allowed lengths of RSA keys in bits: fewer are too weak (RFC 7518 §3.3); with more, one check would take a second.
  static let bits = 2048...8192

  let id: String?
  let kind: Kind
  /// The only algorithm allowed by the key, if it names one; else any that suits its type.
  let algorithm: String?
  /// Public members as JSON.
  let text: String

  /// Takes a key of a key set.
  ///
  /// - Returns: `nil` for a key of another type or use, which a set may have (RFC 7517 §5), and for one that discloses
  ///   its private part.
  init?(_ claims: TokenClaims) throws(SignInError) {
    let type = try claims.requiredText("kty")
    guard type == "RSA" || type == "EC" else { return nil }
    guard claims["d"] == nil else { return nil }
    guard try claims.text("use") ?? "sig" == "sig" else { return nil }
    if let operations = try claims.texts("key_ops"), !operations.contains("verify") { return nil }
    id = try claims.text("kid")
    algorithm = try claims.text("alg")
    guard let (kind, members) = try Self.publicMembers(claims, type) else { return nil }
    self.kind = kind
    text = JSON.object(members).text
  }

  /// Public members of a key, in alphabetical order; `nil` for an unknown curve.
  static func publicMembers(
    _ claims: TokenClaims, _ type: String
  ) throws(SignInError) -> (Kind, [JSON.Member])? {
    if type == "RSA" {
      let (exponent, modulus) = (try number(claims, "e"), try number(claims, "n"))
      guard exponent.count <= 8, exponent != [1], let last = exponent.last, last & 1 == 1,
        let first = modulus.first
      else { throw .token(.keySetMalformed) }
      let bits = modulus.count * 8 - first.leadingZeroBitCount
      guard Self.bits.contains(bits) else { throw .token(.keyLength(bits: bits)) }
      return (
        .rsa(bits: bits),
        [
          JSON.Member("e", Base64URL.encode(exponent)), JSON.Member("kty", "RSA"),
          JSON.Member("n", Base64URL.encode(modulus)),
        ]
      )
    }
    guard let curve = TokenCurve(rawValue: try claims.requiredText("crv")) else { return nil }
    var members = [JSON.Member("crv", curve.rawValue), JSON.Member("kty", "EC")]
    for name in ["x", "y"] {
      members.append(JSON.Member(name, Base64URL.encode(try number(claims, name, on: curve))))
    }
    return (.ec(curve), members)
  }

  /// Number without leading zeros (RFC 7518 §2, Base64urlUInt).
  static func number(_ claims: TokenClaims, _ name: String) throws(SignInError) -> [UInt8] {
    let bytes = try bytes(claims, name)
    guard bytes.first != 0 else { throw .token(.keySetMalformed) }
    return bytes
  }

  /// Number with the length of a curve's coordinates (RFC 7518 §6.2.1.2).
  ///
  /// Some libraries, Authlib among them, omit leading zeros; they are restored.
  static func number(
    _ claims: TokenClaims, _ name: String, on curve: TokenCurve
  ) throws(SignInError) -> [UInt8] {
    let bytes = try bytes(claims, name)
    guard (curve.length - 3...curve.length).contains(bytes.count) else {
      throw .token(.keySetMalformed)
    }
    return [UInt8](repeating: 0, count: curve.length - bytes.count) + bytes
  }

  static func bytes(_ claims: TokenClaims, _ name: String) throws(SignInError) -> [UInt8] {
    guard let text = try claims.text(name), let bytes = Base64URL.decode(text), !bytes.isEmpty
    else { throw .token(.keySetMalformed) }
    return bytes
  }

  /// Length of a signature, in bytes. Checked before verification, because the library trusts the length received.
  var signatureLength: Int {
    switch kind {
    case .rsa(let bits): (bits + 7) / 8
    case .ec(let curve): 2 * curve.length
    }
  }

  func suits(_ algorithm: TokenAlgorithm) -> Bool {
    if let only = self.algorithm, only != algorithm.rawValue { return false }
    switch kind {
    case .rsa: return algorithm.curve == nil
    case .ec(let curve): return algorithm.curve == curve
    }
  }
}
