public import Primitives

/// The exchanges with authorities about one file: those that are over, and the one that is wanted.
///
/// Work that needs answers is done in passes. A pass takes the answers in the order in which the one before it took them, and
/// ends at the first question without one; then the caller gets the answer, and the next pass comes further. So the library
/// opens no connection, and no error of the caller goes through it.
public struct AuthorityExchanges: Sendable {
  /// The request whose answer is wanted next; nil if there is none.
  public var wanted: AuthorityRequest? { question?.request }

  /// The answers of the addresses in certificates so far, in the order of the requests.
  public var answers: [AuthorityAnswer] { state.answers }

  /// Number of addresses that were not asked because the budget was spent.
  public var unasked: Int { state.unasked.count }

  /// A question to an authority, with the random part of its request.
  enum Question: Sendable {
    case timeStamp(TimeStampRequest)
    case status(AuthorityRequest)

    fileprivate var request: AuthorityRequest {
      switch self {
      case .timeStamp(let request): .timeStamp(request.encoded)
      case .status(let request): request
      }
    }
  }

  /// An exchange that is over, with the body of the answer or the reason why there is none.
  struct Exchange: Sendable {
    let question: Question
    fileprivate(set) var body: [UInt8]?
    fileprivate(set) var failure: Diagnosis?
  }

  /// The state of a pass.
  private struct State {
    var answers: [AuthorityAnswer] = []
    /// The bodies of the addresses asked by GET; nil without an answer.
    var bodies: [String: [UInt8]?] = [:]
    /// The addresses that were left out.
    var unasked: Set<String> = []
    var length = 0
    /// Number of exchanges that this pass has taken.
    var count = 0
  }

  /// The time of asking.
  let time: UTCTime
  private let budget: RevocationService.Budget
  private var exchanges: [Exchange] = []
  private var question: Question?
  /// The time of the first request to an address.
  private var start: ContinuousClock.Instant?
  private var state = State()
  /// The state at the end of the work that is done for good.
  private var settled = State()

  init(_ service: RevocationService) { (time, budget) = (service.time, service.budget) }

  /// Takes the body of the answer to the request that is wanted.
  public mutating func answer(_ body: [UInt8]) { end(body, nil) }

  /// States that there is no answer to the request that is wanted: its HTTP status is not 200, a redirect leads nowhere, or
  /// there is no connection.
  ///
  /// - Parameter reason: for people and scripts, as `DocumentError` has it then; nil for one in general words.
  public mutating func fail(_ reason: Diagnosis? = nil) {
    end(nil, reason ?? wanted?.unanswered)
  }

  private mutating func end(_ body: [UInt8]?, _ failure: Diagnosis?) {
    guard let question else { return }
    exchanges.append(Exchange(question: question, body: body, failure: failure))
    self.question = nil
  }

  /// Works with the answers that there are.
  ///
  /// - Returns: nil if one is wanted.
  mutating func pass<Value, Problem: Error>(
    _ work: (inout AuthorityExchanges) throws(Problem) -> Value
  ) throws(Problem) -> Value? {
    guard question == nil else { return nil }
    state = settled
    do throws(Problem) {
      let value = try work(&self)
      return question == nil ? value : nil
    } catch {
      // An error after a question without an answer is that of the lack of it.
      guard question != nil else { throw error }
      return nil
    }
  }

  /// States that the work so far is done for good: the next pass begins behind it.
  mutating func settle() {
    exchanges.removeAll()
    state.count = 0
    settled = state
  }

  /// The next exchange; nil if its answer is wanted.
  mutating func exchange(_ question: @autoclosure () -> Question) -> Exchange? {
    guard self.question == nil else { return nil }
    guard state.count < exchanges.count else {
      self.question = question()
      return nil
    }
    defer { state.count += 1 }
    return exchanges[state.count]
  }
}

/// Addresses in certificates, each of which is asked once within the budget.
extension AuthorityExchanges {
  /// The body of the answer of an address; nil without one, and when the budget is spent.
  mutating func body(from address: String) -> [UInt8]? {
    if let known = state.bodies[address] { return known }
    let body = body(of: .get(url: address))?.body
    if question == nil, !state.unasked.contains(address) { state.bodies[address] = .some(body) }
    return body
  }

  /// The body of the answer to a request, with the request that was answered.
  mutating func body(
    of request: AuthorityRequest
  ) -> (request: AuthorityRequest, body: [UInt8])? {
    guard question == nil, let address = request.address else { return nil }
    let begin = start ?? .now
    start = begin
    guard state.count < exchanges.count ? isNext(address) : !isSpent(since: begin) else {
      state.unasked.insert(address)
      return nil
    }
    guard let exchange = exchange(.status(request)) else { return nil }
    state.length += exchange.body?.count ?? 0
    state.answers.append(
      AuthorityAnswer(
        address: address, outcome: exchange.failure.map { .failed($0) } ?? .unfit))
    return exchange.body.map { (exchange.question.request, $0) }
  }

  private func isSpent(since begin: ContinuousClock.Instant) -> Bool {
    state.answers.count >= budget.requests || ContinuousClock.now - begin >= budget.time
      || state.length >= budget.length
  }

  /// True if the next exchange was with an address; else the budget was spent already when it came up.
  private func isNext(_ address: String) -> Bool {
    switch exchanges[state.count].question {
    case .timeStamp: false
    case .status(let request): request.address == address
    }
  }

  /// States the end of the last exchange with an address; a use stays a use.
  mutating func note(_ outcome: AuthorityAnswer.Outcome, at address: String) {
    guard let index = state.answers.lastIndex(where: { $0.address == address }) else { return }
    if case .taken = state.answers[index].outcome { return }
    state.answers[index].outcome = outcome
  }

  /// The reason of the last exchange that failed.
  var unreachable: RevocationError {
    for answer in state.answers.reversed() {
      if case .failed(let reason) = answer.outcome { return .unreachable(reason) }
    }
    return .unreachable(.revocationUnreachable)
  }
}
