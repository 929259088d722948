extension IdentityCard where Channel: ~Copyable {
  /// Opens the travel document: by PACE, or by Basic Access Control where the code is an MRZ and PACE is not possible.
  ///
  /// A CIE announces PACE with Diffie–Hellman over 2048 bits, which needs extended-length APDUs.
  ///
  /// - Parameters:
  ///   - code: used up, right or wrong.
  ///   - allowingLastTry: whether the last try of a code that blocks may be spent.
  ///   - random: where ephemeral keys come from.
  /// - Throws: `CardError`: `.wrongAccessCode`, `.extendedLengthNeeded`, `.noAccessProtocol`; the channel is then
  ///   closed.
  public consuming func openTravelDocument(
    with code: consuming AccessCode, allowingLastTry: Bool = false,
    random: inout some RandomSource
  ) throws(CardError) -> TravelDocument<Channel> {
    report(.readCardAccess)
    let cardAccess = try readCardAccess()
    report(.readCardLimits)
    try learnLimits()
    let offer = AccessOffer(cardAccess: cardAccess)
    report(.openAccess)
    var opened: PACE.Session?
    var obstacle: CardError?
    do throws(CardError) {
      opened = try runPACE(
        offer, code: code, allowingLastTry: allowingLastTry, random: &random)
    } catch {
      guard code.kind == .mrz, error.leavesBasicAccess else { throw error }
      opened = nil
      obstacle = error
    }
    if let session = opened.take() {
      return try TravelDocument(openedBy: session, on: self, cardAccess: cardAccess)
    }
    let session: BasicAccess.Session
    do throws(CardError) {
      try selectPlainly()
      session = try BasicAccess.run(code: code, through: &channel, random: &random)
    } catch {
      // Where the card has no Basic Access Control either, what kept PACE from running is the thing to tell.
      if case .refused = error.reason, let obstacle { throw obstacle }
      throw error
    }
    return TravelDocument(openedBy: session, on: self, cardAccess: cardAccess)
  }

  /// EF.CardAccess under the master file, whatever the reader's stack has selected before.
  ///
  /// - Returns: `nil` when the card has none.
  private mutating func readCardAccess() throws(CardError) -> [UInt8]? {
    // The answer does not matter: on a fresh card the master file is current anyway.
    _ = try channel.send(Self.selectMasterFile, at: .readCardAccess)
    if let file = try readIfPossible(LDSFile.cardAccess.reference, at: .readCardAccess) {
      return file
    }
    // Where an application is current that does not let go: by way of the travel document.
    _ = try channel.send(CardApplication.travelDocument.selection, at: .readCardAccess)
    _ = try channel.send(Self.selectMasterFile, at: .readCardAccess)
    return try readIfPossible(LDSFile.cardAccess.reference, at: .readCardAccess)
  }

  /// Reads a small file in clear, in short blocks: what it says decides about longer ones.
  ///
  /// - Returns: `nil` when the card refuses, or the file has not its form.
  private mutating func readIfPossible(
    _ file: FileReference, at step: Step
  ) throws(CardError) -> [UInt8]? {
    var progress = FileProgress()
    var block = CommandAPDU.maximumShortResponse
    do throws(CardError) {
      return try FileReader.read(
        file, into: &progress, block: &block, through: &channel, at: step)
    } catch {
      guard error.leavesFileOut else { throw error }
      return nil
    }
  }

  /// EF.ATR/INFO (2F01) says whether the card takes extended length for reading. A long portrait repays the two
  /// commands many times over.
  private mutating func learnLimits() throws(CardError) {
    guard channel.reader.carries(CommandAPDU.maximumShortResponse) else { return }
    let file = FileReference(
      identifier: 0x2F01, shortIdentifier: nil, extent: .object, maximumLength: 0x7FFF,
      selectionControl: 0x0C)
    let selection = try channel.send(.select(file), at: .readCardLimits)
    var content: [UInt8] = []
    if selection.status == .success {
      let response = try channel.send(
        .readBinary(offset: 0, length: CommandAPDU.maximumShortResponse), at: .readCardLimits)
      content = response.data
    }
    channel.learn(CardLimits(information: content))
  }

  private mutating func runPACE(
    _ offer: AccessOffer, code: borrowing AccessCode, allowingLastTry: Bool,
    random: inout some RandomSource
  ) throws(CardError) -> PACE.Session {
    guard let selection = try offer.selection(over: channel.reader) else {
      throw CardError(.openAccess, offer.obstacle(over: channel.reader))
    }
    var mayTryAgain = !code.kind.isBlocking
    while true {
      let status = try PACE.select(selection, for: code.kind, through: &channel)
      try Self.judge(status, of: code.kind, allowingLastTry: allowingLastTry)
      switch try PACE.run(selection, code: code, through: &channel, random: &random) {
      case .opened(let session):
        return session
      case .wrongPassword(let status, let secretBeginsWithZero):
        // A chip that drops the zero has other keys although the password is right: once more with fresh ones.
        if mayTryAgain, secretBeginsWithZero {
          mayTryAgain = false
          continue
        }
        throw CardError(.openAccess, Self.reason(status, code.kind))
      }
    }
  }

  /// MSE:Set AT answers 63Cx where a code has tries (BSI TR-03110-3 §B.14.1).
  private static func judge(
    _ status: StatusWord, of kind: AccessCode.Kind, allowingLastTry: Bool
  ) throws(CardError) {
    switch status {
    case .success: return
    case .triesLeft(0), .authenticationBlocked:
      throw CardError(.openAccess, .accessCodeBlocked(kind))
    case .triesLeft(1) where kind.isBlocking && !allowingLastTry:
      throw CardError(.openAccess, .lastAccessTryRefused(kind))
    case .triesLeft: return
    default: throw CardError(.openAccess, .refused(status))
    }
  }

  private static func reason(_ status: StatusWord, _ kind: AccessCode.Kind) -> CardError.Reason {
    switch status {
    case .authenticationFailed: .wrongAccessCode(kind, triesLeft: nil)
    case .triesLeft(0): .accessCodeBlocked(kind)
    case .triesLeft(let tries): .wrongAccessCode(kind, triesLeft: Int(tries))
    case .authenticationBlocked: .accessCodeBlocked(kind)
    // 63xx with a meaning of the maker's own is still "not verified" (ISO/IEC 7816-4 table 6).
    case .other(let word) where word >> 8 == 0x63: .wrongAccessCode(kind, triesLeft: nil)
    default: .accessRefused(kind, status)
    }
  }

  private mutating func selectPlainly() throws(CardError) {
    let response = try channel.send(
      CardApplication.travelDocument.selection, at: .selectTravelDocument)
    guard response.status == .success else {
      throw CardError(.selectTravelDocument, .refused(response.status))
    }
  }

  /// SELECT the master file without asking for anything back (Doc 9303-11 §4.4.4).
  private static var selectMasterFile: CommandAPDU { CommandAPDU(0xA4, 0x00, 0x0C) }
}

extension CardError {
  /// Whether a failed PACE leaves Basic Access Control to be tried: the card has none, refuses it, or the reader
  /// does not carry it. A wrong code is wrong there too, and an answer that is not believed ends everything.
  fileprivate var leavesBasicAccess: Bool {
    switch reason {
    case .noAccessProtocol, .extendedLengthNeeded: step == .openAccess
    case .refused, .accessRefused: step == .openAccess
    default: false
    }
  }
}
