/// Metadata policy of an entity's superiors (OpenID Federation §6.1): rules for each member, from the anchor down; each
/// superior can only narrow what those above it allow.
struct MetadataPolicy: Sendable {
  private var rules: [String: MetadataRule] = [:]

  /// Merges the policy of the next superior below (§6.1.4.1).
  ///
  /// - Throws: `policyUnusable` for a policy that cannot be parsed, that contradicts itself or a superior's, or that
  ///   has a wrong operand.
  mutating func narrow(by statement: TokenClaims, for role: String) throws(SignInError) {
    let policies = try mapError(
      try statement.member("metadata_policy") { try? TokenClaims($0) }?
        .member(role) { try? TokenClaims($0) }
    ) { (_: SignInError) in SignInError.federation(.policyUnusable("metadata_policy")) }
    guard let members = policies else { return }
    for name in members.names {
      guard case .object(let operators) = members[name] else {
        throw .federation(.policyUnusable(name))
      }
      var rule = rules[name] ?? MetadataRule()
      for (word, operand) in operators {
        // Unknown operators are ignored, unless they are critical (§6.1.3.2).
        guard let known = MetadataRule.Operator(rawValue: word) else { continue }
        // Scopes are one string (§6.1.3.1).
        let operand = name == Self.scope ? operand.words : operand
        guard rule.narrow(by: known, operand) else { throw .federation(.policyUnusable(name)) }
      }
      guard rule.isConsistent else { throw .federation(.policyUnusable(name)) }
      rules[name] = rule
    }
  }

  /// Checks that all critical operators are known (§3.1.3, `metadata_policy_crit`).
  static func checkCritical(_ statement: TokenClaims) throws(SignInError) {
    let name = "metadata_policy_crit"
    guard statement.names.contains(name) else { return }
    guard case .array(let words) = statement[name],
      words.allSatisfy({ $0.text.flatMap(MetadataRule.Operator.init) != nil })
    else { throw .federation(.policyUnusable(name)) }
  }

  /// - Throws: `policyForbids` with the name of a member whose value is not allowed.
  func apply(to members: inout [String: JSONValue]) throws(SignInError) {
    for (name, rule) in rules.sorted(by: { $0.key < $1.key }) {
      let isScope = name == Self.scope
      var found = members[name].map { isScope ? $0.words : $0 }
      if case .null = found { found = nil }
      guard rule.apply(to: &found) else { throw .federation(.policyForbids(name)) }
      members[name] = found.map { isScope ? $0.joined : $0 }
    }
  }

  private static let scope = "scope"
}

extension JSONValue {
  /// Words of a string, separated by spaces.
  fileprivate var words: JSONValue {
    guard let text else { return self }
    return .array(text.split(separator: " ").map { .string(String($0)) })
  }

  /// String of the words, the inverse of `words`.
  fileprivate var joined: JSONValue {
    guard case .array(let values) = self else { return self }
    return .string(values.compactMap(\.text).joined(separator: " "))
  }
}
