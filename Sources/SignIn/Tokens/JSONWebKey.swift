internal import System

/// A public key for signatures (RFC 7517), checked and written anew: the library sees nothing that a server wrote.
struct JSONWebKey: Sendable, Hashable {
  /// What kind of key.
  enum Kind: Sendable, Hashable {
    /// RSA, of so many bits.
    case rsa(bits: Int)
    /// A point on a curve.
    case ec(TokenCurve)
  }

  /// RSA keys of fewer bits are too weak (RFC 7518 §3.3); with more, one check would take a second.
  static let bits = 2048...8192

  /// Its name.
  let id: String?
  let kind: Kind
  /// The only algorithm that it may be used with, by its name; any that suits the kind when absent.
  let algorithm: String?
  /// Its public members as JSON.
  let text: String
  /// The same in the order in which a thumbprint is taken over them (RFC 7638 §3.2).
  var thumbprintInput: [UInt8] { [UInt8](text.utf8) }

  /// Takes a key out of a list.
  ///
  /// - Returns: `nil` for a key of another kind or for another use, which a list may have (RFC 7517 §5), and for one whose
  ///   private half is there for all to see.
  init?(_ claims: TokenClaims) throws(TokenProblem) {
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

  /// What is public of a key, in the order of the alphabet; `nil` for a curve that is not known here.
  static func publicMembers(
    _ claims: TokenClaims, _ type: String
  ) throws(TokenProblem) -> (Kind, [JSON.Member])? {
    if type == "RSA" {
      let (exponent, modulus) = (try number(claims, "e"), try number(claims, "n"))
      guard exponent.count <= 8, exponent != [1], let last = exponent.last, last & 1 == 1,
        let first = modulus.first
      else { throw .keySetMalformed }
      let bits = modulus.count * 8 - first.leadingZeroBitCount
      guard Self.bits.contains(bits) else { throw .keyLength(bits: bits) }
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

  /// A number without leading zeros (RFC 7518 §2, Base64urlUInt).
  static func number(_ claims: TokenClaims, _ name: String) throws(TokenProblem) -> [UInt8] {
    let bytes = try bytes(claims, name)
    guard bytes.first != 0 else { throw .keySetMalformed }
    return bytes
  }

  /// A number of the length of a curve's coordinates (RFC 7518 §6.2.1.2).
  ///
  /// Some libraries, Authlib among them, leave leading zeros out; they are put back.
  static func number(
    _ claims: TokenClaims, _ name: String, on curve: TokenCurve
  ) throws(TokenProblem) -> [UInt8] {
    let bytes = try bytes(claims, name)
    guard (curve.length - 3...curve.length).contains(bytes.count) else { throw .keySetMalformed }
    return [UInt8](repeating: 0, count: curve.length - bytes.count) + bytes
  }

  static func bytes(_ claims: TokenClaims, _ name: String) throws(TokenProblem) -> [UInt8] {
    guard let text = try claims.text(name), let bytes = Base64URL.decode(text), !bytes.isEmpty
    else { throw .keySetMalformed }
    return bytes
  }

  /// How many bytes a signature has. To be looked at beforehand: the library goes by what came.
  var signatureLength: Int {
    switch kind {
    case .rsa(let bits): (bits + 7) / 8
    case .ec(let curve): 2 * curve.length
    }
  }

  /// Whether signatures of this algorithm can be made with the key.
  func suits(_ algorithm: TokenAlgorithm) -> Bool {
    if let only = self.algorithm, only != algorithm.rawValue { return false }
    switch kind {
    case .rsa: return algorithm.curve == nil
    case .ec(let curve): return algorithm.curve == curve
    }
  }
}
