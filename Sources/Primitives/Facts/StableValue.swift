/// A value of JSON that is the same in each language, and its schema.
package protocol StableValue: Sendable {
  static var schema: Schema { get }

  var json: JSON { get }
}

extension String: StableValue {
  package static var schema: Schema { .text }
  package var json: JSON { .string(self) }
}

extension Bool: StableValue {
  package static var schema: Schema { .flag }
  package var json: JSON { .bool(self) }
}

/// A number of things.
extension Int: StableValue {
  package static var schema: Schema { .count }
  package var json: JSON { .int(self) }
}

extension UTCTime: StableValue {
  package static var schema: Schema {
    .named("time") {
      .text(
        pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"
      ).noted("UTC.")
    }
  }
  package var json: JSON { .string(description) }
}

/// Bytes, as digits.
package struct Digits: StableValue {
  package static var schema: Schema { .named("hex") { .text(pattern: "^([0-9A-F]{2})*$") } }
  private let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var json: JSON { .string(bytes.hexadecimal) }
}

extension [UInt8] {
  /// Nil where OpenSSL has no memory.
  package var sha256: Digits? { (try? HashAlgorithm.sha256.hash(self)).map(Digits.init) }
}

extension Optional: StableValue where Wrapped: StableValue {
  package static var schema: Schema { Wrapped.schema.orNull }
  package var json: JSON { self?.json ?? .null }
}

extension Array: StableValue where Element: StableValue {
  package static var schema: Schema { .list(of: Element.schema) }
  package var json: JSON { .array(map(\.json)) }
}

/// One of a few words, which scripts may rely on.
package protocol StableWord: StableValue {
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

  package var json: JSON { .string(word) }
}

extension StableWord where Self: RawRepresentable<String> {
  package var word: String { rawValue }
}

extension StableWord where Self: RawRepresentable<String> & CaseIterable {
  package static var words: [String] { allCases.map(\.rawValue) }
}
