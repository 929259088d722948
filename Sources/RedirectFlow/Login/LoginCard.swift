public import CIECard

/// The card for one login: opened when a server is about to get its certificate, let go of when it has signed.
///
/// The PIN is asked for once, after the person was shown who gets the certificate, and never where it would spend the
/// last try.
public struct LoginCard: Sendable {
  /// Gives the PIN once the card is there; what it throws ends the login as `LoginFailure.Reason.host`.
  ///
  /// - Parameter triesLeft: how many wrong PINs the card still takes; `nil` when it does not tell.
  public typealias PINEntry = @Sendable (_ triesLeft: Int?) throws -> PIN

  let access: @Sendable (LoginCancellation) -> any CardAccess

  /// The card in a PC/SC reader; `LoginSession.cancel` ends the wait for it.
  ///
  /// - Parameters:
  ///   - selection: which reader.
  ///   - wait: how long reader and card may take to be there.
  ///   - check: whether the chip must be signed for by the State before it gets the PIN.
  ///   - pin: asks for the PIN.
  public static func reader(
    _ selection: PCSCContext.ReaderSelection = .any, wait: Duration = .seconds(60),
    checking check: GenuineCheck = .standard, pin: @escaping PINEntry
  ) -> LoginCard {
    LoginCard { cancellation in
      ChannelAccess(check: check, pin: pin) { () throws(ChannelError) in
        let context = try PCSCContext()
        return try cancellation.ending({ context.cancel() }) { () throws(ChannelError) in
          try context.openCard(in: selection, for: wait)
        }
      }
    }
  }

  /// A card on any channel, such as a software card's.
  ///
  /// - Parameters:
  ///   - check: whether the chip must be signed for by the State before it gets the PIN.
  ///   - pin: asks for the PIN.
  ///   - open: opens the channel, on a thread that may wait; once a login.
  public init<Channel: CardChannel & ~Copyable>(
    checking check: GenuineCheck = .standard, pin: @escaping PINEntry,
    open: @escaping @Sendable () throws(ChannelError) -> Channel
  ) {
    self.init(ChannelAccess(check: check, pin: pin, open: open))
  }

  /// A card that the program opens in its own way.
  package init(_ access: any CardAccess) { self.init { _ in access } }

  private init(access: @escaping @Sendable (LoginCancellation) -> any CardAccess) {
    self.access = access
  }
}

/// Opens the card and lends its key.
package protocol CardAccess: Sendable {
  /// Opens the card, has its holder show the PIN, lends the key, and lets go of the card, whatever happens.
  ///
  /// It is called once a login, on the card actor's thread, after the person was shown who gets the certificate.
  ///
  /// - Parameter body: what is done with the key; it must not keep it.
  func withKey<Result>(
    _ body: (any LoginKey) throws(LoginError) -> Result
  ) throws(LoginError) -> Result

  /// Ends, from another thread, what waits for the card or its holder; nothing more is sent to it.
  func giveUp()
}

/// A card on a channel of its own.
private struct ChannelAccess<Channel: CardChannel & ~Copyable>: CardAccess {
  let check: GenuineCheck
  let pin: LoginCard.PINEntry
  let open: @Sendable () throws(ChannelError) -> Channel

  func withKey<Result>(
    _ body: (any LoginKey) throws(LoginError) -> Result
  ) throws(LoginError) -> Result {
    let card = try authenticated()
    let code = try entered(card.triesLeft)
    let key: CardLoginKey<Channel>
    do throws(CardError) { key = try CardLoginKey(card.verify(code)) } catch { throw .card(error) }
    return try body(key)
  }

  /// The wait for the card ends with the login's cancellation; the program's own question for the PIN is its own.
  func giveUp() {}

  private func opened() throws(LoginError) -> Channel {
    do throws(ChannelError) { return try open() } catch { throw .channel(error) }
  }

  private func authenticated() throws(LoginError) -> AuthenticatedCard<Channel> {
    let channel = try opened()
    do throws(CardError) {
      var random = SystemRandom()
      let proven = try IdentityCard(over: channel).openChannel(
        before: .pin, checking: check, random: &random)
      try proven.requireTries(allowingLastTry: false)
      return AuthenticatedCard(proven)
    } catch { throw .card(error) }
  }

  private func entered(_ triesLeft: Int?) throws(LoginError) -> PIN {
    do { return try pin(triesLeft) } catch { throw LoginError(host: error) }
  }
}
