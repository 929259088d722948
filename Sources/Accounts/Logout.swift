package import CardWork
package import Messages
import Primitives
import SignIn

/// `logout`: signs out, here and at the provider.
package struct Logout: FunctionWithoutCard {
  package static let name = "logout"

  let timeout: ServerTimeout

  package func run(in context: RunContext) throws(Failure) -> Result {
    let limit = try timeout.limit()
    let isTold = try AwaitedWork.signingIn(context, cancel: {}) { () async throws(SignInError) in
      try await AccountSession.keeper(limit).signOut()
    }
    return Result(isTold: isTold)
  }
}

extension Logout {
  package init(from inputs: inout Inputs) throws(Failure) { timeout = try inputs.part() }

  package struct Result: FunctionResult {
    let isTold: Bool

    package static let members: [Member<Result>] = [
      Member("state") { _ in SignInStanding.signedOut },
      Member(
        "providerTold", \.isTold,
        note: "Whether the provider has heard of it; otherwise it is told when the network is back."
      ),
    ]

    package func lines(_ language: Language) -> [String] {
      [Message(isTold ? "signed-out" : "signed-out-here")(language)]
    }
  }
}

/// `reset`: deletes all data of the account, and the requests that wait for the network.
package struct Reset: FunctionWithoutCard {
  package static let name = "reset"

  package func run(in context: RunContext) throws(Failure) -> Result {
    try mapError(try AccountSession.keeper().reset()) { Failure.above($0 as SignInError) }
    return Result()
  }
}

extension Reset {
  package init(from inputs: inout Inputs) throws(Failure) { self.init() }

  package struct Result: FunctionResult {
    package static let members: [Member<Result>] = [
      Member("state") { _ in SignInStanding.signedOut }
    ]

    package func lines(_ language: Language) -> [String] { [Message("reset.done")(language)] }
  }
}
