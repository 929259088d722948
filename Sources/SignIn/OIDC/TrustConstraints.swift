/// Constraints of a superior on the entities below it in a chain (OpenID Federation §6.2); unknown parameters are
/// ignored, as specified there.
struct TrustConstraints: Sendable {
  private let maximumPathLength: Int?
  private let permitted: [String]?
  private let excluded: [String]
  private let entityTypes: [[String]]

  /// `nil` if the statement has no constraints.
  init?(_ statement: EntityStatement) throws(SignInError) {
    guard statement.claims.names.contains("constraints") else { return nil }
    do throws(SignInError) {
      guard let constraints = try statement.claims.object("constraints") else {
        throw .token(.claimMalformed("constraints"))
      }
      maximumPathLength = try constraints.member("max_path_length") {
        $0.integer.flatMap { $0 >= 0 ? $0 : nil }
      }
      let names = try constraints.member("naming_constraints") { try? TokenClaims($0) }
      permitted = try names?.member("permitted", \.texts)
      excluded = try names?.member("excluded", \.texts) ?? []
      // The second is its name in the drafts, and in the CIE's rules.
      let types = [
        try constraints.member("allowed_entity_types", \.texts),
        try constraints.member("allowed_leaf_entity_types", \.texts),
      ]
      entityTypes = types.compactMap { $0 }
    } catch {
      throw .federation(.memberWrong("constraints"))
    }
  }

  /// - Parameter subordinates: entity identifiers of all entities below, down to the subject of the chain.
  func check(_ subordinates: [String]) throws(SignInError) {
    if let maximumPathLength, subordinates.count - 1 > maximumPathLength {
      throw .federation(.tooLong)
    }
    guard permitted != nil || !excluded.isEmpty else { return }
    for name in subordinates {
      // The names are host names; IP addresses never match (RFC 5280 §4.2.1.10).
      guard let host = try? RedirectURL(name).host, !Self.isNumeric(host) else {
        throw .federation(.nameForbidden)
      }
      guard !excluded.contains(where: { Self.matches(host, $0) }),
        permitted?.contains(where: { Self.matches(host, $0) }) != false
      else { throw .federation(.nameForbidden) }
    }
  }

  /// True if the subject may have this entity type (§6.2.3).
  func allows(_ type: String) -> Bool { entityTypes.allSatisfy { $0.contains(type) } }

  /// True if the host equals the constraint or, if that begins with a dot, is below it (RFC 5280 §4.2.1.10).
  private static func matches(_ host: String, _ constraint: String) -> Bool {
    let (host, constraint) = (host.lowercased(), constraint.lowercased())
    return constraint.hasPrefix(".") ? host.hasSuffix(constraint) : host == constraint
  }

  private static func isNumeric(_ host: String) -> Bool {
    host.hasPrefix("[") || host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
  }
}
