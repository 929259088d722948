/// The travel document of a card behind the secure channel that PACE or Basic Access Control opened.
///
/// What it reads is protected on the way, and proves nothing yet of who issued it: `AuthenticityReport` judges
/// that. Letting go of the value closes the channel; `endSession` goes back to the rest of the card.
public struct TravelDocument<Channel: CardChannel & ~Copyable>: ~Copyable {
  var channel: SecureChannel<Channel>
  let report: @Sendable (CardError.Step) -> Void
  private let atr: [UInt8]
  private let opened: Opened
  private let opening: DocumentAccess
  private var block: Int

  private struct Opened {
    let access: AccessCode.AccessProtocol
    let cardAccess: [UInt8]?
    let cardSecurity: [UInt8]?
    let chipMapping: ChipAuthenticationResult?
  }

  /// How it was opened.
  public var access: AccessCode.AccessProtocol { opened.access }
  /// EF.CardAccess, as read in clear before; `nil` when the card has none.
  public var cardAccess: [UInt8]? { opened.cardAccess }
  /// EF.CardSecurity, where chip-authentication mapping needed it.
  public var cardSecurity: [UInt8]? { opened.cardSecurity }
  /// What chip-authentication mapping proves, if EF.CardSecurity is genuine; `nil` with another mapping.
  package var chipMapping: ChipAuthenticationResult? { opened.chipMapping }

  /// After PACE the master file is still current: EF.CardSecurity first, where it is needed, then the application.
  /// After Basic Access Control the application is selected already.
  init(
    openedBy session: consuming DocumentAccess.Session, with opening: consuming DocumentAccess,
    on card: consuming IdentityCard<Channel>, cardAccess: [UInt8]?
  ) throws(CardError) {
    let (access, proof) = session.facts()
    let (atr, report) = (card.atr, card.report)
    var channel = SecureChannel(over: card.channel, messaging: session.messaging)
    var cardSecurity: [UInt8]?
    if proof != nil {
      report(.readCardSecurity)
      // Without it the mapping proves nothing.
      cardSecurity = try FileReader.readIfGiven(.cardSecurity, through: &channel)
    }
    try channel.selectTravelDocument(after: access, report: report)
    opened = Opened(
      access: access, cardAccess: cardAccess, cardSecurity: cardSecurity,
      chipMapping: cardSecurity.flatMap { proof?.judge(cardSecurity: $0) })
    self.atr = atr
    self.report = report
    self.opening = opening
    block = channel.maximumReadLength
    self.channel = channel
  }

  /// Opens the document once more after the card ended the channel, in short commands from now on, where that costs
  /// no try.
  ///
  /// - Returns: whether it was done.
  mutating func reopen(random: inout some RandomSource) throws(CardError) -> Bool {
    guard opening.isRepeatable else { return false }
    report(.openAccess)
    let access = try channel.reopen(with: opening, random: &random)
    try channel.selectTravelDocument(after: access, report: report)
    block = channel.maximumReadLength
    return true
  }

  /// Reads a data group: the whole file, from its tag on.
  ///
  /// - Throws: `CardError`; `.refused` where the card has no such group (6A82) or protects it further (6982).
  public mutating func read(_ group: DataGroup) throws(CardError) -> [UInt8] {
    var progress = FileProgress()
    return try read(group, resuming: &progress)
  }

  /// Reads a data group, or the rest of one that was begun in an earlier contact with the same card.
  ///
  /// - Parameters:
  ///   - group: the same as in the earlier contact.
  ///   - progress: grows also when the reading fails.
  package mutating func read(
    _ group: DataGroup, resuming progress: inout FileProgress
  ) throws(CardError) -> [UInt8] {
    try read(.dataGroup(group), into: &progress)
  }

  /// Reads EF.SOD, the signed hashes of the data groups.
  public mutating func readSecurityObject() throws(CardError) -> [UInt8] {
    var progress = FileProgress()
    return try read(.documentSecurityObject, into: &progress)
  }

  /// Reads EF.COM, which lists the data groups; it is not signed.
  public mutating func readCommonData() throws(CardError) -> [UInt8] {
    var progress = FileProgress()
    return try read(.commonData, into: &progress)
  }

  private mutating func read(
    _ file: ElementaryFile, into progress: inout FileProgress
  ) throws(CardError) -> [UInt8] {
    report(file.step)
    return try FileReader.read(file, into: &progress, block: &block, through: &channel)
  }

  /// Asks the chip to sign a challenge with the key of DG15 (active authentication, Doc 9303-11 §6.1).
  ///
  /// - Parameter challenge: eight fresh random bytes.
  /// - Returns: the signature; `nil` when the card refuses.
  public mutating func answer(to challenge: [UInt8]) throws(CardError) -> [UInt8]? {
    report(.answerChallenge)
    let response = try channel.send(
      .internalAuthenticate(challenge, expected: .upTo(256)), at: .answerChallenge)
    return response.status == .success ? response.data : nil
  }

  /// Ends the session and goes back to the card as it is after a reset: the master file is selected in clear, which
  /// the card answers by dropping the secure channel.
  public consuming func endSession() throws(CardError) -> IdentityCard<Channel> {
    report(.leaveTravelDocument)
    let atr = atr
    let report = report
    var plain = channel.endSession()
    _ = try plain.send(CardApplication.masterFile.selection, at: .leaveTravelDocument)
    return IdentityCard(resuming: plain, atr: atr, report: report)
  }
}

extension SecureChannel where Channel: ~Copyable {
  /// Selects the travel-document application, which Basic Access Control has done already.
  fileprivate mutating func selectTravelDocument(
    after access: AccessCode.AccessProtocol, report: (CardError.Step) -> Void
  ) throws(CardError) {
    guard access != .basic else { return }
    report(.selectTravelDocument)
    try require(CardApplication.travelDocument.selection, at: .selectTravelDocument)
  }
}
