package import Primitives

/// The descriptions of functions for other programs: JSON Schema of their answers, OpenAPI of their paths.
package enum Descriptions {
  /// All of them in one object: the definitions of the schema, and the paths of the service.
  package static func json(of functions: [any Function.Type]) -> JSON {
    .object([
      .init(
        "definitions", .object(definitions(functions.map { ($0.definition, $0.answerSchema) }))),
      .init(
        "paths",
        .object(
          functions.compactMap { function in
            function.path.map { .init("/v1/\(function.definition)", $0) }
          })),
    ])
  }

  /// The schemas with all those that they name, each once.
  private static func definitions(_ own: [(name: String, schema: Schema)]) -> [JSON.Member] {
    var found: [JSON.Member] = []
    var left = own
    while let (name, schema) = left.first {
      left.removeFirst()
      guard !found.contains(where: { $0.name == name }) else { continue }
      found.append(.init(name, schema.json))
      left += schema.definitions.map { ($0.name, $0.schema()) }
    }
    return found
  }
}

extension Function {
  /// The members that its requests may have.
  package static var requestMembers: [RequestMember] { Inputs.declared(by: Self.self).members }

  /// The schema of its answer.
  package static var answerSchema: Schema {
    let notices = Inputs.declared(by: Self.self).notices.map { ($0.name, false, $0.schema) }
    return .answer(Result.members.map(\.description) + notices, Result.alternatives)
  }

  /// Its path in OpenAPI 3.0; `nil` without one.
  package static var path: JSON? {
    guard let served else { return nil }
    let members = requestMembers
    let required = members.filter(\.isRequired).map(\.name)
    let body = JSON.object(
      [.init("type", "object")]
        + (required.isEmpty ? [] : [.init("required", required)])
        + [
          .init("properties", .object(members.map { .init($0.name, $0.schema.json) })),
          .init("additionalProperties", false),
        ])
    return .object([
      .init(
        "post",
        .object([
          .init("operationId", operation), .init("summary", served.summary),
          .init(
            "requestBody",
            .object([
              .init("required", !required.isEmpty),
              .init("content", .object([.init("application/json", .schema(body))])),
            ])),
          .init("responses", .object([answer(served)] + refusals(served))),
        ]))
    ])
  }

  private static var operation: String {
    let words = name.split(separator: " ")
    return words.dropFirst().reduce(String(words.first ?? "")) { name, word in
      name + word.prefix(1).uppercased() + word.dropFirst()
    }
  }

  private static func answer(_ served: Served) -> JSON.Member {
    func only(_ type: String, _ value: JSON) -> JSON {
      .object([.init("type", type), .init("enum", .array([value]))])
    }
    let object = JSON.object([
      .init("type", "object"),
      .init(
        "properties",
        .object([
          .init("ok", only("boolean", .bool(true))),
          .init("command", only("string", .string(name))),
        ])),
    ])
    let schema = JSON.object([
      .init("allOf", .array([.reference("schemas/Answer"), object]))
    ])
    return .init(
      "200",
      .object([
        .init("description", served.answer),
        .init("content", .object([.init("application/json", .schema(schema))])),
      ]))
  }

  /// The other answers, each with a description that all functions share.
  private static func refusals(_ served: Served) -> [JSON.Member] {
    let all = [
      ("400", "BadRequest"), ("401", "Unauthorized"), ("403", "Forbidden"),
      ("405", "WrongMethod"), ("409", "Busy"), ("413", "TooLarge"), ("415", "WrongMediaType"),
      ("421", "Misdirected"), ("422", "CardSaysNo"), ("500", "Failed"),
      ("502", "NetworkSaysNo"), ("503", "NoReader"),
    ]
    return all.filter { $0.0 != "502" || served.asksNetwork }
      .map { .init($0.0, .reference("responses/\($0.1)")) }
  }
}

extension JSON {
  fileprivate static func schema(_ schema: JSON) -> JSON { .object([.init("schema", schema)]) }

  fileprivate static func reference(_ name: String) -> JSON {
    .object([.init("$ref", "#/components/" + name)])
  }
}
