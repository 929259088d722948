import Arguments
import CardWork
import Messages
import Primitives
import SignIn

/// `claims`: the provider's data about the person.
struct Claims: FunctionWithoutCard {
  static let name = "claims"

  let claim: String?
  let out: String?

  func run(in context: RunContext) throws(Failure) -> Result {
    guard out == nil || claim != nil else { throw .optionNeeded("NAME") }
    let claims = try AccountSession.unlocked().claims
    guard let claim else { return .all(ClaimFacts(claims: claims)) }
    let field = AccountField(rawValue: claim).flatMap { claims[$0] }
    let values = field.map { [$0] } ?? claims[claim]
    guard !values.isEmpty else { throw .usage("no-such-claim") }
    guard let out else { return .values(values, of: claim) }
    // A picture is base64 text, with or without the prefix that a browser needs.
    let text = values.first.map { $0.split(separator: ",").last.map(String.init) ?? $0 } ?? ""
    guard let bytes = Base64.decode([UInt8](text.utf8)) else { throw .usage("claim-not-binary") }
    try OutputFile(out, mode: 0o600, overwriting: context.mayOverwrite).commit(bytes)
    return .written(out, of: claim)
  }
}

extension Claims {
  init(from inputs: inout Inputs) throws(Failure) {
    claim = try inputs.optionalArgument("name", help: "option.claims.name", value: "name")
    out = try inputs.text(
      "out", help: "option.claims.out", value: "file", completion: .file())
    _ = try inputs.part(Overwriting.self)
  }

  enum Result: FunctionResult {
    case all(ClaimFacts)
    case values([String], of: String)
    case written(String, of: String)

    static let members: [Member<Result>] =
      Member.all(of: \.facts) + [
        .whenPresent("name", \.claim, note: "With a NAME: that claim or field."),
        .whenPresent("values") { $0.values.map(Names.init) },
        .whenPresent("out", \.path, note: "With --out: the file."),
      ]
    static let alternatives = [
      ["fields", "claimValues"], ["name", "values"], ["name", "out"],
    ]

    private var facts: ClaimFacts? { if case .all(let facts) = self { facts } else { nil } }
    private var values: [String]? {
      if case .values(let values, _) = self { values } else { nil }
    }
    private var path: String? { if case .written(let path, _) = self { path } else { nil } }

    private var claim: String? {
      switch self {
      case .all: nil
      case .values(_, let claim), .written(_, let claim): claim
      }
    }

    func lines(_ language: Language) -> [String] {
      switch self {
      case .all(let facts): facts.lines(language)
      case .values(let values, _): values
      case .written: []
      }
    }
  }
}
