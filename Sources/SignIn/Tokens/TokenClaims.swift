/// Members of a token, or of a document that was signed or came over a trusted connection, each at most once.
struct TokenClaims: Sendable {
  /// All members, including `null`.
  let members: [String: JSONValue]

  /// Parses an object and rejects repeated members at any depth.
  init(_ bytes: [UInt8]) throws(SignInError) {
    guard let value = try? JSONValue(bytes) else { throw .token(.notAnObject) }
    try self.init(value)
  }

  /// Takes an object that is a value of another one.
  init(_ value: JSONValue) throws(SignInError) {
    guard case .object(let list) = value else { throw .token(.notAnObject) }
    if let name = value.repeatedMember { throw .token(.repeatedMember(name)) }
    members = Dictionary(list.map { ($0.name, $0.value) }) { first, _ in first }
  }

  var names: [String] { members.keys.sorted() }

  /// Value as received; `nil` if absent or `null`.
  subscript(name: String) -> JSONValue? {
    guard let value = members[name] else { return nil }
    if case .null = value { return nil }
    return value
  }

  /// Returns a member; `nil` if absent. A member with another value, `null` included, is an error.
  func member<Value>(
    _ name: String, _ read: (JSONValue) -> Value?
  ) throws(SignInError) -> Value? {
    guard let member = members[name] else { return nil }
    guard let value = read(member) else { throw .token(.claimMalformed(name)) }
    return value
  }

  /// Returns a member; `nil` if absent or `null`.
  private func claim<Value>(
    _ name: String, _ read: (JSONValue) -> Value?
  ) throws(SignInError) -> Value? {
    self[name] == nil ? nil : try member(name, read)
  }

  /// Returns a string; `nil` if absent.
  ///
  /// - Throws: `claimMalformed` for another type.
  func text(_ name: String) throws(SignInError) -> String? { try claim(name, \.text) }

  /// Returns a required string, which must not be empty.
  func requiredText(_ name: String) throws(SignInError) -> String {
    guard let text = try text(name) else { throw .token(.claimMissing(name)) }
    guard !text.isEmpty else { throw .token(.claimMalformed(name)) }
    return text
  }

  /// Returns an array of strings; a single string counts as an array of one; `nil` if absent.
  func texts(_ name: String) throws(SignInError) -> [String]? {
    try claim(name) { value in value.text.map { [$0] } ?? value.texts }
  }

  func object(_ name: String) throws(SignInError) -> TokenClaims? {
    guard let value = self[name] else { return nil }
    guard case .object = value else { throw .token(.claimMalformed(name)) }
    return try TokenClaims(value)
  }

  func flag(_ name: String) throws(SignInError) -> Bool? {
    try claim(name) { if case .flag(let flag) = $0 { flag } else { nil } }
  }

  /// Returns a time (NumericDate, RFC 7519 §2), fractions of a second dropped; `nil` if absent.
  func moment(_ name: String) throws(SignInError) -> UTCTime? {
    try claim(name) {
      // Up to the end of the year 9999, because sums with it cannot overflow.
      guard case .number(let text) = $0, let number = Double(text),
        (0...253_402_300_799).contains(number)
      else { return nil }
      return UTCTime(seconds: Int64(number))
    }
  }

  func requiredMoment(_ name: String) throws(SignInError) -> UTCTime {
    guard let moment = try moment(name) else { throw .token(.claimMissing(name)) }
    return moment
  }
}

extension TokenClaims: Redacted {
  var description: String { "claims " + names.joined(separator: ", ") }
}

/// Authentication level of SPID and the CIE: `https://www.spid.gov.it/SpidL1` to 3.
enum AuthenticationLevel: Int, Sendable, Comparable {
  case one = 1
  case two
  case three

  private static let prefix = "https://www.spid.gov.it/SpidL"

  /// Parses the value of an `acr`.
  init?(_ name: String) {
    guard name.hasPrefix(Self.prefix), name.utf8.count == Self.prefix.utf8.count + 1,
      let number = name.last?.wholeNumberValue
    else { return nil }
    self.init(rawValue: number)
  }

  /// Value of an `acr`.
  var name: String { Self.prefix + String(rawValue) }

  static func < (left: AuthenticationLevel, right: AuthenticationLevel) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension TokenClaims {
  /// Checks the end of validity, if there is one.
  func checkEnd(_ now: UTCTime) throws(SignInError) {
    guard let end = try moment("exp") else { return }
    guard now.seconds < end.seconds + TokenExpectations.skew else { throw .token(.expired) }
  }

  /// Checks the time of issue, which is required.
  func checkIssue(_ now: UTCTime) throws(SignInError) {
    let latest = now.seconds + TokenExpectations.skew
    guard try requiredMoment("iat").seconds <= latest else { throw .token(.issuedInFuture) }
  }
}

/// Comparison of the ID token of a refresh with that of the sign-in (OpenID Connect Core §12.2).
extension TokenClaims {
  /// Claims of a signed token, without verification because it was verified on receipt.
  static func unproved(_ token: String) throws(SignInError) -> TokenClaims {
    try TokenClaims(try CompactToken(token, parts: 3).parts[1])
  }

  /// Compares a verified token with the former one.
  func checkContinues(_ former: TokenClaims) throws(SignInError) {
    guard try text("iss") == former.text("iss") else { throw .token(.issuerWrong) }
    guard try text("sub") == former.text("sub") else { throw .token(.subjectWrong) }
    guard try text("azp") == former.text("azp") else { throw .token(.authorizedPartyWrong) }
    // `nonce` is optional; if present, it must be that of the sign-in.
    if let nonce = try text("nonce"), try nonce != former.text("nonce") {
      throw .token(.nonceWrong)
    }
    if let moment = try moment("auth_time") {
      let latest = try former.requiredMoment("iat").seconds + TokenExpectations.skew
      guard try former.moment("auth_time").map({ $0 == moment }) ?? (moment.seconds <= latest)
      else { throw .token(.authenticationTimeWrong) }
    }
    if let level = try former.text("acr").flatMap(AuthenticationLevel.init) {
      guard let reached = try text("acr").flatMap(AuthenticationLevel.init), reached >= level else {
        throw .token(.levelTooLow)
      }
    }
  }
}
