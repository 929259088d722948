/// A CIE on a channel, with everything that needs no PIN.
///
/// The value owns the channel. `authenticate` consumes it and returns the card with both sides
/// proven; destroying it closes the channel, which resets the card. All calls block until the card
/// has answered.
public struct IdentityCard<Channel: CardChannel & ~Copyable>: ~Copyable {
  private let answerToReset: [UInt8]
  var channel: PlainChannel<Channel>
  private var selected: CardApplication?
  private var root = Root.unknown
  let lengths: ChannelTraits.LengthPolicy
  let report: @Sendable (CardError.Step) -> Void

  /// The answer to reset.
  public var atr: [UInt8] { answerToReset }

  /// Properties of the connection, known before the first command.
  package var traits: ChannelTraits { channel.traits }

  package var family: ChipFamily { ChipFamily(atr: answerToReset) }

  /// Takes over a channel; nothing is sent yet.
  ///
  /// - Parameters:
  ///   - channel: the connection to the card.
  ///   - lengths: the policy for extended-length APDUs.
  ///   - report: called as each step begins, on the caller's thread.
  public init(
    over channel: consuming Channel, lengths: ChannelTraits.LengthPolicy = .automatic,
    report: @escaping @Sendable (CardError.Step) -> Void = { _ in }
  ) {
    answerToReset = channel.traits.atr
    self.lengths = lengths
    self.channel = PlainChannel(
      channel, cardTakesExtended: lengths == .extended, isShort: lengths == .short)
    self.report = report
  }

  /// Passes the messages of secure messaging in clear to an observer, from the next channel on.
  package mutating func observe(_ observer: @escaping ClearMessage.Observer) {
    channel.observer = observer
  }

  /// Continues after the travel document; nothing is assumed to be selected.
  init(
    resuming channel: consuming PlainChannel<Channel>, atr: [UInt8],
    report: @escaping @Sendable (CardError.Step) -> Void
  ) {
    answerToReset = atr
    // The channel already knows what the card announces.
    lengths = .needed
    self.channel = channel
    self.channel.keepAnnounced()
    self.report = report
  }

  /// Ends the conversation; the channel stays open.
  package consuming func close() -> Channel { channel.close() }

  /// Reads the services number (NIS), in clear.
  ///
  /// - Throws: `CardError`; `.notACIE` if the CIE application does not answer.
  public mutating func readServicesNumber() throws(CardError) -> ServicesNumber {
    let bytes = try read(.servicesNumber)
    guard let number = ServicesNumber(bytes) else {
      throw CardError(.readServicesNumber, .malformed(.characters))
    }
    return number
  }

  /// Reads EF.SN, the serial number of the chip, in clear.
  package mutating func readChipSerialNumber() throws(CardError) -> ChipSerialNumber {
    ChipSerialNumber(try read(.chipSerialNumber))
  }

  package mutating func probeApplications() throws(CardError) -> [CardApplication] {
    report(.probeApplications)
    selected = nil
    var answering: [CardApplication] = []
    // The CIE application last: it lives under the root, and the next step usually needs it.
    for application in [CardApplication.travelDocument, .masterFile, .ias, .cie] {
      var response = try channel.send(application.selection, at: .probeApplications)
      if application == .masterFile, response.status != .success {
        response = try channel.send(
          RootSelection.masterFileByIdentifier.command, at: .probeApplications)
      }
      guard response.status == .success else { continue }
      answering.append(application)
      selected = application
    }
    return answering
  }

  /// Reads a file, selecting its application or the root first if necessary.
  mutating func read(_ file: ElementaryFile) throws(CardError) -> [UInt8] {
    if file.isBelowRoot { try selectRoot() } else { try selectCIE() }
    report(file.step)
    return try FileReader.read(file, through: &channel)
  }

  /// Selects the CIE application once: through the root, or directly if the card knows none of the
  /// commands for the root.
  ///
  /// - Throws: `.notACIE` after the last attempt.
  mutating func selectCIE() throws(CardError) {
    guard selected != .cie else { return }
    if !isRootSelected { _ = try findRoot() }
    report(.selectCIE)
    let response = try channel.send(CardApplication.cie.selection, at: .selectCIE)
    guard response.status == .success else {
      throw CardError(.selectCIE, .notACIE(response.status))
    }
    selected = .cie
  }

  /// The command by which this card selects the root, if any.
  private enum Root {
    case unknown
    case reached(RootSelection)
    case outOfReach(StatusWord)
  }

  private var isRootSelected: Bool { selected == .ias || selected == .masterFile }

  /// - Throws: `.refused` if the files of the master file cannot be reached.
  private mutating func selectRoot() throws(CardError) {
    guard !isRootSelected else { return }
    if let status = try findRoot() { throw CardError(.selectRoot, .refused(status)) }
  }

  /// Selects the root by the first command that the card accepts.
  ///
  /// - Returns: the last refusal if it accepts none; `nil` if the root is selected.
  private mutating func findRoot() throws(CardError) -> StatusWord? {
    let ways: [RootSelection]
    switch root {
    case .unknown: ways = RootSelection.ways(for: family)
    case .reached(let way): ways = [way]
    case .outOfReach(let status): return status
    }
    report(.selectRoot)
    var last = StatusWord.fileNotFound
    for way in ways {
      last = try channel.send(way.command, at: .selectRoot).status
      guard last == .success else { continue }
      selected = way.application
      if case .unknown = root { try learnLengths() }
      root = .reached(way)
      return nil
    }
    root = .outOfReach(last)
    return last
  }

  /// Reads in EF.ATR whether the card supports extended length, if that can matter: one command
  /// that saves twenty. For some families the answer to reset already rules it out.
  private mutating func learnLengths() throws(CardError) {
    guard lengths == .automatic, channel.reader != .notCarried,
      family.takesExtendedLength != false
    else { return }
    let file = try readLimits(atMost: CommandAPDU.iasReadLimit)
    if file.status.givesData { channel.learn(CardLimits(information: file.data)) }
  }

  /// Reads EF.ATR/INFO in the root, by its short identifier.
  mutating func readLimits(atMost length: Int) throws(CardError) -> ResponseAPDU {
    try channel.send(
      .readBinary(shortIdentifier: ElementaryFile.cardLimitsIdentifier, length: length),
      at: .readCardLimits)
  }
}
