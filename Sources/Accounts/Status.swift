import CardWork
import Messages
import Primitives
import SignIn

/// `status`: the signed-in account, without a request to a server.
struct Status: FunctionWithoutCard {
  static let name = "status"

  func run(in context: RunContext) throws(Failure) -> Result {
    do throws(Failure) {
      return Result(account: try AccountSession.current(), time: context.time, failure: nil)
    } catch {
      guard error.signIn?.cause == .notSignedIn else { throw error }
      return Result(account: nil, time: context.time, failure: error)
    }
  }
}

extension Status {
  init(from inputs: inout Inputs) throws(Failure) { self.init() }

  struct Result: FunctionResult {
    let account: Account?
    /// The present, by which a token is over or not.
    let time: UTCTime
    let failure: Failure?

    static let members: [Member<Result>] =
      [Member("state") { $0.account == nil ? SignInStanding.signedOut : .signedIn }]
      + Member.all { $0.account.map(AccountFacts.init) }

    func lines(_ language: Language) -> [String] {
      guard let account else { return [] }
      let way = Message("method.\(account.method)")
      let end = account.expires.map {
        $0 > time ? Message("token-until", ["time": LocalMoment($0)]) : Message("token-over")
      }
      return [
        Message("signed-in", ["service": account.service, "method": way])(language),
        Message("signed-in-since", ["time": LocalMoment(account.begun)])(language),
      ] + (end.map { [$0(language)] } ?? [])
    }
  }
}
