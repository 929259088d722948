import ArgumentParser
import CIECard
import Messages
import System

/// Where a code of the holder comes from: a descriptor or a file, else standard input or the terminal.
struct CodeOptions<Code: HolderCode>: ParsableArguments {
  @Option(
    name: .customLong("\(Code.role.option)-fd"),
    help: .text("option.\(Code.role.rawValue)-fd", value: "n"))
  var descriptor: Int32?
  @Option(
    name: .customLong("\(Code.role.option)-file"),
    help: .text("option.\(Code.role.rawValue)-file", value: "file"), completion: .file())
  var file: String?

  func code(_ session: Session) throws(Failure) -> AwaitedCode {
    try AwaitedCode(Code.role, descriptor: descriptor, file: file, in: session)
  }
}

/// What the options of a code are named after.
protocol HolderCode {
  static var role: CodeRole { get }
}

enum PINCode: HolderCode {
  static var role: CodeRole { .pin }
}

enum NewPINCode: HolderCode {
  static var role: CodeRole { .newPIN }
}

enum EnteredLocalCode: HolderCode {
  static var role: CodeRole { .localCode }
}

enum NewLocalCode: HolderCode {
  static var role: CodeRole { .newLocalCode }
}

enum PUKCode: HolderCode {
  static var role: CodeRole { .puk }
}

/// On which terms a PIN or PUK is shown to a card.
struct HolderOptions: ParsableArguments {
  // Read before parsing, too: whoever asks for a code asks the session.
  @Flag(help: .text("option.pinentry")) var pinentry = false
  @OptionGroup var terms: HolderTerms

  func access(in session: Session) throws(Failure) -> HolderAccess {
    try terms.access(in: session)
  }
}

/// The same, wherever the code comes from.
struct HolderTerms: ParsableArguments {
  @Flag(help: .text("option.allow-last-try")) var allowLastTry = false
  @Flag(help: .text("option.require-genuine")) var requireGenuine = false
  @Flag(help: .text("option.skip-genuine-check")) var skipGenuineCheck = false
  @OptionGroup var trust: TrustOptions

  func access(in session: Session) throws(Failure) -> HolderAccess {
    guard !requireGenuine || !skipGenuineCheck else { throw .usage(.genuineTwice) }
    let trust = skipGenuineCheck ? nil : try trust.store(in: session)
    let (isRequired, isSkipped) = (requireGenuine, skipGenuineCheck)
    return HolderAccess(allowsLastTry: allowLastTry) { time in
      isSkipped ? .skipped : isRequired ? .required(trust, at: time) : .expected(trust, at: time)
    }
  }
}

/// On which terms a PIN or PUK is shown to a card.
struct HolderAccess: Sendable {
  /// Whether the last try may be spent.
  let allowsLastTry: Bool
  /// Whether the State must vouch for the chip, at a time.
  let check: @Sendable (UTCTime) -> GenuineCheck
}

extension SessionCard {
  /// Opens the secure channel to a chip that may be shown a code, and says what is to be known before that.
  consuming func authenticated(
    before kind: CardError.CodeKind, _ access: HolderAccess, random: inout SessionRandom,
    in session: Session
  ) throws(Failure) -> ProvenChannel<SessionChannel> {
    do throws(CardError) {
      let channel = try openChannel(
        before: kind, checking: access.check(session.time), random: &random)
      session.tell(channel.genuineness)
      try channel.requireTries(allowingLastTry: access.allowsLastTry)
      return channel
    } catch { throw .card(error) }
  }

  /// Opens the secure channel, has a person asked for the PIN if it is not here yet, and verifies it: once, whatever
  /// comes of it.
  consuming func verified(
    with pin: inout AwaitedCode, _ access: HolderAccess, random: inout SessionRandom,
    in session: Session
  ) throws(Failure) -> VerifiedCard<SessionChannel> {
    try pin.requireTerminal(in: session)
    let card = AuthenticatedCard(
      try authenticated(before: .pin, access, random: &random, in: session))
    let code = try CodeForm.pin(pin.resolve(in: session, triesLeft: card.triesLeft))
    do throws(CardError) {
      return try card.verify(code, allowingLastTry: access.allowsLastTry)
    } catch { throw .card(error) }
  }
}

extension Session {
  /// Says whether the State vouches for the chip: in JSON always, else where it could not be checked.
  fileprivate func tell(_ finding: GenuineCheck.Finding) {
    switch finding {
    case .proved: notices.add(.init("genuine", "proved"))
    case .skipped: notices.add(.init("genuine", "skipped"))
    case .couldNotCheck(let obstacle):
      notices.add(.init("genuine", "could-not-check"))
      warn(Message("warning.chip-not-checked", ["reason": obstacle.because]))
    }
  }
}
