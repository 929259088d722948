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
    report(.openAccess)
    let access = DocumentAccess(
      code: code, offer: AccessOffer(cardAccess: cardAccess), allowsLastTry: allowingLastTry)
    let session = try access.open(through: &channel, random: &random)
    return try TravelDocument(
      openedBy: session, with: access, on: self, cardAccess: cardAccess)
  }

  /// EF.CardAccess under the master file, whatever the reader's stack has selected before.
  ///
  /// - Returns: `nil` when the card has none.
  private mutating func readCardAccess() throws(CardError) -> [UInt8]? {
    if let file = try readInMasterFile() { return file }
    // Where an application is current that does not let go: by way of the travel document.
    let selection = try channel.send(
      CardApplication.travelDocument.selection, at: .readCardAccess)
    if let file = try readInMasterFile() { return file }
    guard selection.status.leavesApplication else {
      throw CardError(.readCardAccess, .notACIE(selection.status))
    }
    // Chips of one family hide the files of the master file once the CIE application was selected, until their power
    // was off (seen on a real card: M0Rf30/opencie-pkcs11, test_pcsc_field_cycle.cpp).
    guard try channel.powerCycle(at: .readCardAccess) else { return nil }
    return try readInMasterFile()
  }

  private mutating func readInMasterFile() throws(CardError) -> [UInt8]? {
    // The answer does not matter: on a fresh card the master file is current anyway.
    _ = try channel.send(.selectMasterFileSilently, at: .readCardAccess)
    // In short blocks: what it says decides about longer ones.
    return try FileReader.readIfGiven(
      .cardAccess, block: CommandAPDU.maximumShortResponse, through: &channel)
  }

  /// EF.ATR/INFO (2F01) says whether the card takes extended length for reading. A long portrait repays the two
  /// commands many times over.
  private mutating func learnLimits() throws(CardError) {
    guard channel.reader.carries(CommandAPDU.maximumShortResponse) else { return }
    let selection = try channel.send(.select(.cardLimits), at: .readCardLimits)
    var content: [UInt8] = []
    if selection.status == .success {
      let response = try channel.send(
        .readBinary(offset: 0, length: CommandAPDU.maximumShortResponse), at: .readCardLimits)
      content = response.data
    }
    channel.learn(CardLimits(information: content))
  }
}

extension StatusWord {
  /// Whether the application may be there all the same: one that must be opened before it is selected says 6982 or
  /// 6985. A card of another kind, such as a bank's, does not know its name.
  fileprivate var leavesApplication: Bool {
    switch self {
    case .securityStatusNotSatisfied, .conditionsNotSatisfied: true
    default: claimsSuccess
    }
  }
}
