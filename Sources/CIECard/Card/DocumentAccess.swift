/// What opens the travel document, for as often as one contact with the card takes it: once as a rule, again where
/// the card ended the channel over a command and the code costs no try.
struct DocumentAccess: ~Copyable {
  private let code: AccessCode
  private let offer: AccessOffer
  private let allowsLastTry: Bool

  /// - Parameters:
  ///   - code: right or wrong, it is not known yet.
  ///   - offer: what EF.CardAccess offers.
  ///   - allowsLastTry: whether the last try of a code that blocks may be spent.
  init(code: consuming AccessCode, offer: AccessOffer, allowsLastTry: Bool) {
    self.code = code
    self.offer = offer
    self.allowsLastTry = allowsLastTry
  }

  /// What an opening leaves.
  struct Session: ~Copyable {
    /// The keys of the channel, and its counter.
    let messaging: SecureMessaging
    /// How it was opened.
    let access: AccessCode.AccessProtocol
    /// With chip-authentication mapping, the proof that EF.CardSecurity has still to confirm.
    let chipProof: ChipMappingProof?

    /// As of `PACE.Session`.
    borrowing func facts() -> (access: AccessCode.AccessProtocol, chipProof: ChipMappingProof?) {
      (access, chipProof)
    }
  }

  /// Whether the document may be opened again: showing the code a second time costs nothing.
  var isRepeatable: Bool { !code.kind.isBlocking }

  /// Opens the document: by PACE, or by Basic Access Control where the code is an MRZ and PACE is not possible. The
  /// master file is selected, or after Basic Access Control the application.
  func open(
    through channel: inout PlainChannel<some CardChannel & ~Copyable>,
    random: inout some RandomSource
  ) throws(CardError) -> Session {
    let obstacle: CardError
    do throws(CardError) {
      return try runPACE(through: &channel, random: &random)
    } catch {
      guard code.kind == .mrz, error.leavesBasicAccess else { throw error }
      obstacle = error
    }
    do throws(CardError) {
      return try runBasicAccess(through: &channel, random: &random)
    } catch {
      // Where the card has no Basic Access Control either, what kept PACE from running is the thing to tell.
      if case .refused = error.reason { throw obstacle }
      throw error
    }
  }

  private func runBasicAccess(
    through channel: inout PlainChannel<some CardChannel & ~Copyable>,
    random: inout some RandomSource
  ) throws(CardError) -> Session {
    try channel.require(CardApplication.travelDocument.selection, at: .selectTravelDocument)
    let session = try BasicAccess.run(code: code, through: &channel, random: &random)
    let counter = session.startingCounter()
    return Session(
      messaging: SecureMessaging(
        keys: session.keys, counter: counter, profile: .travelDocument),
      access: .basic, chipProof: nil)
  }

  private func runPACE(
    through channel: inout PlainChannel<some CardChannel & ~Copyable>,
    random: inout some RandomSource
  ) throws(CardError) -> Session {
    guard let selection = try offer.selection(over: channel.reader) else {
      throw CardError(.openAccess, offer.obstacle(over: channel.reader))
    }
    var mayTryAgain = isRepeatable
    while true {
      let status = try PACE.select(selection, for: code.kind, through: &channel)
      try judge(status)
      switch try PACE.run(selection, code: code, through: &channel, random: &random) {
      case .opened(let session):
        let facts = session.facts()
        let counter = SendSequenceCounter(for: selection.info.protocol.cipher)
        return Session(
          messaging: SecureMessaging(
            keys: session.keys, counter: counter, profile: .travelDocument),
          access: facts.access, chipProof: facts.chipProof)
      case .wrongPassword(let status, let secretBeginsWithZero):
        // A chip that drops the zero has other keys although the password is right: once more with fresh ones. Not where
        // the card counts: there it would cost a second try.
        if mayTryAgain, secretBeginsWithZero, !status.countsTries {
          mayTryAgain = false
          continue
        }
        throw CardError(.openAccess, reason(status))
      }
    }
  }

  /// MSE:Set AT answers 63Cx where a code has tries (BSI TR-03110-3 §B.14.1).
  private func judge(_ status: StatusWord) throws(CardError) {
    switch status {
    case .success: return
    case .triesLeft(0), .authenticationBlocked:
      throw CardError(.openAccess, .accessCodeBlocked(code.kind))
    case .triesLeft(1) where code.kind.isBlocking && !allowsLastTry:
      throw CardError(.openAccess, .lastAccessTryRefused(code.kind))
    case .triesLeft: return
    default: throw CardError(.openAccess, .refused(status))
    }
  }

  private func reason(_ status: StatusWord) -> CardError.Reason {
    switch status {
    case .authenticationFailed: .wrongAccessCode(code.kind, triesLeft: nil)
    case .triesLeft(0): .accessCodeBlocked(code.kind)
    case .triesLeft(let tries): .wrongAccessCode(code.kind, triesLeft: Int(tries))
    case .authenticationBlocked: .accessCodeBlocked(code.kind)
    // 63xx with a meaning of the maker's own is still "not verified" (ISO/IEC 7816-4 table 6).
    case .other(let word) where word >> 8 == 0x63: .wrongAccessCode(code.kind, triesLeft: nil)
    default: .accessRefused(code.kind, status)
    }
  }
}

extension StatusWord {
  /// Whether the card counts wrong codes, and says how many are left.
  fileprivate var countsTries: Bool {
    switch self {
    case .triesLeft, .authenticationBlocked: true
    default: false
    }
  }
}

extension CardError {
  /// Whether a failed PACE leaves Basic Access Control to be tried: the card has none, refuses it, or the reader
  /// does not carry it. A wrong code is wrong there too, and an answer that is not believed ends everything.
  fileprivate var leavesBasicAccess: Bool {
    switch reason {
    case .noAccessProtocol, .extendedLengthNeeded, .refused, .accessRefused: step == .openAccess
    default: false
    }
  }
}

extension SecureChannel where Channel: ~Copyable {
  /// Opens the document once more, after the card ended this channel: in short commands from now on, because an
  /// extended one may have been the reason.
  ///
  /// - Returns: how it was opened.
  mutating func reopen(
    with access: borrowing DocumentAccess, random: inout some RandomSource
  ) throws(CardError) -> AccessCode.AccessProtocol {
    var opened = AccessCode.AccessProtocol.basic
    try restart { plain throws(CardError) in
      // In clear: the card drops what it still knows of the old session.
      _ = try plain.send(.selectMasterFileSilently, at: .openAccess)
      let session = try access.open(through: &plain, random: &random)
      opened = session.access
      return session.messaging
    }
    return opened
  }
}
