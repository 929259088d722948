internal import Primitives
internal import Synchronization

/// The requests of one service to the addresses in certificates, within its budget. An address is asked once.
final class AuthorityRequests: Sendable {
  private struct State {
    var answers: [AuthorityAnswer] = []
    /// The bodies of the addresses asked by GET; nil without an answer.
    var bodies: [String: [UInt8]?] = [:]
    /// The addresses that were left out.
    var unasked: Set<String> = []
    var length = 0
    var start: ContinuousClock.Instant?
  }

  private let budget: RevocationService.Budget
  private let exchange: RevocationService.Exchange
  private let state = Mutex(State())

  init(_ budget: RevocationService.Budget, _ exchange: @escaping RevocationService.Exchange) {
    (self.budget, self.exchange) = (budget, exchange)
  }

  var answers: [AuthorityAnswer] { state.withLock { $0.answers } }
  var unasked: Int { state.withLock { $0.unasked.count } }

  /// The body of the answer to a request; nil without one, and when the budget is spent.
  func body(of request: RevocationService.Request) -> [UInt8]? {
    let address = request.address
    let known = state.withLock { state -> [UInt8]?? in
      if case .get = request, let body = state.bodies[address] { return .some(body) }
      let start = state.start ?? .now
      state.start = start
      let isSpent =
        state.answers.count >= budget.requests || ContinuousClock.now - start >= budget.time
        || state.length >= budget.length
      guard isSpent else { return nil }
      state.unasked.insert(address)
      return .some(nil)
    }
    if let known { return known }
    let result = Result { () throws(AuthorityFault) in try exchange(request) }
    let body = try? result.get()
    state.withLock { state in
      if case .get = request { state.bodies[address] = .some(body) }
      state.length += body?.count ?? 0
      let outcome: AuthorityAnswer.Outcome
      switch result {
      case .success: outcome = .unfit
      case .failure(let fault): outcome = .failed(fault.diagnosis)
      }
      state.answers.append(AuthorityAnswer(address: address, outcome: outcome))
    }
    return body
  }

  /// States the end of the last exchange with an address; a use stays a use.
  func note(_ outcome: AuthorityAnswer.Outcome, at address: String) {
    state.withLock { state in
      guard let index = state.answers.lastIndex(where: { $0.address == address }) else { return }
      if case .taken = state.answers[index].outcome { return }
      state.answers[index].outcome = outcome
    }
  }
}
