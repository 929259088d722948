/// The members of an environment file, each taken once; what is left at the end is unknown.
struct EnvironmentMembers {
  private var values: [String: JSONValue] = [:]

  init(_ bytes: [UInt8]) throws(EnvironmentError) {
    let value: JSONValue
    do throws(JSONProblem) { value = try JSONValue(bytes) } catch {
      throw .notJSON(offset: error.offset)
    }
    guard case .object(let members) = value else { throw .notAnObject }
    for (name, value) in members {
      guard values.updateValue(value, forKey: name) == nil else { throw .repeatedMember(name) }
    }
  }

  mutating func optionalText(_ name: String) throws(EnvironmentError) -> String? {
    guard let value = values.removeValue(forKey: name) else { return nil }
    guard case .string(let text) = value else { throw .wrongType(name) }
    return text
  }

  mutating func text(_ name: String) throws(EnvironmentError) -> String {
    guard let text = try optionalText(name) else { throw .missingMember(name) }
    return text
  }

  /// A list of at least one text.
  mutating func texts(_ name: String) throws(EnvironmentError) -> [String] {
    guard let value = values.removeValue(forKey: name) else { throw .missingMember(name) }
    guard case .array(let elements) = value, !elements.isEmpty else { throw .wrongType(name) }
    var texts: [String] = []
    for element in elements {
      guard case .string(let text) = element else { throw .wrongType(name) }
      texts.append(text)
    }
    return texts
  }

  func finish() throws(EnvironmentError) {
    if let name = values.keys.min() { throw .unknownMember(name) }
  }
}
