/// Token in compact form, split and decoded (RFC 7515 §7.1, RFC 7516 §7.1), but not verified.
struct CompactToken {
  static let lengthLimit = 64 << 10

  let text: String
  let header: TokenHeader
  /// Parts between the dots, decoded; the first is the header.
  let parts: [[UInt8]]

  /// - Parameter count: number of parts that it must have: 3 signed, 5 encrypted.
  init(_ text: String, parts count: Int) throws(SignInError) {
    guard text.utf8.count <= Self.lengthLimit else {
      throw .token(.tooLong(limit: Self.lengthLimit))
    }
    let texts = text.split(separator: ".", omittingEmptySubsequences: false)
    let parts = texts.compactMap { Base64URL.decode($0) }
    guard texts.count == count, parts.count == count, let first = parts.first else {
      throw .token(.malformed)
    }
    self.text = text
    header = try TokenHeader(first)
    self.parts = parts
  }
}

/// Header of a token (RFC 7515 §4).
struct TokenHeader {
  /// Members that would let a token bring the key for its verification.
  private static let keyMembers = ["jwk", "jku", "x5u", "x5c"]

  /// Algorithm, not checked yet.
  let algorithm: String
  let keyID: String?
  let type: String?
  /// Content encryption algorithm; `nil` for a token that is only signed.
  let encryption: String?

  init(_ bytes: [UInt8]) throws(SignInError) {
    let claims = try TokenClaims(bytes)
    guard !claims.names.contains("crit") else { throw .token(.criticalExtension) }
    // Members of RFC 7797 and RFC 7516 that change the meaning of the other parts.
    for member in ["b64", "zip"] where claims.names.contains(member) {
      throw .token(.criticalExtension)
    }
    for member in Self.keyMembers where claims.names.contains(member) {
      throw .token(.bringsItsKey(member: member))
    }
    algorithm = try claims.requiredText("alg")
    keyID = try claims.text("kid")
    type = try claims.text("typ")
    encryption = try claims.text("enc")
  }

  /// Checks the type, ignoring case, with or without the prefix `application/` (RFC 7515 §4.1.9).
  func check(types: Set<String>) throws(SignInError) {
    guard let type else { return }
    let folded = type.lowercased()
    let name = folded.hasPrefix("application/") ? String(folded.dropFirst(12)) : folded
    guard types.contains(name) else { throw .token(.wrongType(type)) }
  }
}

extension CompactToken: Redacted {
  var description: String { "token by \(header.algorithm)" }
}
