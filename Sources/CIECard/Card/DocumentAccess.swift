/// Opens the travel document, as often as needed in one contact: usually once, and again if the
/// card ended the channel over a command and the code costs no try.
struct DocumentAccess: ~Copyable {
  private let code: AccessCode
  private let offer: AccessOffer
  private let allowsLastTry: Bool

  /// - Parameters:
  ///   - code: right or wrong, which is not known yet.
  ///   - offer: the offer in EF.CardAccess.
  ///   - allowsLastTry: true to spend the last try of a code that blocks.
  init(code: consuming AccessCode, offer: AccessOffer, allowsLastTry: Bool) {
    self.code = code
    self.offer = offer
    self.allowsLastTry = allowsLastTry
  }

  struct Session: ~Copyable {
    /// The keys of the channel, with its counter.
    let messaging: SecureMessaging
    let access: AccessCode.AccessProtocol
    /// With chip-authentication mapping, the proof that EF.CardSecurity must still confirm.
    let chipProof: ChipMappingProof?

    /// As in `PACE.Session`.
    borrowing func facts() -> (access: AccessCode.AccessProtocol, chipProof: ChipMappingProof?) {
      (access, chipProof)
    }
  }

  /// True if the document may be opened again, because presenting the code a second time costs no
  /// try.
  var isRepeatable: Bool { !code.kind.isBlocking }

  /// Opens the document: by PACE, or by Basic Access Control if the code is an MRZ and PACE is not
  /// possible. Afterwards the master file is selected, or the application after Basic Access
  /// Control.
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
      // If the card does not support Basic Access Control either, report the reason why PACE did
      // not run.
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
        // A chip that drops the leading zero derives other keys although the password is right:
        // retry once with fresh ones. Not if the card counts tries, because it would cost a second
        // one.
        if mayTryAgain, secretBeginsWithZero, !status.countsTries {
          mayTryAgain = false
          continue
        }
        throw CardError(.openAccess, reason(status))
      }
    }
  }

  /// MSE:Set AT returns 63Cx if a code has tries (BSI TR-03110-3 §B.14.1).
  private func judge(_ status: StatusWord) throws(CardError) {
    switch status {
    case .success: return
    case .triesLeft(0), .authenticationBlocked:
      throw CardError(.openAccess, .accessCodeBlocked(code.kind))
    case .triesLeft(let tries)
    where code.kind.isBlocking
      && KnownTries.withholds(Int(tries), allowingLastTry: allowsLastTry):
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
    // 63xx with a proprietary meaning is still "not verified" (ISO/IEC 7816-4 table 6).
    case .other(let word) where word >> 8 == 0x63: .wrongAccessCode(code.kind, triesLeft: nil)
    default: .accessRefused(code.kind, status)
    }
  }
}

extension StatusWord {
  /// True if the card counts wrong codes and reports how many tries are left.
  fileprivate var countsTries: Bool {
    switch self {
    case .triesLeft, .authenticationBlocked: true
    default: false
    }
  }
}

extension CardError {
  /// True if Basic Access Control may be tried after a failed PACE: the card does not offer PACE or
  /// refuses it, or the reader does not carry its commands. A wrong code would be wrong there too,
  /// and a response that fails verification ends everything.
  fileprivate var leavesBasicAccess: Bool {
    switch reason {
    case .noAccessProtocol, .extendedLengthNeeded, .refused, .accessRefused: step == .openAccess
    default: false
    }
  }
}

extension SecureChannel where Channel: ~Copyable {
  /// Opens the document again after the card ended this channel, with short commands from now on,
  /// because an extended one may have been the cause.
  ///
  /// - Returns: the protocol that opened it.
  mutating func reopen(
    with access: borrowing DocumentAccess, random: inout some RandomSource
  ) throws(CardError) -> AccessCode.AccessProtocol {
    var opened = AccessCode.AccessProtocol.basic
    try restart { plain throws(CardError) in
      // In clear, which makes the card drop the old session.
      try plain.selectMasterFile(at: .openAccess)
      let session = try access.open(through: &plain, random: &random)
      opened = session.access
      return session.messaging
    }
    return opened
  }
}
