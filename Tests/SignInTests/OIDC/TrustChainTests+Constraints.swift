import Primitives
import Testing

@testable import SignIn

/// Constraints of superiors on the entities below them (OpenID Federation §6.2).
extension TrustChainTests {
  /// Constraints of OpenID Federation §6.2, in the anchor's statement about the superior.
  private func constrained(_ constraints: JSON, byItself: Bool = false) throws -> [String: String] {
    let member = JSON.Member("constraints", constraints)
    return byItself
      ? [
        address("anchor") + ".well-known/openid-federation": try statement(
          by: "anchor", about: "anchor", [endpoint("anchor"), member])
      ] : [address("anchor") + "fetch": try statement(by: "anchor", about: "middle", [member])]
  }

  func texts(_ texts: String...) -> JSON { .array(texts.map(JSON.string)) }

  private func naming(_ permitted: JSON?, _ excluded: JSON? = nil) -> JSON {
    .object([
      .init(
        "naming_constraints",
        .object(
          [permitted.map { .init("permitted", $0) }, excluded.map { .init("excluded", $0) }]
            .compactMap { $0 }))
    ])
  }

  @Test func `names below a superior are those that it permits and does not exclude`() async throws
  {
    for constraints in [
      naming(texts(".example")), naming(texts("op.example", "MIDDLE.example")),
      naming(nil, texts()),
      naming(texts(".example"), texts(".op.example", "example", "anchor.example")),
    ] {
      _ = try await open(try constrained(constraints))
      _ = try await open(try constrained(constraints, byItself: true))
    }
    for constraints in [
      naming(texts("op.example")), naming(texts("middle.example")), naming(texts()),
      naming(texts(".op.example", "middle.example")), naming(texts("example")),
      naming(texts(".example"), texts("op.example")), naming(nil, texts(".example")),
    ] {
      for byItself in [true, false] {
        #expect(
          try await problem(constrained(constraints, byItself: byItself))
            == .openID(.federation(.nameForbidden)))
      }
    }
  }

  @Test func `a subject of another type than a superior allows is no provider`() async throws {
    for name in ["allowed_entity_types", "allowed_leaf_entity_types"] {
      _ = try await open(
        try constrained(.object([.init(name, texts("openid_relying_party", "openid_provider"))])))
      for types in [texts(), texts("openid_relying_party")] {
        #expect(
          try await problem(constrained(.object([.init(name, types)])))
            == .openID(.federation(.noProvider)))
      }
    }
  }

  @Test func `constraints that cannot be read hold nothing, unknown ones are passed over`()
    async throws
  {
    _ = try await open(try constrained(.object([.init("later", 1)])))
    for constraints in [
      JSON.null, texts(), .object([.init("max_path_length", -1)]),
      .object([.init("max_path_length", .null)]), .object([.init("naming_constraints", texts())]),
      .object([.init("naming_constraints", .null)]), naming(.string("middle.example")),
      .object([.init("allowed_entity_types", "openid_provider")]),
      .object([.init("allowed_entity_types", .null)]),
      .object([.init("allowed_leaf_entity_types", .array([.int(1)]))]),
    ] {
      #expect(
        try await problem(constrained(constraints))
          == .openID(.federation(.memberWrong("constraints"))), "\(constraints)")
    }
  }
}
