/// Content of the store as JSON: `{"version":1,"current":{…}|null,"pending":[…]}`.
extension AccountKeeper.Record {
  init?(_ bytes: [UInt8]) {
    guard let value = try? JSONValue(bytes), value["version"]?.integer == 1,
      let current = value["current"], case .array(let pending) = value["pending"]
    else { return nil }
    if case .null = current {
      self.current = nil
    } else {
      guard let signedIn = SignedIn(current) else { return nil }
      self.current = signedIn
    }
    self.pending = pending.compactMap(SignedIn.init)
    guard self.pending.count == pending.count else { return nil }
  }

  var json: JSON {
    .object([
      .init("version", 1), .init("current", current?.json ?? .null),
      .init("pending", .array(pending.map(\.json))),
    ])
  }
}

extension SignedIn {
  init?(_ value: JSONValue) {
    guard let source = value["description"]?.text, let account = Account(value) else { return nil }
    self.init(
      account: account, source: [UInt8](source.utf8),
      folder: value["folder"]?.text.map { String(escapedSystem: $0) },
      session: value["session"]?.text ?? "")
  }

  var json: JSON {
    .object([
      .init("service", account.service), .init("method", account.method),
      .init("begun", .int(Int(account.begun.seconds))),
      .init("claims", account.claims.json), .init("tokens", account.tokens?.json ?? .null),
      .init("description", String(decoding: source, as: UTF8.self)), .init("folder", folder),
      .init("session", session),
    ])
  }
}

extension Account {
  fileprivate init?(_ value: JSONValue) {
    guard let service = value["service"]?.text, let method = value["method"]?.text,
      let begun = value["begun"]?.integer, case .array(let claims) = value["claims"]
    else { return nil }
    let read = claims.compactMap(AccountClaims.Claim.init)
    guard read.count == claims.count else { return nil }
    self.init(
      service: service, method: method, claims: AccountClaims(read),
      begun: UTCTime(seconds: Int64(begun)), tokens: value["tokens"].flatMap(Tokens.init))
  }
}

extension AccountClaims.Claim {
  fileprivate init?(_ value: JSONValue) {
    guard let name = value["name"]?.text, case .array(let values) = value["values"] else {
      return nil
    }
    self.init(name, values.compactMap(\.text))
  }
}

extension Account.Tokens {
  fileprivate init?(_ value: JSONValue) {
    guard let access = value["access"]?.text else { return nil }
    self.init(
      access: access, refresh: value["refresh"]?.text, identity: value["identity"]?.text,
      expires: value["expires"]?.integer.map { UTCTime(seconds: Int64($0)) },
      scope: value["scope"]?.text)
  }

  fileprivate var json: JSON {
    .object([
      .init("access", access), .init("refresh", refresh), .init("identity", identity),
      .init("expires", expires.map { Int($0.seconds) }), .init("scope", scope),
    ])
  }
}
