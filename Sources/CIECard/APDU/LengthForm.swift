/// The length form of a conversation, and how far it is known to work.
///
/// Extended APDUs need the reader *and* the card. A reader announces them by PC/SC part 10, a card
/// in EF.ATR (tag 7F66). Regardless of both, a length refused in clear is retried once in short
/// form, which is harmless there.
struct LengthForm: Equatable, Sendable {
  /// The longest response in extended form; `nil` in short form.
  private var maximum: Int?
  /// True until a response in extended form has come.
  private var isTrial = false
  /// True if EF.ATR/INFO, or the caller, says that the card takes extended length.
  private var isAnnounced = true

  /// The longest response, with status word, that EF.ATR of a CIE announces in tag 7F66 on chips
  /// that accept extended APDUs: 07E3 bytes, so 07E1 of data.
  static let cardResponseLimit = 0x7E3 - 2

  init(reader: ChannelTraits.ExtendedLength, cardTakesExtended: Bool?) {
    guard cardTakesExtended != false,
      reader.maximumDataLength > CommandAPDU.maximumShortResponse
    else { return }
    maximum = min(reader.maximumDataLength, Self.cardResponseLimit)
    isTrial = true
  }

  /// Tries the next response in extended form although the card does not announce it.
  mutating func tryUnannounced(reader: ChannelTraits.ExtendedLength) {
    self = LengthForm(reader: reader, cardTakesExtended: nil)
    isAnnounced = false
  }

  /// Takes the form that a card announces in EF.ATR/INFO, as far as the reader supports it. Without an
  /// announcement the form stays extended only if that has just worked.
  mutating func learn(_ limits: CardLimits, reader: ChannelTraits.ExtendedLength) {
    guard let announced = limits.response else {
      if isTrial || isAnnounced { maximum = nil }
      return
    }
    let response = min(reader.maximumDataLength, announced)
    maximum = response > CommandAPDU.maximumShortResponse ? response : nil
    isAnnounced = true
  }

  /// Uses short APDUs from now on, unless the card announces extended ones.
  mutating func keepAnnounced() {
    if !isAnnounced { maximum = nil }
  }

  var isExtended: Bool { maximum != nil }

  /// True if every command may be in extended form; otherwise only READ BINARY, with which it was tried.
  var isForEveryCommand: Bool { isExtended && isAnnounced }

  var form: CommandAPDU.Form { maximum.map { .extended(maximumResponse: $0) } ?? .short }

  /// The form of a command under secure messaging, where a refusal may cost the channel.
  func form(of command: CommandAPDU) -> CommandAPDU.Form {
    isAnnounced || command.readsBinary ? form : .short
  }

  /// The most data bytes of one response.
  var maximumResponse: Int { maximum ?? CommandAPDU.maximumShortResponse }

  /// Evaluates the response to an extended command.
  ///
  /// - Returns: true if the response is valid; otherwise the form is short from now on and the
  ///   command must be sent again.
  mutating func judgeTrial(_ status: StatusWord) -> Bool {
    guard isExtended else { return true }
    // Once extended length has worked, only this status word means that another length is refused.
    let isRefused = isTrial ? status.hidesLengthTrouble : status == .wrongLength
    if isRefused { maximum = nil }
    if status.givesData { isTrial = false }
    return !isRefused
  }

  /// Uses short APDUs from now on, as after the reader refused a length.
  ///
  /// - Returns: true if that is a change.
  @discardableResult
  mutating func stepDown() -> Bool {
    defer { maximum = nil }
    return isExtended
  }
}

extension ChannelTraits.ExtendedLength {
  /// The most data bytes of a command or a response; an unknown limit of the reader is tried.
  var maximumDataLength: Int {
    switch self {
    case .notCarried: CommandAPDU.maximumShortData
    case .unknown: CommandAPDU.maximumExtendedResponse
    case .carried(let maximum): maximum
    }
  }

  /// True if the reader may carry a command with this many data bytes.
  func carries(_ length: Int) -> Bool { length <= maximumDataLength }
}

/// The card's limits for APDUs in EF.ATR/INFO (ISO/IEC 7816-4 §12.7.1): 7F66 { 02 command, 02
/// response }.
struct CardLimits: Equatable, Sendable {
  /// Most data bytes of a response, without status word; `nil` if the card announces none.
  let response: Int?

  /// Finds the announcement among the data objects of EF.ATR/INFO; the file may begin with a
  /// category byte.
  init(information file: [UInt8]) {
    response = Self.announced(in: file[...]) ?? Self.announced(in: file.dropFirst())
  }

  private static func announced(in bytes: ArraySlice<UInt8>) -> Int? {
    var cursor = TLVCursor(bytes)
    // Objects are read one at a time, because any bytes may follow the last one.
    while let object = try? cursor.next() {
      guard object.tag == 0x7F66 else { continue }
      guard let limits = try? object.contents.all(), limits.count == 2,
        let response = limits.last, response.tag == 0x02, response.value.count <= 3
      else { return nil }
      let total = response.value.reduce(0) { $0 << 8 | Int($1) }
      return min(max(0, total - 2), CommandAPDU.maximumExtendedResponse)
    }
    return nil
  }
}

extension ChannelTraits {
  /// Policy for extended-length APDUs where short ones suffice.
  public enum LengthPolicy: Sendable, Equatable {
    /// If the reader carries them and the card announces them in EF.ATR, which costs one command to
    /// read; and for the reading of the travel document, if PACE needs them and the card has given
    /// EF.ATR in one.
    case automatic
    /// Immediately, unless the reader excludes them; short ones after the card refused one.
    case extended
    /// Never for reading; for key agreements that do not fit short ones.
    case needed
    /// Never.
    case short
  }
}
