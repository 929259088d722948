/// A member of a result's object: its name, its value and its schema, said once. An `Encoder` gets it, and the program's JSON,
/// which has texts for people, too.
package struct Fact<Owner: Sendable>: Sendable {
  package let name: String
  /// False for one that is there only sometimes.
  package let isAlways: Bool
  /// Made where it is listed, because most runs describe nothing.
  package let schema: @Sendable () -> Schema
  /// The value; `nil` where the member is left out.
  package let json: @Sendable (Owner) -> JSON?

  /// A member that is always there.
  ///
  /// - Parameter note: for readers of the schema.
  package init<Value: StableValue>(
    _ name: String, _ value: @escaping @Sendable (Owner) -> Value, note: String? = nil
  ) {
    self.init(name, isAlways: true, { Value.schema.noted(note) }) { value($0).json }
  }

  private init(
    _ name: String, isAlways: Bool, _ schema: @escaping @Sendable () -> Schema,
    _ json: @escaping @Sendable (Owner) -> JSON?
  ) {
    self.name = name
    self.isAlways = isAlways
    self.schema = schema
    self.json = json
  }

  /// A member that is left out without a value, where that is no null.
  package static func whenPresent<Value: StableValue>(
    _ name: String, _ value: @escaping @Sendable (Owner) -> Value?, note: String? = nil
  ) -> Fact {
    Fact(name, isAlways: false, { Value.schema.noted(note) }) { value($0)?.json }
  }

  /// The facts of a part, as facts of its owner.
  package static func all<Part: StableObject>(
    of part: @escaping @Sendable (Owner) -> Part
  ) -> [Fact] {
    Part.facts.map { fact in
      Fact(fact.name, isAlways: fact.isAlways, fact.schema) { fact.json(part($0)) }
    }
  }

  /// The same member, with a schema that says more than that of its type.
  package func of(_ schema: @escaping @Sendable () -> Schema) -> Fact {
    Fact(name, isAlways: isAlways, schema, json)
  }
}

/// An object of JSON that is the same in each language.
package protocol StableObject: StableValue {
  /// The name of its schema, if others name it.
  static var definition: String? { get }
  /// Its members, in their order.
  static var facts: [Fact<Self>] { get }
}

extension StableObject {
  package static var definition: String? { nil }

  package static var schema: Schema {
    let object = { @Sendable in
      Schema.object(facts.map { ($0.name, $0.isAlways, $0.schema()) })
    }
    return definition.map { .named($0, object) } ?? object()
  }

  package var json: JSON {
    .object(
      Self.facts.compactMap { fact in fact.json(self).map { JSON.Member(fact.name, $0) } })
  }
}

extension JSON: Encodable {
  private struct Key: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let value): try value.encode(to: encoder)
    case .int(let value): try value.encode(to: encoder)
    case .string(let text): try text.encode(to: encoder)
    case .array(let values):
      var container = encoder.unkeyedContainer()
      for value in values { try container.encode(value) }
    case .object(let members):
      var container = encoder.container(keyedBy: Key.self)
      for member in members {
        try container.encode(member.value, forKey: Key(stringValue: member.name))
      }
    }
  }
}
