/// Members of a token, or of a document that was signed or came over a trusted connection, each at most once.
package struct TokenClaims: Sendable {
  /// All members, including `null`.
  let members: [String: JSONValue]

  /// Parses an object and rejects repeated members at any depth.
  package init(_ bytes: [UInt8]) throws(TokenProblem) {
    let value = try mapError(try JSONValue(bytes)) { (_: JSONProblem) in TokenProblem.notAnObject }
    try self.init(value)
  }

  /// Takes an object that is a value of another one.
  package init(_ value: JSONValue) throws(TokenProblem) {
    guard case .object(let list) = value else { throw .notAnObject }
    if let name = value.repeatedMember { throw .repeatedMember(name) }
    members = Dictionary(list.map { ($0.name, $0.value) }) { first, _ in first }
  }

  package var names: [String] { members.keys.sorted() }

  /// Value as received; `nil` if absent or `null`.
  package subscript(name: String) -> JSONValue? {
    guard let value = members[name] else { return nil }
    if case .null = value { return nil }
    return value
  }

  /// Returns a member; `nil` if absent. A member with another value, `null` included, is an error.
  func member<Value>(
    _ name: String, _ read: (JSONValue) -> Value?
  ) throws(TokenProblem) -> Value? {
    guard let member = members[name] else { return nil }
    guard let value = read(member) else { throw .claimMalformed(name) }
    return value
  }

  /// Returns a string; `nil` if absent.
  ///
  /// - Throws: `claimMalformed` for another type.
  package func text(_ name: String) throws(TokenProblem) -> String? {
    guard let value = self[name] else { return nil }
    guard let text = value.text else { throw .claimMalformed(name) }
    return text
  }

  /// Returns a required string, which must not be empty.
  package func requiredText(_ name: String) throws(TokenProblem) -> String {
    guard let text = try text(name) else { throw .claimMissing(name) }
    guard !text.isEmpty else { throw .claimMalformed(name) }
    return text
  }

  /// Returns an array of strings; a single string counts as an array of one; `nil` if absent.
  package func texts(_ name: String) throws(TokenProblem) -> [String]? {
    guard let value = self[name] else { return nil }
    if let text = value.text { return [text] }
    guard let texts = value.texts else { throw .claimMalformed(name) }
    return texts
  }

  package func object(_ name: String) throws(TokenProblem) -> TokenClaims? {
    guard let value = self[name] else { return nil }
    guard case .object = value else { throw .claimMalformed(name) }
    return try TokenClaims(value)
  }

  package func flag(_ name: String) throws(TokenProblem) -> Bool? {
    guard let value = self[name] else { return nil }
    guard case .flag(let flag) = value else { throw .claimMalformed(name) }
    return flag
  }

  /// Returns a time (NumericDate, RFC 7519 §2), fractions of a second dropped; `nil` if absent.
  package func moment(_ name: String) throws(TokenProblem) -> UTCTime? {
    guard let value = self[name] else { return nil }
    // Up to the end of the year 9999, because sums with it cannot overflow.
    guard case .number(let text) = value, let number = Double(text),
      (0...253_402_300_799).contains(number)
    else { throw .claimMalformed(name) }
    return UTCTime(seconds: Int64(number))
  }

  package func requiredMoment(_ name: String) throws(TokenProblem) -> UTCTime {
    guard let moment = try moment(name) else { throw .claimMissing(name) }
    return moment
  }
}

extension TokenClaims: Redacted {
  package var description: String { "claims " + names.joined(separator: ", ") }
}
