import CardWork
import Messages
import Primitives
import SignIn

/// `logout`: signs out, here and at the provider.
struct Logout: FunctionWithoutCard {
  static let name = "logout"

  let timeout: ServerTimeout

  func run(in context: RunContext) throws(Failure) -> Result {
    let limit = try timeout.limit()
    let isTold = try AwaitedWork.signingIn(context, cancel: {}) { () async throws(SignInError) in
      try await AccountSession.keeper(limit).signOut()
    }
    return Result(isTold: isTold)
  }
}

extension Logout {
  init(from inputs: inout Inputs) throws(Failure) { timeout = try inputs.part() }

  struct Result: FunctionResult {
    let isTold: Bool

    static let members: [Member<Result>] = [
      Member("state") { _ in SignInStanding.signedOut },
      Member(
        "providerTold", \.isTold,
        note: "Whether the provider has heard of it; otherwise it is told when the network is back."
      ),
    ]

    func lines(_ language: Language) -> [String] {
      [Message(isTold ? "signed-out" : "signed-out-here")(language)]
    }
  }
}

/// `reset`: deletes all data of the account, and the requests that wait for the network.
struct Reset: FunctionWithoutCard {
  static let name = "reset"

  func run(in context: RunContext) throws(Failure) -> Result {
    try mapError(try AccountSession.keeper().reset()) { Failure.above($0 as SignInError) }
    return Result()
  }
}

extension Reset {
  init(from inputs: inout Inputs) throws(Failure) { self.init() }

  struct Result: FunctionResult {
    static let members: [Member<Result>] = [
      Member("state") { _ in SignInStanding.signedOut }
    ]

    func lines(_ language: Language) -> [String] { [Message("reset.done")(language)] }
  }
}
