/// The remaining tries that cards have reported during the life of this value: the one place that
/// decides whether a try may be spent.
///
/// A card that withholds its counters reports the remaining tries only after a wrong code (63Cx). A
/// program that sends codes to cards more than once keeps one of these values and passes it to
/// every card it opens, so that a card's report counts until a code was right. A card is identified
/// by the key that it proved to hold: its tries are remembered when it is removed, or another card
/// is used in between.
public final class KnownTries: Sendable {
  private let counts = Lock<[Counter: Int]>([:])

  /// Creates a value without any reports.
  public init() {}

  /// The counter of one code of one card.
  package struct Counter: Hashable, Sendable {
    let deviceKey: RSAPublicKey
    let kind: CardError.CodeKind

    package func ofCode(_ kind: CardError.CodeKind) -> Counter {
      Counter(deviceKey: deviceKey, kind: kind)
    }
  }

  /// The last reported value of a counter; `nil` if unknown.
  package func left(of counter: Counter) -> Int? { counts.withLock { $0[counter] } }

  /// True if this is the last try and must not be spent.
  static func withholds(_ left: Int?, allowingLastTry: Bool) -> Bool {
    left == 1 && !allowingLastTry
  }

  fileprivate func change<Result: Sendable>(
    _ body: (inout [Counter: Int]) throws(CardError) -> Result
  ) throws(CardError) -> Result {
    try counts.withLock { (counts) throws(CardError) in try body(&counts) }
  }
}

/// The tries of one code of the card behind a channel.
struct CodeTries: Sendable {
  private let known: KnownTries
  let counter: KnownTries.Counter
  /// The value reported in this channel.
  private let told: Int?

  private var kind: CardError.CodeKind { counter.kind }

  /// Records the value reported by the card.
  ///
  /// - Parameters:
  ///   - told: `nil` if the card does not report it.
  ///   - deviceKey: the key that the chip proved to hold.
  init(
    _ told: Int?, of kind: CardError.CodeKind, on deviceKey: RSAPublicKey, in known: KnownTries
  ) {
    self.known = known
    counter = KnownTries.Counter(deviceKey: deviceKey, kind: kind)
    self.told = told
    guard let told else { return }
    let counter = counter
    try? known.change { $0[counter] = told }
  }

  func ofCode(_ kind: CardError.CodeKind, told: Int? = nil) -> CodeTries {
    CodeTries(told, of: kind, on: counter.deviceKey, in: known)
  }

  /// The remaining tries; `nil` if the card has not reported them, now or before. A code that was
  /// blocked earlier counts as unknown, too, because it may have been unblocked since, and a VERIFY
  /// of a blocked one costs nothing.
  var left: Int? {
    if let told { return told }
    let said = known.left(of: counter)
    return said == 0 ? nil : said
  }

  /// Checks that a try may be spent.
  ///
  /// - Throws: `CardError`: `.blocked`, `.lastTryRefused`.
  func require(allowingLastTry: Bool) throws(CardError) {
    let step = kind == .pin ? CardError.Step.verifyPIN : .verifyPUK
    let left = left
    guard left != 0 else { throw CardError(step, .blocked(kind)) }
    guard !KnownTries.withholds(left, allowingLastTry: allowingLastTry) else {
      throw CardError(step, .lastTryRefused(kind))
    }
  }

  /// Runs a command that makes the card compare the code.
  ///
  /// The try counts as spent before the command is sent. If no number is returned, one less than
  /// before is assumed, or one less than the maximum; zero is only assumed if the card itself
  /// reports it.
  ///
  /// - Throws: the error of `command`.
  func spend(on command: () throws(CardError) -> Void) throws(CardError) {
    let before = try known.change { (counts) throws(CardError) in
      defer { counts[counter] = max(1, (left(in: counts) ?? kind.mostTries) - 1) }
      return counts[counter]
    }
    do throws(CardError) { try command() } catch {
      try? known.change { counts in
        switch error.reason {
        case .wrongCode(_, let tries?): counts[counter] = tries
        case .blocked: counts[counter] = 0
        // Not sent, or not compared.
        case .channel(.withheld), .refused(.wrongLength): counts[counter] = before
        default: break
        }
      }
      throw error
    }
    forget()
  }

  /// Forgets the count, because the code has all its tries again, however many.
  func forget() { try? known.change { $0[counter] = nil } }

  private func left(in counts: [KnownTries.Counter: Int]) -> Int? {
    let left = told ?? counts[counter]
    return left == 0 ? nil : left
  }
}

extension CardError.CodeKind {
  /// The maximum number of tries of a CIE (CIE 3.0 chip specification, annex A).
  fileprivate var mostTries: Int {
    switch self {
    case .pin: 3
    case .puk: 10
    }
  }
}
