internal import CIECard

/// Keeps the card of one slot for as long as somebody is logged in, and lets it go when nobody uses it: a card that is
/// held is of no use to any other program.
///
/// Its lock is taken before that of the tables, never after it: a card takes seconds, the tables take none.
final class CardKeeper: Sendable {
  private let source: any ReaderSource
  let terms: CardTerms
  /// Told under the lock when a login has ended without anybody wanting it.
  private let ended: @Sendable (_ explanation: String) -> Void
  private let held = Lock(Held())

  /// A card after the PIN or after the PUK.
  struct Held: ~Copyable {
    fileprivate(set) var verified: VerifiedCard<AnyCardChannel>?
    fileprivate(set) var awaitingPIN: CardAwaitingPIN<AnyCardChannel>?
    /// Wakes the thread that watches the time; given when the login is over, and when it ends at another time.
    fileprivate var change: Signal?
    fileprivate var deadline = ContinuousClock.now

    /// Keeps a card after the PIN.
    mutating func keep(_ card: consuming VerifiedCard<AnyCardChannel>) { verified = consume card }

    /// Keeps a card after the PUK.
    mutating func keep(_ card: consuming CardAwaitingPIN<AnyCardChannel>) {
      awaitingPIN = consume card
    }
  }

  init(
    _ source: any ReaderSource, _ terms: CardTerms,
    ended: @escaping @Sendable (_ explanation: String) -> Void
  ) {
    self.source = source
    self.terms = terms
    self.ended = ended
  }

  /// Does something while nobody else uses the card.
  func withCard<Value: Sendable>(
    _ body: (inout Held) throws(CardFailure) -> Value
  ) throws(CardFailure) -> Value {
    try held.withLock { (held) throws(CardFailure) in try body(&held) }
  }

  /// Opens the card for somebody who has typed a code; whoever held it until now does no longer.
  func open(_ reader: String, _ held: inout Held) throws(CardFailure) -> IdentityCard<
    AnyCardChannel
  > {
    letGo(&held)
    do throws(ChannelError) {
      return IdentityCard(over: try source.open(reader, patience: .use))
    } catch { throw CardFailure(error) }
  }

  /// Looks at the card, unless it is held, and then it is known.
  func look(at reader: String) throws(CardFailure) -> ServicesNumber? {
    try withCard { (_) throws(CardFailure) in try source.look(at: reader) }
  }

  /// Lets the card go: it is reset, and forgets the PIN.
  ///
  /// - Parameter afterwards: done under the lock.
  func letGo(_ afterwards: () -> Void = {}) {
    held.withLock { held in
      letGo(&held)
      afterwards()
    }
  }

  /// The same where that is possible at once; else whoever uses the card notices that it has left.
  func letGoOfLostCard() { _ = held.withLockIfAvailable { letGo(&$0) } }

  func letGo(_ held: inout Held) {
    held.verified = nil
    held.awaitingPIN = nil
    held.change?.give()
    held.change = nil
  }
}

extension CardKeeper {
  /// Signs with the card that is held. Whatever goes wrong ends the login.
  func sign(_ input: CardInput) throws(CardFailure) -> [UInt8] {
    try withCard { (held) throws(CardFailure) in
      guard var card = held.verified.take() else {
        throw CardFailure(.userNotLoggedIn, "the card was let go")
      }
      let signature: [UInt8]
      do throws(CardError) {
        switch input {
        case .digest(let digest): signature = try card.sign(digest).signature
        case .raw(let bytes): signature = try card.sign(bytes)
        }
      } catch {
        letGo(&held)
        let failure = CardFailure(error)
        ended(failure.explanation)
        throw failure
      }
      held.verified = consume card
      held.deadline = .now + terms.idleAfterSignature
      // Most often that is sooner than the thread would look.
      held.change?.give()
      return signature
    }
  }

  /// Sets a new PIN on the card that is held after the PUK, which is let go with that.
  func setPIN(to new: consuming PIN) throws(CardFailure) {
    var code: PIN? = consume new
    try withCard { (held) throws(CardFailure) in
      guard let card = held.awaitingPIN.take(), let pin = code.take() else {
        throw CardFailure(.userNotLoggedIn, "the card was let go")
      }
      do throws(CardError) { try card.setPIN(to: pin) } catch { throw CardFailure(error) }
    }
  }

  /// Has a thread let the card go when the time is over; there is none while nobody is logged in.
  func watchTime(_ held: inout Held) throws(CardFailure) {
    let change = Signal()
    held.deadline = .now + terms.idleAfterLogin
    held.change = change
    guard DetachedThread.start({ self.letGoWhenIdle(change) }) else {
      throw CardFailure(.hostMemory, "there is no thread for the time limit")
    }
  }

  private func letGoWhenIdle(_ change: Signal) {
    while let left = timeLeft(change) {
      change.wait(atMost: left)
      // Before the next look, so that no change is missed.
      change.takeBack()
    }
  }

  /// - Returns: `nil` when there is nothing more to wait for.
  private func timeLeft(_ change: Signal) -> Duration? {
    held.withLock { held in
      guard held.change === change else { return nil }
      let left = ContinuousClock.now.duration(to: held.deadline)
      guard left <= .zero else { return left }
      letGo(&held)
      ended("nobody used the card")
      return nil
    }
  }
}

/// On which terms cards are used.
struct CardTerms: Sendable {
  /// How long a card is held after a login without being used: time to choose a certificate.
  var idleAfterLogin = Duration.seconds(60)
  /// How long it is held after a signature.
  var idleAfterSignature = Duration.seconds(10)
  /// The anchors that are believed.
  var trust: TrustStore? = .italian
  /// Whether the PIN goes only to a chip that the State vouches for; else what could not be checked does not stop it,
  /// and what is false does.
  var requiresGenuine = false

  /// The check, now.
  var check: GenuineCheck {
    requiresGenuine ? .required(trust, at: .now) : .expected(trust, at: .now)
  }
}

/// What goes to the card to be signed.
enum CardInput: Sendable {
  /// A hash value: the card gets its DigestInfo, and the signature is checked as one of that digest.
  case digest(Digest)
  /// Bytes as they are.
  case raw(RawSigningInput)
}
