import CIECard
import TestSupport
import Testing

@testable import SignIn

/// The file `tokens.json`: what Authlib made, good and bad.
struct TokenVectors: Decodable {
  struct Signed: Decodable, Sendable {
    let alg: String
    let kid: String
    let token: String
  }
  struct Judged: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    /// The name of the case that must come of it.
    let problem: String?
    let token: String
    var testDescription: String { name }
  }

  let made: Int64
  let keys: String
  let weak: String
  let client: String
  let clientEc: String
  let signed: [Signed]
  let broken: [Judged]
  let encrypted: [Judged]

  static let all = Result { try Vectors.decode("tokens", as: TokenVectors.self) }

  /// When the tokens are looked at.
  var now: UTCTime { UTCTime(seconds: made + 10) }

  static let expectations = TokenExpectations(
    issuer: "https://provider.example/", audience: "client",
    nonce: String(repeating: "n", count: 32))

  func verifier() throws -> TokenVerifier {
    TokenVerifier(keys: try KeySet(json: [UInt8](keys.utf8)))
  }
}

extension TokenProblem {
  /// The case without what it carries.
  var name: String { String("\(self)".prefix { $0 != "(" }) }
}

/// What comes of a call, by the name of the problem; "none" when there is none.
func problem(_ call: () throws -> Void) -> String {
  do {
    try call()
    return "none"
  } catch let problem as TokenProblem {
    return problem.name
  } catch {
    return "\(error)"
  }
}
