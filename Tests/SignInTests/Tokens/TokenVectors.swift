import Primitives
import TestSupport
import Testing

@testable import SignIn

/// File `tokens.json`: valid and invalid tokens made by Authlib.
struct TokenVectors: Decodable {
  struct Signed: Decodable, Sendable {
    let alg: String
    let kid: String
    let token: String
  }
  struct Judged: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    /// Name of the expected error.
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

  /// Time of verification.
  var now: UTCTime { UTCTime(seconds: made + 10) }

  static let expectations = TokenExpectations(
    issuer: "https://provider.example/", audience: "client",
    nonce: String(repeating: "n", count: 32))

  func verifier() throws -> TokenVerifier {
    TokenVerifier(keys: try KeySet(json: [UInt8](keys.utf8)))
  }
}

extension TokenProblem {
  /// Name of the case, without associated values.
  var name: String { String("\(self)".prefix { $0 != "(" }) }
}

/// Name of the error of a call; "none" without an error.
func problem(_ call: () throws -> Void) -> String {
  switch cause(call) {
  case nil: "none"
  case .token(let problem): problem.name
  case let other?: "\(other)"
  }
}
