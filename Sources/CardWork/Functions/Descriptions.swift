package import Primitives

/// The descriptions of functions for other programs: JSON Schema of their answers, OpenAPI of their paths.
package enum Descriptions {
  /// All of them in one object: the definitions of the schema, and the paths of the service.
  ///
  /// - Parameters:
  ///   - served: those that the service has, too, or alone.
  ///   - others: the answers of commands that are no functions yet, by their names in the schema.
  package static func json(
    of functions: [any Function.Type], served: [any Function.Type],
    others: [(name: String, schema: Schema)]
  ) -> JSON {
    .object([
      .init(
        "definitions",
        .object(definitions(functions.map { ($0.definition, $0.answerSchema) } + others))),
      .init(
        "paths",
        .object(
          served.compactMap { function in
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
    .answer(ofOneOf: [Result.self], adding: Inputs.declared(by: Self.self).notices)
  }

  /// Its path in OpenAPI 3.0; `nil` without one.
  package static var path: JSON? {
    guard let served else { return nil }
    let members = requestMembers
    let required = members.map(\.name).filter { name in
      served.requires.contains(name) || members.contains { $0.name == name && $0.isRequired }
    }
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
    let words = definition.split(separator: "-")
    return words.dropFirst().reduce(String(words.first ?? "")) { name, word in
      name + word.prefix(1).uppercased() + word.dropFirst()
    }
  }

  private static func answer(_ served: Served) -> JSON.Member {
    func only(_ type: String, _ values: [JSON]) -> JSON {
      .object([.init("type", type), .init("enum", .array(values))])
    }
    let commands = served.commands.isEmpty ? [name] : served.commands
    let object = JSON.object([
      .init("type", "object"),
      .init(
        "properties",
        .object([
          .init("ok", only("boolean", [.bool(true)])),
          .init("command", only("string", commands.map(JSON.string))),
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

extension Schema {
  /// The answer of a command that ends with one of these results.
  ///
  /// - Parameter notices: the members that its work adds.
  package static func answer(
    ofOneOf results: [any FunctionResult.Type], adding notices: [Notice] = []
  ) -> Schema {
    let members = results.flatMap { $0.descriptions }
    let own = notices.map { (name: $0.name, isRequired: false, schema: $0.schema) }
    // One result without a choice says by itself which members it requires.
    let sets = results.flatMap { result in
      result.alternatives.isEmpty && results.count > 1
        ? [result.descriptions.filter(\.isRequired).map(\.name)] : result.alternatives
    }
    let failure = sets.isEmpty ? results.first?.completeFailure : nil
    return answer(members + own, sets, besides: failure)
  }
}

extension FunctionResult {
  fileprivate static var descriptions: [(name: String, isRequired: Bool, schema: Schema)] {
    members.map(\.description)
  }
}
