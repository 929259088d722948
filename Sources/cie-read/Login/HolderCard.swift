import CIECard
import Messages
import RedirectFlow
import Synchronization

/// The card of the command line, for the one login of this run.
final class HolderCard: CardAccess {
  private let source: CardSource
  private let conversation: Conversation
  private let access: HolderAccess
  private let session: Session
  /// Used up by the login.
  private let code: Mutex<AwaitedCode?>

  init(
    source: CardSource, conversation: Conversation, code: consuming AwaitedCode,
    access: HolderAccess, session: Session
  ) {
    self.source = source
    self.conversation = conversation
    self.access = access
    self.session = session
    self.code = Mutex(code)
  }

  func withKey<Result>(
    _ body: (any LoginKey) throws(LoginError) -> Result
  ) throws(LoginError) -> Result {
    do throws(Failure) {
      return try withoutActuallyEscaping(body) { (body) throws(Failure) in
        try source.perform(
          KeyJob(code: takeCode(), access: access, body: body), as: conversation, in: session)
      }
    } catch { throw LoginError(error) }
  }
}

extension HolderCard {
  /// The PIN, or the promise to ask for it; once.
  fileprivate func takeCode() throws(Failure) -> AwaitedCode {
    guard let code = code.withLock({ $0.take() }) else { throw .login(.used) }
    return code
  }
}

/// Verifies the PIN and lends the key.
private struct KeyJob<Result>: CardJob, ~Copyable {
  var code: AwaitedCode
  let access: HolderAccess
  let body: (any LoginKey) throws(LoginError) -> Result

  mutating func run<Channel: CardChannel & ~Copyable>(
    on card: consuming IdentityCard<Channel>, random: inout some RandomSource,
    in session: Session
  ) throws(Failure) -> Result {
    let verified = try card.verified(
      with: &code, access, random: &random, in: session)
    let key: CardLoginKey<Channel>
    do throws(CardError) { key = try CardLoginKey(verified) } catch { throw .card(error) }
    session.progress.show(.provingAtServer)
    do throws(LoginError) { return try body(key) } catch { throw .login(error) }
  }
}

extension LoginError {
  /// What happened around the card, as the login knows it.
  init(_ failure: Failure) {
    self =
      switch failure {
      case .login(let error): error
      case .card(let error): .card(error)
      case .channel(let error): .channel(error)
      default: .host(failure)
      }
  }
}

extension Message {
  fileprivate static let provingAtServer = Message("login.proving-at-server")
}
