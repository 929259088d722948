import CardWork
import Messages
import Primitives
import SignIn

/// `token`: a token of the account, for another program. A secret, and on standard output on request.
struct Token: FunctionWithoutCard {
  static let name = "token"

  let isIdentity: Bool
  let isRefreshed: Bool
  let timeout: ServerTimeout

  func run(in context: RunContext) throws(Failure) -> Result {
    let limit = try timeout.limit()
    var account = try AccountSession.unlocked()
    guard let tokens = account.tokens else { throw .above(SignInError(.notOffered)) }
    let isOver = tokens.expires.map { $0 <= context.time } ?? false
    if isRefreshed || (isOver && !isIdentity) {
      account = try AwaitedWork.signingIn(context, cancel: {}) { () async throws(SignInError) in
        try await AccountSession.keeper(limit).refresh()
      }
    }
    let current = account.tokens
    guard let token = isIdentity ? current?.identity : current?.access else {
      throw .above(SignInError(.notOffered))
    }
    return Result(
      kind: isIdentity ? .identity : .access, token: token,
      expires: isIdentity ? nil : current?.expires)
  }
}

extension Token {
  init(from inputs: inout Inputs) throws(Failure) {
    isIdentity = try inputs.flag("identity", help: "option.token.identity")
    isRefreshed = try inputs.flag("refresh", help: "option.token.refresh")
    timeout = try inputs.part()
  }

  struct Result: FunctionResult {
    enum Kind: String, CaseIterable, DescribedWord {
      case access
      case identity
    }

    let kind: Kind
    let token: String
    let expires: UTCTime?

    static let members: [Member<Result>] = [
      Member("kind", \.kind),
      Member("token", \.token, note: "A secret: whoever has it is the person."),
      Member("expires", \.expires),
    ]

    func lines(_ language: Language) -> [String] { [token] }
  }
}
