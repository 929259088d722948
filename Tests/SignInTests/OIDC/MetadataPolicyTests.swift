import Primitives
import Testing

@testable import SignIn

/// Operators of a policy (OpenID Federation §6.1.3.1) and their merging (§6.1.3.2).
@Suite struct MetadataPolicyTests {
  /// Members that remain under policies, the anchor's first; else the error.
  private func outcome(_ policies: [String], _ members: String) throws -> String {
    do throws(SignInError) {
      var policy = MetadataPolicy()
      for text in policies {
        let json = #"{"metadata_policy":{"openid_provider":\#(text)}}"#
        guard let claims = try? TokenClaims([UInt8](json.utf8)) else { return "no JSON: \(json)" }
        try policy.narrow(by: claims, for: "openid_provider")
      }
      guard case .object(let list)? = try? JSONValue([UInt8](members.utf8)) else {
        return "no JSON"
      }
      var values = Dictionary(list.map { ($0.name, $0.value) }) { first, _ in first }
      try policy.apply(to: &values)
      return values.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.text($0.value))" }
        .joined(separator: " ")
    } catch {
      return error.federationProblem.map { "\($0)" } ?? "\(error)"
    }
  }

  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .string(let text), .number(let text): text
    case .flag(let flag): "\(flag)"
    case .null: "null"
    case .array(let values): "[" + values.map(text).joined(separator: ",") + "]"
    case .object(let members): "{" + members.map { $0.name + ":" + text($0.value) }.joined() + "}"
    }
  }

  @Test(arguments: [
    // value: replaces every value; null removes it.
    (#"{"a":{"value":"x"}}"#, "{}", "a=x"), (#"{"a":{"value":"x"}}"#, #"{"a":"y"}"#, "a=x"),
    (#"{"a":{"value":null}}"#, #"{"a":"y","b":1}"#, "b=1"),
    (#"{"a":{"value":null}}"#, #"{"b":1}"#, "b=1"),
    // add: adds missing values, once.
    (#"{"a":{"add":["x"]}}"#, "{}", "a=[x]"),
    (#"{"a":{"add":["x","y"]}}"#, #"{"a":["y"]}"#, "a=[y,x]"),
    // default: only without a value.
    (#"{"a":{"default":true}}"#, "{}", "a=true"),
    (#"{"a":{"default":true}}"#, #"{"a":false}"#, "a=false"),
    (#"{"a":{"default":1}}"#, #"{"a":null}"#, "a=1"),
    // one_of
    (#"{"a":{"one_of":["x","y"]}}"#, #"{"a":"y"}"#, "a=y"), (#"{"a":{"one_of":["x"]}}"#, "{}", ""),
    (#"{"a":{"one_of":["x"]}}"#, #"{"a":"y"}"#, #"policyForbids("a")"#),
    (#"{"a":{"one_of":[1]}}"#, #"{"a":"1"}"#, #"policyForbids("a")"#),
    (#"{"a":{"one_of":[{"x":1,"y":2}]}}"#, #"{"a":{"y":2,"x":1}}"#, "a={y:2x:1}"),
    // subset_of: the intersection, which may be empty.
    (#"{"a":{"subset_of":["x","y"]}}"#, #"{"a":["z","y"]}"#, "a=[y]"),
    (#"{"a":{"subset_of":["x"]}}"#, #"{"a":["z"]}"#, "a=[]"),
    (#"{"a":{"subset_of":["x"],"essential":true}}"#, #"{"a":["z"]}"#, "a=[]"),
    (#"{"a":{"subset_of":[]}}"#, #"{"a":["z"]}"#, "a=[]"),
    (#"{"a":{"subset_of":["x"]}}"#, #"{"a":"x"}"#, #"policyForbids("a")"#),
    (#"{"a":{"add":["x"]}}"#, #"{"a":"x"}"#, #"policyForbids("a")"#),
    (#"{"a":{"superset_of":["x"]}}"#, #"{"a":"x"}"#, #"policyForbids("a")"#),
    (#"{"a":{"subset_of":["x"]}}"#, "{}", ""),
    // superset_of
    (#"{"a":{"superset_of":["x"]}}"#, #"{"a":["y","x"]}"#, "a=[y,x]"),
    (#"{"a":{"superset_of":["x"]}}"#, #"{"a":["y"]}"#, #"policyForbids("a")"#),
    // essential
    (#"{"a":{"essential":true}}"#, "{}", #"policyForbids("a")"#),
    (#"{"a":{"essential":false}}"#, "{}", ""),
    (#"{"a":{"essential":true,"default":"x"}}"#, "{}", "a=x"),
    // Combined, in order.
    (#"{"a":{"subset_of":["x","y"],"add":["y"],"essential":true}}"#, #"{"a":["z"]}"#, "a=[y]"),
    (#"{"a":{"value":"x","one_of":["x"]}}"#, "{}", "a=x"),
    (#"{"a":{"value":["x","y"],"add":["y"]}}"#, #"{"a":["z"]}"#, "a=[x,y]"),
    (#"{"a":{"subset_of":["x","y"],"superset_of":["x"]}}"#, #"{"a":["x","z"]}"#, "a=[x]"),
    (#"{"a":{"default":["z"],"subset_of":["x"]}}"#, "{}", "a=[]"),
    // A scope is a list in one string.
    (
      #"{"scope":{"subset_of":["openid","email"]}}"#, #"{"scope":"openid phone email"}"#,
      "scope=openid email"
    ),
    (#"{"scope":{"superset_of":["openid"]}}"#, #"{"scope":"phone"}"#, #"policyForbids("scope")"#),
    // Unknown operators are ignored; invalid operands are errors.
    (#"{"a":{"regexp":"^x"}}"#, #"{"a":"y"}"#, "a=y"),
    (#"{"a":{"one_of":"x"}}"#, "{}", #"policyUnusable("a")"#),
    (#"{"a":{"subset_of":1}}"#, "{}", #"policyUnusable("a")"#),
    (#"{"a":{"essential":"yes"}}"#, "{}", #"policyUnusable("a")"#),
    (#"{"a":{"one_of":[true]}}"#, "{}", #"policyUnusable("a")"#),
    (#"{"a":{"subset_of":[null]}}"#, "{}", #"policyUnusable("a")"#),
    (#"{"a":{"default":null}}"#, "{}", #"policyUnusable("a")"#),
    (#"{"a":["x"]}"#, "{}", #"policyUnusable("a")"#),
    (#"{"a":null}"#, "{}", #"policyUnusable("a")"#),
    ("null", "{}", #"policyUnusable("metadata_policy")"#),
    (#"["a"]"#, "{}", #"policyUnusable("metadata_policy")"#),
  ])
  func `an operator does what it says`(policy: String, members: String, outcome: String) throws {
    #expect(try self.outcome([policy], members) == outcome)
  }

  /// §6.1.3.1.1 to 7: allowed combinations, in one policy and in two merged ones.
  @Test(arguments: [
    (#""value":["x"]"#, #""add":["y"]"#), (#""value":"x""#, #""add":["x"]"#),
    (#""value":null"#, #""add":["x"]"#), (#""value":null"#, #""default":"x""#),
    (#""value":null"#, #""essential":true"#), (#""value":"x""#, #""one_of":["y"]"#),
    (#""value":["x"]"#, #""subset_of":["y"]"#), (#""value":["x"]"#, #""superset_of":["x","y"]"#),
    (#""one_of":["x"]"#, #""subset_of":["x"]"#), (#""one_of":["x"]"#, #""superset_of":["x"]"#),
    (#""one_of":["x"]"#, #""add":["x"]"#), (#""add":["x"]"#, #""subset_of":["y"]"#),
    (#""subset_of":["x"]"#, #""superset_of":["x","y"]"#),
  ])
  func `operators that do not go together spoil the policy`(one: String, other: String) throws {
    for policies in [
      [#"{"a":{\#(one),\#(other)}}"#], [#"{"a":{\#(one)}}"#, #"{"a":{\#(other)}}"#],
      [#"{"a":{\#(other)}}"#, #"{"a":{\#(one)}}"#],
    ] {
      #expect(try outcome(policies, #"{"a":["x"]}"#) == #"policyUnusable("a")"#)
    }
  }

  @Test func `critical operators must be known, wherever they are`() throws {
    for (list, isKnown) in [
      ("[]", true), (#"["subset_of"]"#, true), (#"["regexp"]"#, false), (#""regexp""#, false),
      ("[1]", false), ("null", false), (#"["subset_of","regexp"]"#, false),
    ] {
      let claims = try TokenClaims([UInt8](#"{"metadata_policy_crit":\#(list)}"#.utf8))
      let problem = FederationProblem.policyUnusable("metadata_policy_crit")
      if isKnown {
        try MetadataPolicy.checkCritical(claims)
      } else {
        expectUnproved(problem) { try MetadataPolicy.checkCritical(claims) }
      }
    }
  }

  @Test(arguments: [
    (#"{"value":"x"}"#, #"{"value":"x"}"#, "{}", "a=x"),
    (#"{"value":"x"}"#, #"{"value":"y"}"#, "{}", #"policyUnusable("a")"#),
    (#"{"value":["x"]}"#, #"{"value":["x","y"]}"#, "{}", #"policyUnusable("a")"#),
    (#"{"default":"x"}"#, #"{"default":"y"}"#, "{}", #"policyUnusable("a")"#),
    (#"{"add":["x"]}"#, #"{"add":["y"]}"#, "{}", "a=[x,y]"),
    (#"{"one_of":["x","y"]}"#, #"{"one_of":["y","z"]}"#, #"{"a":"z"}"#, #"policyForbids("a")"#),
    (#"{"one_of":["x"]}"#, #"{"one_of":["y"]}"#, "{}", #"policyUnusable("a")"#),
    (#"{"subset_of":["x","y"]}"#, #"{"subset_of":["y","z"]}"#, #"{"a":["x","y","z"]}"#, "a=[y]"),
    (#"{"superset_of":["x"]}"#, #"{"superset_of":["y"]}"#, #"{"a":["x"]}"#, #"policyForbids("a")"#),
    (#"{"superset_of":["x"]}"#, #"{"superset_of":["y"]}"#, #"{"a":["y"]}"#, #"policyForbids("a")"#),
    (#"{"essential":true}"#, #"{"essential":false}"#, "{}", #"policyForbids("a")"#),
    (#"{"essential":false}"#, #"{"essential":true}"#, "{}", #"policyForbids("a")"#),
  ])
  func `a superior further down can only narrow`(
    above: String, below: String, members: String, outcome: String
  ) throws {
    #expect(try self.outcome([#"{"a":\#(above)}"#, #"{"a":\#(below)}"#], members) == outcome)
  }
}
