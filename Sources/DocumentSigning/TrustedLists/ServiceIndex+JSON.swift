internal import CIECard
internal import Primitives

/// Lists and services as members of JSON, and strictly back.
extension ListState {
  var members: [JSON.Member] {
    [
      .init("territory", territory), .init("number", sequenceNumber), .init("issued", issued.json),
      .init("next", nextUpdate?.json ?? .null), .init("fetched", fetched.json),
    ]
  }

  init(_ json: JSONValue?) throws(ServiceIndexError) {
    self.init(
      territory: try known(json?["territory"]?.text),
      sequenceNumber: try known(json?["number"]?.integer), issued: try UTCTime(json?["issued"]),
      nextUpdate: try UTCTime(optional: json?["next"]), fetched: try UTCTime(json?["fetched"]))
  }
}

extension TrustedService {
  /// - Parameter certificate: the one of its certificates that the line is about; nil for one that has none.
  func json(_ certificate: Certificate?) -> JSON {
    .object([
      .init("territory", territory), .init("provider", provider),
      .init("certificate", certificate.map(Self.text)),
      .init("keys", keyIdentifiers.map(\.hexadecimal)),
      .init("periods", objects: periods.map(\.members)),
    ])
  }

  private static func text(_ certificate: Certificate) -> String {
    String(decoding: Base64.encode(certificate.der), as: UTF8.self)
  }

  init(_ json: JSONValue) throws(ServiceIndexError) {
    territory = try known(json["territory"]?.text)
    provider = try known(json["provider"]?.text)
    keyIdentifiers = try json["keys"].elements { (key) throws(ServiceIndexError) in
      try known(key.text.flatMap { [UInt8](hexadecimal: $0) })
    }
    periods = try json["periods"].elements(Period.init)
    switch json["certificate"] {
    case .null?: certificates = []
    case .string(let text)?:
      let der = try known(Base64.decode([UInt8](text.utf8)))
      certificates = [try known(try? Certificate(der: der))]
    case .array?, .object?, .number?, .flag?, nil: throw .damaged
    }
  }
}

extension TrustedService.Period {
  fileprivate var members: [JSON.Member] {
    [
      .init("name", name), .init("kind", kind.rawValue), .init("status", status.rawValue),
      .init("start", start.json), .init("uses", uses.map(\.rawValue).sorted()),
      .init("qualifications", .array(qualifications.map(\.json))),
      .init("keepsExpired", keepsExpiredSince?.json ?? .null),
      .init("unknown", hasUnknownExtension),
    ]
  }

  fileprivate init(_ json: JSONValue) throws(ServiceIndexError) {
    self.init(
      name: try known(json["name"]?.text),
      kind: try known(json["kind"]?.text.flatMap { TrustedService.Kind(rawValue: $0) }),
      status: try known(json["status"]?.text.flatMap { TrustedService.Status(rawValue: $0) }),
      start: try UTCTime(json["start"]),
      uses: Set(
        try json["uses"].elements { (use) throws(ServiceIndexError) in
          try known(use.text.flatMap { TrustedService.Use(rawValue: $0) })
        }),
      qualifications: try json["qualifications"].elements(TrustedService.Qualification.init),
      keepsExpiredSince: try UTCTime(optional: json["keepsExpired"]),
      hasUnknownExtension: try known(json["unknown"]?.flag))
  }
}

extension TrustedService.Qualification {
  fileprivate var json: JSON {
    .object([
      .init("qualifiers", qualifiers.map(\.rawValue).sorted()),
      .init("if", criterion.json(depth: 0)),
    ])
  }

  fileprivate init(_ json: JSONValue) throws(ServiceIndexError) {
    self.init(
      qualifiers: Set(
        try json["qualifiers"].elements { (word) throws(ServiceIndexError) in
          try known(word.text.flatMap { TrustedService.Qualifier(rawValue: $0) })
        }),
      criterion: try TrustedService.Criterion(try known(json["if"])))
  }
}

extension TrustedService.Criterion {
  /// The deepest criterion that is written: the reader of JSON has a limit, and lists have two levels.
  private static let deepest = 3

  fileprivate func json(depth: Int) -> JSON {
    guard depth <= Self.deepest else { return Self.unknown.json(depth: 0) }
    func member(_ name: String, _ value: JSON) -> JSON { .object([.init(name, value)]) }
    func list(_ parts: [Self]) -> JSON { .array(parts.map { $0.json(depth: depth + 1) }) }
    func texts(_ texts: [String]) -> JSON { .array(texts.map { .string($0) }) }
    return switch self {
    case .all(let parts): member("all", list(parts))
    case .any(let parts): member("any", list(parts))
    case .none(let parts): member("none", list(parts))
    case .keyUsage(let bits):
      // A bit that must not be set is below zero, with 1 taken off, so that 0 has an opposite.
      member(
        "keyUsage",
        .array(bits.sorted { $0.key < $1.key }.map { .int($0.value ? $0.key : -1 - $0.key) }))
    case .policies(let names): member("policies", texts(names))
    case .extendedKeyUsages(let names): member("extendedKeyUsages", texts(names))
    case .subjectAttributes(let names): member("subjectAttributes", texts(names))
    case .unknown: member("unknown", .null)
    }
  }

  fileprivate init(_ json: JSONValue) throws(ServiceIndexError) {
    guard case .object(let members) = json, members.count == 1, let (name, value) = members.first
    else { throw .damaged }
    func texts() throws(ServiceIndexError) -> [String] {
      try Optional(value).elements { (text) throws(ServiceIndexError) in try known(text.text) }
    }
    switch name {
    case "all": self = .all(try Optional(value).elements(Self.init))
    case "any": self = .any(try Optional(value).elements(Self.init))
    case "none": self = .none(try Optional(value).elements(Self.init))
    case "keyUsage":
      var bits: [Int: Bool] = [:]
      for bit in try Optional(value).elements({ (bit) throws(ServiceIndexError) in
        try known(bit.integer)
      }) {
        guard (-9...8).contains(bit) else { throw .damaged }
        bits[bit < 0 ? -1 - bit : bit] = bit >= 0
      }
      self = .keyUsage(bits)
    case "policies": self = .policies(try texts())
    case "extendedKeyUsages": self = .extendedKeyUsages(try texts())
    case "subjectAttributes": self = .subjectAttributes(try texts())
    case "unknown": self = .unknown
    case _: throw .damaged
    }
  }
}

/// The value, which a whole file has.
private func known<Value>(_ value: Value?) throws(ServiceIndexError) -> Value {
  guard let value else { throw .damaged }
  return value
}

extension UTCTime {
  fileprivate var json: JSON { .int(Int(seconds)) }

  /// The years that have four digits.
  private static let range = -62_167_219_200...253_402_300_799

  fileprivate init(_ json: JSONValue?) throws(ServiceIndexError) {
    let seconds = try known(json?.integer)
    guard Self.range.contains(seconds) else { throw .damaged }
    self.init(seconds: Int64(seconds))
  }

  /// A time, or null.
  fileprivate init?(optional json: JSONValue?) throws(ServiceIndexError) {
    if case .null? = json { return nil }
    try self.init(json)
  }
}

extension JSONValue {
  fileprivate var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
}

extension JSONValue? {
  /// The elements of an array.
  fileprivate func elements<Value>(
    _ element: (JSONValue) throws(ServiceIndexError) -> Value
  ) throws(ServiceIndexError) -> [Value] {
    guard case .array(let elements)? = self else { throw .damaged }
    return try elements.map { (value) throws(ServiceIndexError) in try element(value) }
  }
}
