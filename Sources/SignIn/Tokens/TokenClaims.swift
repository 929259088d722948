package import CIECard
internal import RedirectFlow
package import System

/// The members of a token, or of a document that was signed or came over a trusted connection, each at most once.
package struct TokenClaims: Sendable {
  /// All of them, `null` included.
  let members: [String: JSONValue]

  /// Reads an object and looks for repeated members in all of it.
  ///
  /// - Throws: `notAnObject` or `repeatedMember`.
  package init(_ bytes: [UInt8]) throws(TokenProblem) {
    let value: JSONValue
    do throws(JSONProblem) { value = try JSONValue(bytes) } catch { throw .notAnObject }
    try self.init(value)
  }

  /// Takes an object that stands in another one.
  package init(_ value: JSONValue) throws(TokenProblem) {
    guard case .object(let list) = value else { throw .notAnObject }
    try Self.checkRepeats(value)
    members = Dictionary(list.map { ($0.name, $0.value) }) { first, _ in first }
  }

  private static func checkRepeats(_ value: JSONValue) throws(TokenProblem) {
    switch value {
    case .object(let list):
      var names: Set<String> = []
      for member in list {
        guard names.insert(member.name).inserted else { throw .repeatedMember(member.name) }
        try checkRepeats(member.value)
      }
    case .array(let values): for value in values { try checkRepeats(value) }
    case .string, .number, .flag, .null: break
    }
  }

  /// The names, sorted.
  package var names: [String] { members.keys.sorted() }

  /// The value as it came; `nil` when it is absent or `null`.
  package subscript(name: String) -> JSONValue? {
    guard let value = members[name] else { return nil }
    if case .null = value { return nil }
    return value
  }

  /// A text; `nil` when it is absent.
  ///
  /// - Throws: `claimMalformed` when it is something else.
  package func text(_ name: String) throws(TokenProblem) -> String? {
    guard let value = self[name] else { return nil }
    guard let text = value.text else { throw .claimMalformed(name) }
    return text
  }

  /// A text that must be there and not be empty.
  package func requiredText(_ name: String) throws(TokenProblem) -> String {
    guard let text = try text(name) else { throw .claimMissing(name) }
    guard !text.isEmpty else { throw .claimMalformed(name) }
    return text
  }

  /// A list of texts, where one text alone counts as a list of one; `nil` when it is absent.
  package func texts(_ name: String) throws(TokenProblem) -> [String]? {
    guard let value = self[name] else { return nil }
    if let text = value.text { return [text] }
    guard case .array(let values) = value else { throw .claimMalformed(name) }
    var texts: [String] = []
    for value in values {
      guard let text = value.text else { throw .claimMalformed(name) }
      texts.append(text)
    }
    return texts
  }

  /// An object; `nil` when it is absent.
  package func object(_ name: String) throws(TokenProblem) -> TokenClaims? {
    guard let value = self[name] else { return nil }
    guard case .object = value else { throw .claimMalformed(name) }
    return try TokenClaims(value)
  }

  /// `true` or `false`; `nil` when it is absent.
  package func flag(_ name: String) throws(TokenProblem) -> Bool? {
    guard let value = self[name] else { return nil }
    guard case .flag(let flag) = value else { throw .claimMalformed(name) }
    return flag
  }

  /// A moment (NumericDate, RFC 7519 §2), fractions of a second dropped; `nil` when it is absent.
  package func moment(_ name: String) throws(TokenProblem) -> UTCTime? {
    guard let value = self[name] else { return nil }
    // Up to the end of the year 9999: sums with it cannot overflow.
    guard case .number(let text) = value, let number = Double(text),
      (0...253_402_300_799).contains(number)
    else { throw .claimMalformed(name) }
    return UTCTime(seconds: Int64(number))
  }

  /// A moment that must be there.
  package func requiredMoment(_ name: String) throws(TokenProblem) -> UTCTime {
    guard let moment = try moment(name) else { throw .claimMissing(name) }
    return moment
  }
}

extension TokenClaims: Redacted {
  /// The names of the claims.
  package var description: String { "claims " + names.joined(separator: ", ") }
}
