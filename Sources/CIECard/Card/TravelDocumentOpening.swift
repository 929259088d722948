extension IdentityCard where Channel: ~Copyable {
  /// Opens the travel document: by PACE, or by Basic Access Control if the code is an MRZ and PACE
  /// is not possible.
  ///
  /// A CIE announces PACE with Diffie–Hellman over 2048 bits, which needs extended-length APDUs.
  ///
  /// - Parameters:
  ///   - code: consumed, right or wrong.
  ///   - allowingLastTry: true to spend the last try of a code that blocks.
  ///   - random: the source of ephemeral keys.
  /// - Throws: `CardError`: `.wrongAccessCode`, `.extendedLengthNeeded`, `.noAccessProtocol`; the channel is then
  ///   closed.
  public consuming func openTravelDocument(
    with code: consuming AccessCode, allowingLastTry: Bool = false,
    random: inout some RandomSource
  ) throws(CardError) -> TravelDocument<Channel> {
    report(.readCardAccess)
    let cardAccess = try readCardAccess()
    let offer = AccessOffer(cardAccess: cardAccess)
    report(.readCardLimits)
    try learnLimits(before: offer)
    report(.openAccess)
    let access = DocumentAccess(code: code, offer: offer, allowsLastTry: allowingLastTry)
    let session = try access.open(through: &channel, random: &random)
    return try TravelDocument(
      openedBy: session, with: access, on: self, cardAccess: cardAccess)
  }

  /// Reads EF.CardAccess: at once, because the master file of a fresh card is current, or after
  /// selecting that, whatever the reader's software has selected before.
  ///
  /// - Returns: `nil` if the card has none.
  private mutating func readCardAccess() throws(CardError) -> [UInt8]? {
    let current = try FileReader.readIfGiven(
      .currentCardAccess, block: Self.firstBlock, through: &channel)
    if let current, !AccessOffer(cardAccess: current).candidates.isEmpty { return current }
    if let file = try readInMasterFile() { return file }
    // If the current application refuses that, through the travel document.
    let selection = try channel.send(
      CardApplication.travelDocument.selection, at: .readCardAccess)
    if let file = try readInMasterFile() { return file }
    guard selection.status.leavesApplication else {
      throw CardError(.readCardAccess, .notACIE(selection.status))
    }
    // Chips of one family hide the files of the master file once the CIE application was selected,
    // until they are powered off (seen on a real card: M0Rf30/opencie-pkcs11,
    // test_pcsc_field_cycle.cpp).
    guard try channel.powerCycle(at: .readCardAccess) else { return nil }
    return try readInMasterFile()
  }

  private mutating func readInMasterFile() throws(CardError) -> [UInt8]? {
    // The status word is ignored: on a fresh card the master file is current anyway.
    try channel.selectMasterFile(at: .readCardAccess)
    return try FileReader.readIfGiven(.cardAccess, block: Self.firstBlock, through: &channel)
  }

  /// In short blocks, because the content of EF.CardAccess decides about longer ones.
  private static var firstBlock: Int { CommandAPDU.maximumShortResponse }

  /// Reads in EF.ATR/INFO whether the card supports extended length for reading; if PACE needs that anyway, in extended
  /// form, because a card that announces nothing may still take it. In clear a refusal costs one command, under secure
  /// messaging perhaps the channel. A long portrait repays it many times over.
  private mutating func learnLimits(before offer: AccessOffer) throws(CardError) {
    guard lengths == .automatic, channel.reader.carries(CommandAPDU.maximumShortResponse) else {
      return
    }
    if family.readsUnannounced, try offer.needsExtendedLength(over: channel.reader) {
      channel.tryUnannounced()
    }
    var response = try readLimits(atMost: channel.maximumReadLength)
    // The file is shorter than this limit on every known card.
    if response.status == .wrongLength {
      response = try readLimits(atMost: CommandAPDU.iasReadLimit)
    } else if !response.status.givesData {
      let selection = try channel.send(.select(.cardLimits), at: .readCardLimits)
      if selection.status == .success {
        response = try channel.send(
          .readBinary(offset: 0, length: CommandAPDU.iasReadLimit), at: .readCardLimits)
      }
    }
    channel.learn(CardLimits(information: response.status.givesData ? response.data : []))
  }
}

extension PlainChannel where Channel: ~Copyable {
  /// Selects the master file: without data, as nearly all cards support, otherwise by its
  /// identifier 3F00.
  mutating func selectMasterFile(at step: CardError.Step) throws(CardError) {
    guard try send(.selectMasterFileSilently, at: step).status != .success else { return }
    _ = try send(.selectMasterFileByIdentifier, at: step)
  }
}

extension StatusWord {
  /// True if the application may be there all the same: one that must be opened before it is
  /// selected returns 6982 or 6985. A card of another kind, such as a bank card, does not know its
  /// name.
  fileprivate var leavesApplication: Bool {
    switch self {
    case .securityStatusNotSatisfied, .conditionsNotSatisfied: true
    default: claimsSuccess
    }
  }
}
