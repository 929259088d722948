/// A CIE on a channel: what it tells without a PIN.
///
/// The value owns the channel. `authenticate` consumes it and returns the card with both sides proven; letting
/// go of it closes the channel, which resets the card. All calls block until the card has answered.
public struct IdentityCard<Channel: CardChannel & ~Copyable>: ~Copyable {
  private let answerToReset: [UInt8]
  var channel: PlainChannel<Channel>
  private var selected: CardApplication?
  let report: @Sendable (Step) -> Void

  /// The answer to reset.
  public var atr: [UInt8] { answerToReset }

  /// What the answer to reset hints at.
  public var family: ChipFamily { ChipFamily(atr: answerToReset) }

  /// Takes over a channel; nothing is sent yet.
  ///
  /// - Parameters:
  ///   - channel: the way to the card.
  ///   - report: told of each step as it begins; called on the caller's thread.
  public init(
    over channel: consuming Channel, report: @escaping @Sendable (Step) -> Void = { _ in }
  ) {
    answerToReset = channel.traits.atr
    self.channel = PlainChannel(
      channel, cardTakesExtended: ChipFamily(atr: answerToReset).takesExtendedLength)
    self.report = report
  }

  /// Takes a card back from the travel document; nothing is taken as selected.
  init(
    resuming channel: consuming PlainChannel<Channel>, atr: [UInt8],
    report: @escaping @Sendable (Step) -> Void
  ) {
    answerToReset = atr
    self.channel = channel
    self.report = report
  }

  /// Reads the services number (NIS), in clear.
  ///
  /// - Throws: `CardError`; `.notACIE` when the CIE application does not answer.
  public mutating func readServicesNumber() throws(CardError) -> ServicesNumber {
    let bytes = try read(.servicesNumber, at: .readServicesNumber)
    guard let number = ServicesNumber(bytes) else {
      throw CardError(.readServicesNumber, .malformed(.characters))
    }
    return number
  }

  /// Reads EF.SN, the serial number of the chip, in clear.
  public mutating func readChipSerialNumber() throws(CardError) -> ChipSerialNumber {
    ChipSerialNumber(try read(.chipSerialNumber, at: .readChipSerialNumber))
  }

  /// Asks which applications answer to SELECT.
  public mutating func probeApplications() throws(CardError) -> [CardApplication] {
    report(.probeApplications)
    selected = nil
    var answering: [CardApplication] = []
    // The CIE application last: it lives under the root, and the next step most often wants it.
    for application in [CardApplication.travelDocument, .masterFile, .ias, .cie] {
      let response = try channel.send(application.selection, at: .probeApplications)
      guard response.status == .success else { continue }
      answering.append(application)
      selected = application
    }
    return answering
  }

  /// Opens the secure channel: key agreement, then device authentication of both sides (IAS ECC §5.2.3).
  ///
  /// - Parameters:
  ///   - kind: the code that is to be verified next; its tries are asked for as soon as both sides are proven, so that
  ///     a last one is not spent unawares. `nil` for none.
  ///   - random: where the ephemeral secret and the challenges come from.
  /// - Throws: `CardError`; the channel is then closed.
  public consuming func authenticate(
    before kind: CodeKind?, random: inout some RandomSource
  ) throws(CardError) -> AuthenticatedCard<Channel> {
    try selectCIE()
    report(.readDomainParameters)
    let parameters = try DomainParameters.read(through: &channel, family: family)
    try parameters.validate()
    let keyFile = try read(.deviceKey, at: .readDeviceKey)
    guard let chipKey = RSAPublicKey(cuttingPKCS1: keyFile),
      chipKey.modulus.bitLength == AuthorityKey.modulusLength * 8
    else { throw CardError(.readDeviceKey, .unsafeParameters(.deviceKey)) }
    report(.readAuthorityKey)
    let authority = try AuthorityKey.read(through: &channel)
    report(.agreeKeys)
    let unproven = try KeyAgreement.run(over: channel, parameters: parameters, random: &random)
    var secure = try unproven.authenticate(
      chipKey: chipKey, authority: authority, random: &random, report: report)
    var tries: Int?
    if let kind {
      report(.readTries)
      tries = try secure.readTries(of: kind)
    }
    return AuthenticatedCard(over: secure, triesLeft: tries, report: report)
  }

  /// Reads a file, selecting what it lives under where that is not selected yet.
  mutating func read(_ file: ElementaryFile, at step: Step) throws(CardError) -> [UInt8] {
    switch file {
    case .chipSerialNumber, .parameters:
      try selectRoot()
    case .servicesNumber, .documentNumber, .certificate, .deviceKey, .servicesKey, .securityObject:
      try selectCIE()
    }
    report(step)
    return try FileReader.read(file.reference, through: &channel, at: step)
  }

  /// Selects the CIE application once, by way of the root.
  mutating func selectCIE() throws(CardError) {
    guard selected != .cie else { return }
    try selectRoot()
    report(.selectCIE)
    try channel.selectCIE()
    selected = .cie
  }

  private mutating func selectRoot() throws(CardError) {
    guard selected != .ias, selected != .masterFile else { return }
    report(.selectRoot)
    selected = try channel.selectRoot(family)
  }
}
