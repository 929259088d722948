package import CardWork

/// The functions around the account, by their places on the command line.
package enum AccountFunctions {
  package static var status: any FunctionWithoutCard.Type { Status.self }
  package static var claims: any FunctionWithoutCard.Type { Claims.self }
  package static var token: any FunctionWithoutCard.Type { Token.self }
  /// Those of the command `lock`.
  package static var lock: [any FunctionWithoutCard.Type] {
    [LockSet.self, LockEnter.self, LockChange.self, LockForget.self, LockStatus.self]
  }
  package static var logout: any FunctionWithoutCard.Type { Logout.self }
  package static var reset: any FunctionWithoutCard.Type { Reset.self }

  package static var all: [any FunctionWithoutCard.Type] {
    [status, claims, token] + lock + [logout, reset]
  }
}

/// The time that a server has to answer.
struct ServerTimeout: Readable {
  private let seconds: Int

  init(from inputs: inout Inputs) throws(Failure) {
    seconds = try inputs.option(
      "timeout", default: 30, help: "option.timeout", value: "seconds")
  }

  func limit() throws(Failure) -> Duration {
    guard (1...600).contains(seconds) else { throw .usage("bad-timeout") }
    return .seconds(seconds)
  }
}
