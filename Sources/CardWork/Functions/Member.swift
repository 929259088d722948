import Messages
package import Primitives

/// A member of an object of JSON: its name, its value and its schema, said once.
package struct Member<Owner: Sendable>: Sendable {
  let name: String
  /// False for one that is there only sometimes.
  let isAlways: Bool
  /// Made where it is listed, because most runs describe nothing.
  let schema: @Sendable () -> Schema
  /// The value; `nil` where the member is left out.
  let json: @Sendable (Owner, Language) -> JSON?

  /// A member that is always there.
  ///
  /// - Parameter note: for readers of the schema.
  package init<Value: Described>(
    _ name: String, _ value: @escaping @Sendable (Owner) -> Value, note: String? = nil
  ) {
    self.init(name, isAlways: true, { Value.schema.noted(note) }) { value($0).json($1) }
  }

  /// A member with one word as its value.
  package init(_ name: String, always word: String) {
    self.init(name, isAlways: true, { .constant(word) }) { _, _ in .string(word) }
  }

  private init(
    _ name: String, isAlways: Bool, _ schema: @escaping @Sendable () -> Schema,
    _ json: @escaping @Sendable (Owner, Language) -> JSON?
  ) {
    self.name = name
    self.isAlways = isAlways
    self.schema = schema
    self.json = json
  }

  /// A member that is left out without a value, where that is no null.
  package static func whenPresent<Value: Described>(
    _ name: String, _ value: @escaping @Sendable (Owner) -> Value?, note: String? = nil
  ) -> Member {
    Member(name, isAlways: false, { Value.schema.noted(note) }) { value($0)?.json($1) }
  }

  /// A member that a failure may leave out; if all went well, it is there.
  package static func unlessFailed<Value: Described>(
    _ name: String, _ value: @escaping @Sendable (Owner) -> Value?, note: String? = nil
  ) -> Member {
    Member(name, isAlways: true, { Value.schema.noted(note) }) { value($0)?.json($1) }
  }

  /// The same member, with a schema that says more than that of its type.
  package func of(_ schema: @escaping @Sendable () -> Schema) -> Member {
    Member(name, isAlways: isAlways, schema, json)
  }

  /// The facts of a part, as members of its owner.
  package static func facts<Part: StableObject>(
    of part: @escaping @Sendable (Owner) -> Part
  ) -> [Member] {
    facts(of: { .some(part($0)) })
  }

  /// The facts of a part that may be missing, and they with it.
  package static func facts<Part: StableObject>(
    of part: @escaping @Sendable (Owner) -> Part?
  ) -> [Member] {
    Part.facts.map { fact in
      Member(fact.name, isAlways: fact.isAlways, fact.schema) { owner, _ in
        part(owner).flatMap(fact.json)
      }
    }
  }

  /// All members of a part, as members of its owner.
  package static func all<Part: DescribedObject>(
    of part: @escaping @Sendable (Owner) -> Part
  ) -> [Member] {
    all(of: { .some(part($0)) })
  }

  /// All members of a part that may be missing, and they with it.
  package static func all<Part: DescribedObject>(
    of part: @escaping @Sendable (Owner) -> Part?
  ) -> [Member] {
    Part.members.map { member in
      Member(member.name, isAlways: member.isAlways, member.schema) { owner, language in
        part(owner).flatMap { member.json($0, language) }
      }
    }
  }

  var description: (name: String, isRequired: Bool, schema: Schema) {
    (name, isAlways, schema())
  }
}

/// A member that a part of the work adds to the answer, whatever the function.
package struct Notice: Sendable {
  package let name: String
  let schema: Schema

  package init(_ name: String, _ schema: Schema) {
    self.name = name
    self.schema = schema
  }
}

extension Array {
  /// The same members with others in the place of one, which have texts for people.
  package func replacing<Owner>(
    _ name: String, with members: [Member<Owner>]
  ) -> [Member<Owner>] where Element == Member<Owner> {
    flatMap { $0.name == name ? members : [$0] }
  }
}
