internal import System

/// What the superiors of an entity demand of what it says (OpenID Federation §6.1): rules for each member, from the
/// anchor down, each superior only narrowing what those above it allow.
struct MetadataPolicy: Sendable {
  private var rules: [String: Rule] = [:]

  /// The operators, in the order in which they are applied (§6.1.3.1).
  fileprivate enum Operator: String, CaseIterable {
    case value
    case add
    case `default`
    case oneOf = "one_of"
    case subsetOf = "subset_of"
    case supersetOf = "superset_of"
    case essential
  }

  /// The rules for one member.
  fileprivate struct Rule: Sendable {
    var value: JSONValue?
    var add: [JSONValue]?
    var usual: JSONValue?
    var oneOf: [JSONValue]?
    var subsetOf: [JSONValue]?
    var supersetOf: [JSONValue]?
    var isEssential = false
  }

  /// Takes over the policy of the next superior below (§6.1.3.2, merging).
  ///
  /// - Throws: `policyUnusable` for one that cannot be read, that contradicts a superior's, or that wants an operator to
  ///   be understood which is not known here.
  mutating func narrow(by statement: TokenClaims, for role: String) throws(FederationProblem) {
    let policy: TokenClaims?
    let critical: [String]
    do throws(TokenProblem) {
      policy = try statement.object("metadata_policy")?.object(role)
      critical = try statement.texts("metadata_policy_crit") ?? []
    } catch {
      throw .policyUnusable("metadata_policy")
    }
    guard critical.allSatisfy({ Operator(rawValue: $0) != nil }) else {
      throw .policyUnusable("metadata_policy_crit")
    }
    guard let policy else { return }
    for name in policy.names {
      guard case .object(let operators) = policy[name] else { throw .policyUnusable(name) }
      var rule = rules[name] ?? Rule()
      for (word, operand) in operators {
        // Others may be there and are passed over (§6.1.3.1.8).
        guard let known = Operator(rawValue: word) else { continue }
        guard rule.narrow(by: known, operand) else { throw .policyUnusable(name) }
      }
      rules[name] = rule
    }
  }

  /// Applies it.
  ///
  /// - Throws: `policyForbids` with the member that is not allowed as it is.
  func apply(to members: inout [String: JSONValue]) throws(FederationProblem) {
    for (name, rule) in rules.sorted(by: { $0.key < $1.key }) {
      // Scopes stand in one text (§6.1.3.1).
      let isScope = name == "scope"
      var found = members[name].map { isScope ? $0.words : $0 }
      if case .null = found { found = nil }
      guard rule.apply(to: &found) else { throw .policyForbids(name) }
      members[name] = found.map { isScope ? $0.joined : $0 }
    }
  }
}

extension MetadataPolicy.Rule {
  /// Adds one operator.
  ///
  /// - Returns: false when it contradicts what is there, or has an operand of the wrong kind.
  fileprivate mutating func narrow(by word: MetadataPolicy.Operator, _ operand: JSONValue) -> Bool {
    func list() -> [JSONValue]? { if case .array(let values) = operand { values } else { nil } }
    switch word {
    case .value:
      if let value, !value.isSame(operand) { return false }
      value = operand
    case .default:
      if let usual, !usual.isSame(operand) { return false }
      usual = operand
    case .add:
      guard let values = list() else { return false }
      add = (add ?? []).union(values)
    case .oneOf:
      guard let values = list() else { return false }
      oneOf = oneOf?.intersection(values) ?? values
      return oneOf?.isEmpty == false
    case .subsetOf:
      guard let values = list() else { return false }
      subsetOf = subsetOf?.intersection(values) ?? values
    case .supersetOf:
      guard let values = list() else { return false }
      supersetOf = (supersetOf ?? []).union(values)
    case .essential:
      guard case .flag(let flag) = operand else { return false }
      isEssential = isEssential || flag
    }
    return true
  }

  /// Applies all operators in their order.
  ///
  /// - Returns: false when the member is not allowed.
  fileprivate func apply(to member: inout JSONValue?) -> Bool {
    if let value {
      member = value
      if case .null = value { member = nil }
    }
    if let add { member = .array((member?.elements ?? []).union(add)) }
    if member == nil { member = usual }
    guard let present = member else { return !isEssential }
    if let oneOf, !oneOf.contains(where: { $0.isSame(present) }) { return false }
    if let subsetOf {
      let allowed = present.elements.intersection(subsetOf)
      // Nothing left is nothing that could be used.
      guard !allowed.isEmpty else { return false }
      member = .array(allowed)
    }
    if let supersetOf {
      guard supersetOf.intersection(member?.elements ?? []).count == supersetOf.count else {
        return false
      }
    }
    return true
  }
}

extension JSONValue {
  /// The elements of an array; one value alone counts as an array of one.
  fileprivate var elements: [JSONValue] {
    if case .array(let values) = self { values } else { [self] }
  }

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

  /// Whether both mean the same: the order of members is no part of it.
  fileprivate func isSame(_ other: JSONValue) -> Bool {
    switch (self, other) {
    case (.string(let left), .string(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.flag(let left), .flag(let right)): left == right
    case (.null, .null): true
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isSame($1) }
    case (.object(let left), .object(let right)):
      left.count == right.count
        && left.allSatisfy { member in other[member.name].map(member.value.isSame) ?? false }
    default: false
    }
  }
}

extension [JSONValue] {
  fileprivate func has(_ value: JSONValue) -> Bool { contains { $0.isSame(value) } }

  /// What both have, in this order.
  fileprivate func intersection(_ other: [JSONValue]) -> [JSONValue] { filter { other.has($0) } }

  /// This, and what only the other one has.
  fileprivate func union(_ other: [JSONValue]) -> [JSONValue] { self + other.filter { !has($0) } }
}
