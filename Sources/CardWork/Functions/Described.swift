package import Messages
package import Primitives

/// A value of JSON, and its schema.
package protocol Described: Sendable {
  static var schema: Schema { get }

  /// The value; only the texts for people depend on the language.
  func json(_ language: Language) -> JSON
}

extension Described where Self: StableValue {
  package func json(_ language: Language) -> JSON { json }
}

extension String: Described {}
extension Bool: Described {}
extension Int: Described {}
extension UTCTime: Described {}
extension Digits: Described {}

/// A text for people.
extension Message: Described {
  package static var schema: Schema { .text }
  package func json(_ language: Language) -> JSON { .string(self(language)) }
}

extension Optional: Described where Wrapped: Described {
  package static var schema: Schema { Wrapped.schema.orNull }
  package func json(_ language: Language) -> JSON { self?.json(language) ?? .null }
}

extension Array: Described where Element: Described {
  package static var schema: Schema { .list(of: Element.schema) }
  package func json(_ language: Language) -> JSON { .array(map { $0.json(language) }) }
}

/// A word of the program's own results.
package protocol DescribedWord: StableWord, Described {}

/// An object of JSON.
package protocol DescribedObject: Described {
  /// The name of its schema, if others name it.
  static var definition: String? { get }
  static var note: String? { get }
  /// Its members, in their order.
  static var members: [Member<Self>] { get }
}

extension DescribedObject {
  package static var definition: String? { nil }
  package static var note: String? { nil }

  package static var schema: Schema {
    guard let definition else { return .object(members.map(\.description)).noted(note) }
    return .named(definition) { .object(members.map(\.description)).noted(note) }
  }

  package func json(_ language: Language) -> JSON { .object(members(language)) }

  /// The members that this object has.
  package func members(_ language: Language) -> [JSON.Member] {
    Self.members.compactMap { member in
      member.json(self, language).map { JSON.Member(member.name, $0) }
    }
  }
}
