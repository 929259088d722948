package import Messages
package import Primitives

/// A value of JSON, and its schema.
package protocol Described: Sendable {
  static var schema: Schema { get }

  /// The value; only the texts for people depend on the language.
  func json(_ language: Language) -> JSON
}

extension String: Described {
  package static var schema: Schema { .text }
  package func json(_ language: Language) -> JSON { .string(self) }
}

extension Bool: Described {
  package static var schema: Schema { .flag }
  package func json(_ language: Language) -> JSON { .bool(self) }
}

/// A number of things.
extension Int: Described {
  package static var schema: Schema { .count }
  package func json(_ language: Language) -> JSON { .int(self) }
}

/// A text for people.
extension Message: Described {
  package static var schema: Schema { .text }
  package func json(_ language: Language) -> JSON { .string(self(language)) }
}

extension UTCTime: Described {
  package static var schema: Schema {
    .named("time") {
      .text(
        pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"
      ).noted("UTC.")
    }
  }
  package func json(_ language: Language) -> JSON { .string(description) }
}

/// Bytes, as digits.
package struct Digits: Described {
  package static var schema: Schema { .named("hex") { .text(pattern: "^([0-9A-F]{2})*$") } }
  private let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package func json(_ language: Language) -> JSON { .string(bytes.hexadecimal) }
}

extension Optional: Described where Wrapped: Described {
  package static var schema: Schema { Wrapped.schema.orNull }
  package func json(_ language: Language) -> JSON { self?.json(language) ?? .null }
}

extension Array: Described where Element: Described {
  package static var schema: Schema { .list(of: Element.schema) }
  package func json(_ language: Language) -> JSON { .array(map { $0.json(language) }) }
}

/// One of a few words, which scripts may rely on.
package protocol StableWord: Described {
  /// The name of its schema, if others name it.
  static var definition: String? { get }
  static var note: String? { get }
  static var words: [String] { get }

  var word: String { get }
}

extension StableWord {
  package static var definition: String? { nil }
  package static var note: String? { nil }

  package static var schema: Schema {
    guard let definition else { return .words(words).noted(note) }
    return .named(definition) { .words(words).noted(note) }
  }

  package func json(_ language: Language) -> JSON { .string(word) }
}

extension StableWord where Self: RawRepresentable<String> {
  package var word: String { rawValue }
}

extension StableWord where Self: RawRepresentable<String> & CaseIterable {
  package static var words: [String] { allCases.map(\.rawValue) }
}

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
