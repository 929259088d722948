internal import System

/// What the superiors of an entity demand of what it says (OpenID Federation §6.1): rules for each member, from the
/// anchor down, each superior only narrowing what those above it allow.
struct MetadataPolicy: Sendable {
  private var rules: [String: MetadataRule] = [:]

  /// Takes over the policy of the next superior below (§6.1.4.1, merging).
  ///
  /// - Throws: `policyUnusable` for one that cannot be read, that contradicts itself or a superior's, or that wants an
  ///   operator to be understood which is not known here.
  mutating func narrow(by statement: TokenClaims, for role: String) throws(FederationProblem) {
    guard let policy = try Self.object(statement, "metadata_policy") else { return }
    guard let members = try Self.object(policy, role) else { return }
    for name in members.names {
      guard case .object(let operators) = members[name] else { throw .policyUnusable(name) }
      var rule = rules[name] ?? MetadataRule()
      for (word, operand) in operators {
        // Others may be there and are passed over, unless they are critical (§6.1.3.2).
        guard let known = MetadataRule.Operator(rawValue: word) else { continue }
        // Scopes stand in one text (§6.1.3.1).
        let operand = name == Self.scope ? operand.words : operand
        guard rule.narrow(by: known, operand) else { throw .policyUnusable(name) }
      }
      guard rule.isConsistent else { throw .policyUnusable(name) }
      rules[name] = rule
    }
  }

  /// Looks for operators that must be understood (§3.1.3, `metadata_policy_crit`).
  static func checkCritical(_ statement: TokenClaims) throws(FederationProblem) {
    let name = "metadata_policy_crit"
    guard statement.names.contains(name) else { return }
    guard case .array(let words) = statement[name],
      words.allSatisfy({ $0.text.flatMap(MetadataRule.Operator.init) != nil })
    else { throw .policyUnusable(name) }
  }

  /// Applies it.
  ///
  /// - Throws: `policyForbids` with the member that is not allowed as it is.
  func apply(to members: inout [String: JSONValue]) throws(FederationProblem) {
    for (name, rule) in rules.sorted(by: { $0.key < $1.key }) {
      let isScope = name == Self.scope
      var found = members[name].map { isScope ? $0.words : $0 }
      if case .null = found { found = nil }
      guard rule.apply(to: &found) else { throw .policyForbids(name) }
      members[name] = found.map { isScope ? $0.joined : $0 }
    }
  }

  private static let scope = "scope"

  /// An object in another one; one that is there and is `null` is no object.
  private static func object(
    _ claims: TokenClaims, _ name: String
  ) throws(FederationProblem) -> TokenClaims? {
    guard claims.names.contains(name) else { return nil }
    do throws(TokenProblem) {
      if let object = try claims.object(name) { return object }
    } catch {}
    throw .policyUnusable("metadata_policy")
  }
}

extension JSONValue {
  /// The words of a text between blanks.
  fileprivate var words: JSONValue {
    guard let text else { return self }
    return .array(text.split(separator: " ").map { .string(String($0)) })
  }

  /// The same backwards.
  fileprivate var joined: JSONValue {
    guard case .array(let values) = self else { return self }
    return .string(values.compactMap(\.text).joined(separator: " "))
  }
}
