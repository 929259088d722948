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
