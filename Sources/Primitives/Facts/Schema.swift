/// The schema of a JSON value, in the words that JSON Schema 2020-12 and OpenAPI 3.0 share where nothing may be null.
package struct Schema: Sendable {
  /// A schema that others name, made where it is listed, because one may contain itself.
  package struct Definition: Sendable {
    package let name: String
    package let schema: @Sendable () -> Schema
  }

  /// The keywords, in the order of the document.
  private var keywords: [JSON.Member]
  /// The definitions that it names.
  package private(set) var definitions: [Definition] = []

  package var json: JSON { .object(keywords) }

  private init(_ keywords: [JSON.Member], _ definitions: [Definition] = []) {
    self.keywords = keywords
    self.definitions = definitions
  }
}

extension Schema {
  package static let flag = Schema([.init("type", "boolean")])
  package static let text = Schema([.init("type", "string")])
  package static let integer = Schema([.init("type", "integer")])
  /// A number of things: zero or more.
  package static let count = Schema([.init("type", "integer"), .init("minimum", 0)])

  package static func number(_ range: ClosedRange<Int>) -> Schema {
    Schema([
      .init("type", "integer"), .init("minimum", range.lowerBound),
      .init("maximum", range.upperBound),
    ])
  }

  package static func text(pattern: String) -> Schema {
    Schema([.init("type", "string"), .init("pattern", pattern)])
  }

  /// One of a few words.
  package static func words(_ words: [String]) -> Schema { Schema([.init("enum", words)]) }

  /// One of a few words, where the type is written, too, as in the descriptions of requests.
  package static func choice(_ words: [String]) -> Schema {
    Schema([.init("type", "string"), .init("enum", words)])
  }

  package static func constant(_ word: String) -> Schema { Schema([.init("const", word)]) }

  package static func list(of items: Schema, atLeast least: Int? = nil) -> Schema {
    let limit = least.map { [JSON.Member("minItems", $0)] } ?? []
    return Schema(
      [.init("type", "array")] + limit + [.init("items", items.json)], items.definitions)
  }

  /// An object; members that are not named may come.
  package static func object(_ members: [(name: String, isRequired: Bool, schema: Schema)])
    -> Schema
  {
    Schema(
      [
        .init("type", "object"), .init("required", members.filter(\.isRequired).map(\.name)),
        .init("properties", .object(members.map { .init($0.name, $0.schema.json) })),
      ], members.flatMap { $0.schema.definitions })
  }

  /// The answer of a command: its required members may be missing where it failed.
  ///
  /// - Parameters:
  ///   - alternatives: sets of members of which one is there, beside the required ones.
  ///   - failure: the name of an error beside which they are there, too.
  package static func answer(
    _ members: [(name: String, isRequired: Bool, schema: Schema)],
    _ alternatives: [[String]] = [], besides failure: String? = nil
  ) -> Schema {
    func only(_ name: String, _ schema: JSON) -> JSON {
      .object([.init("properties", .object([.init(name, schema)]))])
    }
    // A null has no name, so a good answer meets this condition, too.
    let condition =
      failure.map { only("error", only("name", .object([.init("const", $0)]))) }
      ?? only("ok", always)
    let required = JSON.Member("required", members.filter(\.isRequired).map(\.name))
    let sets = JSON.array(alternatives.map { .object([.init("required", $0)]) })
    return Schema(
      [
        .init("if", condition),
        .init("then", .object([alternatives.isEmpty ? required : .init("anyOf", sets)])),
        .init("properties", .object(members.map { .init($0.name, $0.schema.json) })),
      ], members.flatMap { $0.schema.definitions })
  }

  private static let always = JSON.object([.init("const", true)])

  package static func named(
    _ name: String, _ schema: @escaping @Sendable () -> Schema
  ) -> Schema {
    Schema(
      [.init("$ref", "#/$defs/\(name)")], [Definition(name: name, schema: schema)])
  }

  /// The same value, or null.
  package var orNull: Schema {
    var schema = self
    for (place, keyword) in keywords.enumerated() {
      switch (keyword.name, keyword.value) {
      case ("anyOf", .array(let schemas)):
        schema.keywords[place] = .init(
          "anyOf", .array(schemas + [Schema([.init("type", "null")]).json]))
        return schema
      case ("type", .string(let type)) where !["array", "object"].contains(type):
        schema.keywords[place] = .init("type", [type, "null"])
        return schema
      case ("enum", .array(let words)):
        schema.keywords[place] = .init("enum", .array(words + [.null]))
        return schema
      default: break
      }
    }
    schema.keywords = [.init("anyOf", .array([json, Schema([.init("type", "null")]).json]))]
    return schema
  }

  /// This value, or one of another schema.
  package func or(_ other: Schema) -> Schema {
    Schema([.init("anyOf", .array([json, other.json]))], definitions + other.definitions)
  }

  /// The same schema with a further keyword.
  package func with(_ name: String, _ value: JSON) -> Schema {
    var schema = self
    schema.keywords.append(.init(name, value))
    return schema
  }

  /// The same schema with a note for readers; an own note gives way.
  package func noted(_ note: String?) -> Schema {
    guard let note else { return self }
    var schema = self
    schema.keywords.removeAll { $0.name == "description" }
    return schema.with("description", .string(note))
  }
}
