public import CIECard
internal import Primitives

/// The card for one login: opened when a server is about to get its certificate, released when it has signed.
///
/// The PIN is asked for once, after the person has seen the receiver of the certificate, and never for the last try.
public struct LoginCard: Sendable {
  /// Asks for the PIN once the card is there; `nil` ends the login as `LoginError.Reason.cancelled`, an error as
  /// `.pin`.
  ///
  /// - Parameter triesLeft: the number of wrong PINs that the card still accepts; `nil` when the card does not report
  ///   it.
  public typealias PINEntry =
    @Sendable (_ triesLeft: Int?) throws(AccessCode.FormatError) -> PIN?

  let access: @Sendable (LoginCancellation) -> any CardAccess

  /// The card in a PC/SC reader; `LoginSession.cancel` ends the wait for it.
  ///
  /// - Parameters:
  ///   - selection: the reader.
  ///   - wait: the time limit for reader and card to be there.
  ///   - check: the proof that the chip is signed by the State, if required before it gets the PIN.
  ///   - tries: the tries that cards have reported; shared by all logins of a program.
  ///   - pin: asks for the PIN.
  public static func reader(
    _ selection: PCSCContext.ReaderSelection = .any, wait: Duration = .seconds(60),
    checking check: GenuineCheck = .standard, remembering tries: KnownTries = KnownTries(),
    pin: @escaping PINEntry
  ) -> LoginCard {
    LoginCard { cancellation in
      ChannelAccess(check: check, tries: tries, pin: pin) { () throws(ChannelError) in
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
  ///   - check: the proof that the chip is signed by the State, if required before it gets the PIN.
  ///   - tries: the tries that cards have reported; shared by all logins of a program.
  ///   - pin: asks for the PIN.
  ///   - open: opens the channel, on a thread that may wait; once a login.
  public init<Channel: CardChannel & ~Copyable>(
    checking check: GenuineCheck = .standard, remembering tries: KnownTries = KnownTries(),
    pin: @escaping PINEntry,
    open: @escaping @Sendable () throws(ChannelError) -> Channel
  ) {
    self.init(ChannelAccess(check: check, tries: tries, pin: pin, open: open))
  }

  /// A card that the program opens itself.
  package init(_ access: any CardAccess) { self.init { _ in access } }

  private init(access: @escaping @Sendable (LoginCancellation) -> any CardAccess) {
    self.access = access
  }
}

/// Opens the card and lends its key.
package protocol CardAccess: Sendable {
  /// Opens the card, has its holder show the PIN, lends the key, and releases the card in every case.
  ///
  /// The error of the login comes back as a value, so that no error of the program's own has to carry it.
  ///
  /// It is called once a login, on the blocking actor's thread, after the person has seen the receiver of the certificate.
  ///
  /// - Parameter body: the operation with the key, which it must not keep.
  func withKey<Value>(
    _ body: (any LoginKey) -> Result<Value, LoginError>
  ) throws(LoginError) -> Value

  /// Ends the wait for the card or its holder, from another thread; no further command is sent to the card.
  func giveUp()
}

private struct ChannelAccess<Channel: CardChannel & ~Copyable>: CardAccess {
  let check: GenuineCheck
  let tries: KnownTries
  let pin: LoginCard.PINEntry
  let open: @Sendable () throws(ChannelError) -> Channel

  func withKey<Value>(
    _ body: (any LoginKey) -> Result<Value, LoginError>
  ) throws(LoginError) -> Value {
    let card = try authenticated()
    let code = try entered(card.triesLeft)
    let key: CardLoginKey<Channel>
    do { key = try CardLoginKey(card.verify(code)) } catch { throw LoginError(.card(error)) }
    return try body(key).get()
  }

  /// The login's cancellation ends the wait for the card; the question for the PIN belongs to the program.
  func giveUp() {}

  private func authenticated() throws(LoginError) -> AuthenticatedCard<Channel> {
    let channel = try mapError(try open()) { LoginError(.channel($0)) }
    do throws(CardError) {
      var random = SystemRandom()
      let proven = try IdentityCard(over: channel).openChannel(
        before: .pin, checking: check, remembering: tries, random: &random)
      try proven.requireTries(allowingLastTry: false)
      return AuthenticatedCard(proven)
    } catch { throw LoginError(.card(error)) }
  }

  private func entered(_ triesLeft: Int?) throws(LoginError) -> PIN {
    let entry = try mapError(try pin(triesLeft)) { LoginError(.pin($0)) }
    guard let code = entry else { throw LoginError(.cancelled) }
    return code
  }
}
