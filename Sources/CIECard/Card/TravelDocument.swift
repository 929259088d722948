/// The travel document of a card behind the secure channel opened by PACE or Basic Access Control.
///
/// Data that it reads are protected in transit, which does not prove their issuer:
/// `AuthenticityReport` judges that. Destroying the value closes the channel; `endSession` returns
/// to the rest of the card.
public struct TravelDocument<Channel: CardChannel & ~Copyable>: ~Copyable {
  var channel: SecureChannel<Channel>
  let report: @Sendable (CardError.Step) -> Void
  private let answerToReset: [UInt8]
  // Initialized with the others, because after a throw Swift 6.2 destroys a default value that is not there yet.
  private var progress: Progress
  private let opened: Opened
  private let opening: DocumentAccess
  private var block: Int
  /// True if a file came in short commands over which the channel had ended in extended form.
  var hasEndedOverLength = false

  private struct Opened {
    let access: AccessCode.AccessProtocol
    let cardAccess: [UInt8]?
    let cardSecurity: [UInt8]?
    let chipMapping: AuthenticityReport.ChipProof?
  }

  /// Receives the step of a file, the bytes of it that have been read, and its length in bytes.
  public typealias Progress =
    @Sendable (_ step: CardError.Step, _ read: Int, _ length: Int) -> Void

  /// Calls a receiver before each further command of a file that takes several, on the caller's thread.
  public mutating func observe(progress: @escaping Progress) { self.progress = progress }

  /// The answer to reset.
  package var atr: [UInt8] { answerToReset }
  /// True if the card or the reader ended the channel over a command in extended form; short ones were used then.
  package var endedOverLength: Bool { hasEndedOverLength }

  /// The protocol that opened it.
  public var access: AccessCode.AccessProtocol { opened.access }
  /// EF.CardAccess, as read in clear before; `nil` if the card has none.
  public var cardAccess: [UInt8]? { opened.cardAccess }
  /// EF.CardSecurity, if chip-authentication mapping needed it.
  public var cardSecurity: [UInt8]? { opened.cardSecurity }
  /// Result of chip-authentication mapping, valid only if EF.CardSecurity is genuine; `nil` with
  /// another mapping.
  package var chipMapping: AuthenticityReport.ChipProof? { opened.chipMapping }

  /// After PACE the master file is still current: reads EF.CardSecurity first, if needed, then
  /// selects the application. After Basic Access Control the application is already selected.
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
    answerToReset = atr
    self.report = report
    self.opening = opening
    progress = { _, _, _ in }
    block = channel.announcedReadLength
    self.channel = channel
  }

  /// Reads in long answers from now on, if the card gave EF.ATR in one: for callers that open the document again if the card
  /// ends the channel over it, which costs no try.
  package mutating func tryLongAnswers() {
    if opening.isRepeatable { block = channel.maximumReadLength }
  }

  /// Opens the document again after the card ended the channel, with short commands from now on, if
  /// that costs no try.
  ///
  /// - Returns: true if it was opened.
  mutating func reopen(random: inout some RandomSource) throws(CardError) -> Bool {
    guard opening.isRepeatable else { return false }
    report(.openAccess)
    let access = try channel.reopen(with: opening, random: &random)
    try channel.selectTravelDocument(after: access, report: report)
    block = channel.announcedReadLength
    return true
  }

  /// Reads a data group: the whole file, including its tag.
  ///
  /// - Throws: `CardError`; `.refused` if the card has no such group (6A82) or protects it further
  ///   (6982).
  public mutating func read(_ group: DataGroup) throws(CardError) -> [UInt8] {
    try read(.dataGroup(group))
  }

  /// Reads EF.SOD, the signed hashes of the data groups.
  public mutating func readSecurityObject() throws(CardError) -> [UInt8] {
    try read(.documentSecurityObject)
  }

  /// Reads EF.COM, which lists the data groups; it is not signed.
  public mutating func readCommonData() throws(CardError) -> [UInt8] { try read(.commonData) }

  /// Reads EF.COM by SELECT and a READ BINARY of each length, as the worked example of Doc 9303-11
  /// appendix D.4 does.
  package mutating func readCommonData(inParts lengths: [Int]) throws(CardError) -> [UInt8] {
    report(.readCommonData)
    try channel.require(.select(.commonData), at: .readCommonData)
    var content: [UInt8] = []
    for length in lengths {
      content += try channel.require(
        .readBinary(offset: content.count, length: length), at: .readCommonData)
    }
    return content
  }

  private mutating func read(_ file: ElementaryFile) throws(CardError) -> [UInt8] {
    report(file.step)
    return try FileReader.read(file, block: &block, through: &channel) { [progress] in
      progress(file.step, $0, $1)
    }
  }

  /// Makes the chip sign a challenge with the key of DG15 (active authentication, Doc 9303-11
  /// §6.1).
  ///
  /// - Parameter challenge: eight fresh random bytes.
  /// - Returns: the signature; `nil` if the card refuses.
  public mutating func answer(to challenge: [UInt8]) throws(CardError) -> [UInt8]? {
    report(.answerChallenge)
    let response = try channel.send(
      .internalAuthenticate(challenge, expected: .upTo(256)), at: .answerChallenge)
    return response.status == .success ? response.data : nil
  }

  /// Ends the session and returns to the card as after a reset: the master file is selected in
  /// clear, which makes the card drop the secure channel.
  public consuming func endSession() throws(CardError) -> IdentityCard<Channel> {
    report(.leaveTravelDocument)
    let (atr, report) = (answerToReset, report)
    var plain = channel.endSession()
    _ = try plain.send(CardApplication.masterFile.selection, at: .leaveTravelDocument)
    return IdentityCard(resuming: plain, atr: atr, report: report)
  }
}

extension SecureChannel where Channel: ~Copyable {
  /// Selects the travel-document application, which Basic Access Control has already done.
  fileprivate mutating func selectTravelDocument(
    after access: AccessCode.AccessProtocol, report: (CardError.Step) -> Void
  ) throws(CardError) {
    guard access != .basic else { return }
    report(.selectTravelDocument)
    try require(CardApplication.travelDocument.selection, at: .selectTravelDocument)
  }
}
