import CIECard
import Messages
import RedirectFlow
import Synchronization

/// The card of the command line, for the one login of this run: unlike the library's card it may be a recording, keeps
/// a diary, starts over after a lost transmission, and asks for the PIN at the place that the command line names.
final class HolderCard: CardAccess {
  private let card: Conversation
  private let access: HolderAccess
  private let session: Session
  /// Used up by the login.
  private let code: Mutex<AwaitedCode?>

  init(
    _ card: Conversation, code: consuming AwaitedCode, access: HolderAccess, in session: Session
  ) {
    self.card = card
    self.access = access
    self.session = session
    self.code = Mutex(code)
  }

  func withKey<Result>(
    _ body: (any LoginKey) throws(LoginError) -> Result
  ) throws(LoginError) -> Result {
    guard var code = code.withLock({ $0.take() }) else { throw .used }
    do throws(Failure) {
      return try card.perform(in: session) { (card, random, session) throws(Failure) in
        let verified = try card.verified(with: &code, access, random: &random, in: session)
        let key: CardLoginKey<SessionChannel>
        do throws(CardError) { key = try CardLoginKey(verified) } catch { throw .card(error) }
        session.progress.show(Message("login.proving-at-server"))
        do throws(LoginError) { return try body(key) } catch { throw .login(error) }
      }
    } catch { throw LoginError(error) }
  }

  func giveUp() { session.interruption.giveUp() }
}

extension LoginError {
  /// The card's failure as an error of the login.
  init(_ failure: Failure) {
    self =
      switch failure {
      case .login(let error): error
      case .card(let error): .card(error)
      case .channel(let error): .channel(error)
      default: .host(HostError(failure))
      }
  }
}
