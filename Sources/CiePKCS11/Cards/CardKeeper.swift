internal import CIECard

/// Holds the card of one slot during a login, and releases it when idle, because a card that is
/// held is unavailable to other programs.
///
/// Its lock is taken before that of the tables, never after: card operations take seconds, the
/// tables' none.
final class CardKeeper: Sendable {
  private let source: any ReaderSource
  let terms: CardTerms
  /// Writes to the log why a function of the card failed; never anything secret.
  private let explain: @Sendable (_ explanation: String) -> Void
  /// Called under the lock when a login ends without a request.
  private let ended: @Sendable (_ explanation: String) -> Void
  private let held = Lock(Held())

  /// A card after verification of the PIN or the PUK.
  struct Held: ~Copyable {
    fileprivate(set) var verified: VerifiedCard<AnyCardChannel>?
    fileprivate(set) var awaitingPIN: CardAwaitingPIN<AnyCardChannel>?
    /// The insertion of the card opened last, and a check that it is still there.
    fileprivate var insertion: Insertion?
    fileprivate var isPresent: @Sendable () -> Bool = { false }
    /// True while that card is held.
    fileprivate var isKept = false
    /// Wakes the thread that watches the deadline; signalled when the login ends, and when the
    /// deadline changes.
    fileprivate var change: Signal?
    fileprivate var deadline = ContinuousClock.now

    /// Holds a card after the PIN.
    mutating func keep(_ card: consuming VerifiedCard<AnyCardChannel>) {
      verified = consume card
      isKept = true
    }

    /// Holds a card after the PUK.
    mutating func keep(_ card: consuming CardAwaitingPIN<AnyCardChannel>) {
      awaitingPIN = consume card
      isKept = true
    }
  }

  init(
    _ source: any ReaderSource, _ terms: CardTerms,
    explain: @escaping @Sendable (_ explanation: String) -> Void,
    ended: @escaping @Sendable (_ explanation: String) -> Void
  ) {
    self.source = source
    self.terms = terms
    self.explain = explain
    self.ended = ended
  }

  /// The host's return value for a failure, whose explanation goes to the log.
  func failed(_ value: ReturnValue, _ explanation: String) -> ReturnValue {
    explain(explanation)
    return value
  }

  func failed(_ error: CardError) -> ReturnValue {
    failed(ReturnValue(error.reason), error.explanation)
  }

  private func failed(_ error: ChannelError) -> ReturnValue {
    let reason = CardError.Reason.channel(error)
    return failed(ReturnValue(reason), "open-card: \(reason)")
  }

  /// Runs a function with exclusive use of the card.
  func withCard<Value: Sendable>(
    _ body: (inout Held) throws(ReturnValue) -> Value
  ) throws(ReturnValue) -> Value {
    try held.withLock { (held) throws(ReturnValue) in try body(&held) }
  }

  /// Opens the card for a new login; the slot's previous one ends.
  func open(
    _ insertion: Insertion, _ held: inout Held
  ) throws(ReturnValue) -> IdentityCard<AnyCardChannel> {
    release(&held)
    let channel = try mapError(try source.open(insertion.reader, patience: .use)) {
      failed($0 as ChannelError)
    }
    held.insertion = insertion
    held.isPresent = channel.presence()
    return IdentityCard(over: channel)
  }

  /// Reads the card's identity, unless the card is held: then it is known.
  func look(
    at insertion: Insertion, knownAs token: Token
  ) throws(ReturnValue) -> Token {
    try withCard { (held) throws(ReturnValue) in
      if held.isKept, held.insertion == insertion, held.isPresent() { return token }
      return try look(at: insertion.reader).map(Token.identityCard) ?? .other
    }
  }

  /// Identifies a card by four commands, without any code, and releases it at once.
  ///
  /// - Returns: its services number; `nil` if it is another card, or does not answer.
  private func look(at reader: String) throws(ReturnValue) -> ServicesNumber? {
    let channel: AnyCardChannel
    do throws(ChannelError) { channel = try source.open(reader, patience: .look) } catch {
      if error == .cardMute { return nil }
      throw failed(error)
    }
    var card = IdentityCard(over: channel)
    do throws(CardError) { return try card.readServicesNumber() } catch {
      switch error.reason {
      case .channel(.cardMute), .notACIE, .refused, .malformed: return nil
      default: throw failed(error)
      }
    }
  }

  /// Checks that the held card is still there, and releases it if not.
  func heldCard() -> HeldCard {
    let found = held.withLockIfAvailable { held -> HeldCard in
      guard held.isKept, let insertion = held.insertion else { return .none }
      guard !held.isPresent() else { return .present(insertion) }
      release(&held)
      return .lost(insertion)
    }
    return found ?? .none
  }

  /// Releases the card, which resets it and so clears the PIN verification.
  ///
  /// - Parameter afterwards: called under the lock.
  func release(_ afterwards: () -> Void = {}) {
    held.withLock { held in
      release(&held)
      afterwards()
    }
  }

  /// Releases the card of a past insertion, if the lock is free; otherwise the thread that holds it
  /// will notice that the card has left.
  func release(of insertion: Insertion) {
    _ = held.withLockIfAvailable { held in
      if held.insertion == insertion { release(&held) }
    }
  }

  func release(_ held: inout Held) {
    held.insertion = nil
    held.isKept = false
    held.verified = nil
    held.awaitingPIN = nil
    held.change?.signal()
    held.change = nil
  }
}

extension CardKeeper {
  /// Signs with the held card, if it is from this insertion. Any failure ends the login.
  func sign(
    _ input: CardInput, by insertion: Insertion
  ) throws(ReturnValue) -> [UInt8] {
    try withCard { (held) throws(ReturnValue) in
      guard held.insertion == insertion, var card = held.verified.take() else {
        throw failed(.userNotLoggedIn, "the card was let go")
      }
      let signature: [UInt8]
      do throws(CardError) {
        switch input {
        case .digest(let digest): signature = try card.sign(digest).signature
        case .raw(let bytes): signature = try card.sign(bytes)
        }
      } catch {
        release(&held)
        ended(error.explanation)
        throw failed(error)
      }
      held.verified = consume card
      held.deadline = .now + terms.idleAfterSignature
      // This deadline is usually earlier than the one the thread waits for.
      held.change?.signal()
      return signature
    }
  }

  /// Sets a new PIN on the card held after the PUK, and continues to hold it. Any failure ends the
  /// login.
  func setPIN(
    to new: consuming PIN, on insertion: Insertion
  ) throws(ReturnValue) {
    var code: PIN? = consume new
    try withCard { (held) throws(ReturnValue) in
      guard held.insertion == insertion, var card = held.awaitingPIN.take(),
        let pin = code.take()
      else { throw failed(.userNotLoggedIn, "the card was let go") }
      do throws(CardError) { try card.setPIN(to: pin) } catch {
        release(&held)
        ended(error.explanation)
        throw failed(error)
      }
      held.awaitingPIN = consume card
    }
  }

  /// Starts a thread that releases the card at the deadline; it exists only during a login.
  func watchTime(_ held: inout Held) throws(ReturnValue) {
    let change = Signal()
    held.deadline = .now + terms.idleAfterLogin
    held.change = change
    guard DetachedThread.start({ self.letGoWhenIdle(change) }) else {
      throw failed(.hostMemory, "there is no thread for the time limit")
    }
  }

  private func letGoWhenIdle(_ change: Signal) {
    while let left = timeLeft(change) {
      change.wait(atMost: left)
      // Before the next check, so that no change is missed.
      change.withdraw()
    }
  }

  /// - Returns: `nil` if there is nothing left to wait for.
  private func timeLeft(_ change: Signal) -> Duration? {
    held.withLock { held in
      guard held.change === change else { return nil }
      let left = ContinuousClock.now.duration(to: held.deadline)
      guard left <= .zero else { return left }
      release(&held)
      ended("nobody used the card")
      return nil
    }
  }
}

struct CardTerms: Sendable {
  /// Time for which a card is held after a login without being used: enough to choose a
  /// certificate.
  var idleAfterLogin = Duration.seconds(60)
  /// Time for which a card is held after a signature.
  var idleAfterSignature = Duration.seconds(10)
  var trust: TrustStore? = .italian
  /// True to send PIN and PUK to any chip, not only to one that passes the genuineness check: a
  /// host has no person to ask.
  var skipsGenuineCheck = false
  /// Longest time without a look at the readers after which a card still counts as the same: no
  /// reader is unplugged and plugged in with another card in less.
  var longestGap = Duration.seconds(2)

  /// The genuineness check, as of now.
  var check: GenuineCheck { skipsGenuineCheck ? .skipped : .required(trust, at: .now) }
}
