/// Rules of a metadata policy for one member (OpenID Federation §6.1.3.1).
struct MetadataRule: Sendable {
  private var value: JSONValue?
  private var add: [JSONValue]?
  private var usual: JSONValue?
  private var oneOf: [JSONValue]?
  private var subsetOf: [JSONValue]?
  private var supersetOf: [JSONValue]?
  private var isEssential = false

  /// Operators, in the order of application.
  enum Operator: String {
    case value
    case add
    case `default`
    case oneOf = "one_of"
    case subsetOf = "subset_of"
    case supersetOf = "superset_of"
    case essential
  }

  /// Merges one operator with that of the superiors.
  ///
  /// - Returns: false if it contradicts the others, or has an operand of the wrong type.
  mutating func narrow(by word: Operator, _ operand: JSONValue) -> Bool {
    switch word {
    case .value:
      if let value, !value.isSame(operand) { return false }
      value = operand
    case .default:
      if case .null = operand { return false }
      if let usual, !usual.isSame(operand) { return false }
      usual = operand
    case .add:
      guard let values = operand.set else { return false }
      add = (add ?? []).union(values)
    case .oneOf:
      guard let values = operand.set else { return false }
      oneOf = oneOf?.intersection(values) ?? values
      return oneOf?.isEmpty == false
    case .subsetOf:
      guard let values = operand.set else { return false }
      subsetOf = subsetOf?.intersection(values) ?? values
    case .supersetOf:
      guard let values = operand.set else { return false }
      supersetOf = (supersetOf ?? []).union(values)
    case .essential:
      guard case .flag(let flag) = operand else { return false }
      isEssential = isEssential || flag
    }
    return true
  }

  /// True if the operators may be combined, within one policy and after merging.
  var isConsistent: Bool {
    if oneOf != nil, add != nil || subsetOf != nil || supersetOf != nil { return false }
    if let add, let subsetOf, !subsetOf.holds(add) { return false }
    if let supersetOf, let subsetOf, !subsetOf.holds(supersetOf) { return false }
    guard let value else { return true }
    if case .null = value, usual != nil || isEssential { return false }
    if let oneOf, !oneOf.holds([value]) { return false }
    let own = value.set
    if let add, own?.holds(add) != true { return false }
    if let subsetOf, own.map(subsetOf.holds) != true { return false }
    if let supersetOf, own?.holds(supersetOf) != true { return false }
    return true
  }

  /// Applies all operators in order.
  ///
  /// - Returns: false if the value of the member is not allowed.
  func apply(to member: inout JSONValue?) -> Bool {
    if let value {
      member = value
      if case .null = value { member = nil }
    }
    if let add {
      guard let values = member.map(\.set) ?? [] else { return false }
      member = .array(values.union(add))
    }
    if member == nil { member = usual }
    guard let present = member else { return !isEssential }
    if let oneOf, !oneOf.holds([present]) { return false }
    if let subsetOf {
      guard let values = present.set else { return false }
      // The intersection may be empty; then the member is an empty array.
      member = .array(values.intersection(subsetOf))
    }
    if let supersetOf {
      guard let values = member?.set, values.holds(supersetOf) else { return false }
    }
    return true
  }
}

extension JSONValue {
  /// Elements of an array of strings, numbers or objects, the only types that the operators compare.
  fileprivate var set: [JSONValue]? {
    guard case .array(let values) = self else { return nil }
    let areComparable = values.allSatisfy {
      switch $0 {
      case .string, .number, .object: true
      case .flag, .null, .array: false
      }
    }
    return areComparable ? values : nil
  }

  /// True if both are equal; the order of object members does not matter.
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
  private func has(_ value: JSONValue) -> Bool { contains { $0.isSame(value) } }

  /// True if this contains all of the others.
  fileprivate func holds(_ others: [JSONValue]) -> Bool { others.allSatisfy(has) }

  /// Elements of both, in this order.
  fileprivate func intersection(_ other: [JSONValue]) -> [JSONValue] { filter(other.has) }

  /// These elements, then those only in the other array.
  fileprivate func union(_ other: [JSONValue]) -> [JSONValue] { self + other.filter { !has($0) } }
}
