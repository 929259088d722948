internal import RedirectFlow
internal import System

/// A token in its compact form, taken apart (RFC 7515 §7.1, RFC 7516 §7.1): nothing in it is believed yet.
struct CompactToken {
  /// The longest token that is looked at, in bytes.
  static let lengthLimit = 64 << 10

  /// The whole, as it came.
  let text: String
  let header: TokenHeader
  /// What stands between the points, decoded; the header is the first of them.
  let parts: [[UInt8]]

  /// - Parameter count: how many parts it must have: 3 signed, 5 encrypted.
  init(_ text: String, parts count: Int) throws(TokenProblem) {
    guard text.utf8.count <= Self.lengthLimit else { throw .tooLong(limit: Self.lengthLimit) }
    let texts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard texts.count == count else { throw .malformed }
    var parts: [[UInt8]] = []
    for text in texts {
      guard let bytes = Base64URL.decode(text) else { throw .malformed }
      parts.append(bytes)
    }
    guard let first = parts.first else { throw .malformed }
    self.text = text
    header = try TokenHeader(first)
    self.parts = parts
  }
}

/// The header of a token (RFC 7515 §4).
struct TokenHeader {
  /// Members that would have a token checked with what it brings itself.
  private static let keyMembers = ["jwk", "jku", "x5u", "x5c"]

  /// The algorithm by its name, not yet judged.
  let algorithm: String
  /// The name of the key.
  let keyID: String?
  /// What kind of token.
  let type: String?
  /// How the content is encrypted; `nil` for a token that is only signed.
  let encryption: String?

  init(_ bytes: [UInt8]) throws(TokenProblem) {
    let claims = try TokenClaims(bytes)
    guard !claims.names.contains("crit") else { throw .criticalExtension }
    // Members of RFC 7797 and RFC 7516 that change what the other parts are.
    for member in ["b64", "zip"] where claims.names.contains(member) { throw .criticalExtension }
    for member in Self.keyMembers where claims.names.contains(member) {
      throw .bringsItsKey(member: member)
    }
    algorithm = try claims.requiredText("alg")
    keyID = try claims.text("kid")
    type = try claims.text("typ")
    encryption = try claims.text("enc")
  }

  /// Whether it is of one of these kinds; names are compared in any case of letters, with or without `application/`
  /// before them (RFC 7515 §4.1.9).
  func check(types: Set<String>) throws(TokenProblem) {
    guard let type else { return }
    let folded = type.lowercased()
    let name = folded.hasPrefix("application/") ? String(folded.dropFirst(12)) : folded
    guard types.contains(name) else { throw .wrongType(type) }
  }
}

extension CompactToken: Redacted {
  /// What it is signed or encrypted with.
  var description: String { "token by \(header.algorithm)" }
}
