/// Which length form a conversation uses, and how it was found out.
///
/// Extended APDUs need the reader *and* the card. A reader says so by PC/SC part 10, a card in EF.ATR (tag 7F66).
/// Whatever they say, in clear a refused length is tried once more in short form: nothing is lost by it there.
struct LengthForm: Equatable, Sendable {
  private var state: State

  private enum State: Equatable, Sendable {
    case short
    case trial(maximumResponse: Int)
    case extended(maximumResponse: Int)
  }

  /// The whole response (with status word) that the CIE's EF.ATR announces in tag 7F66 on the chips that take
  /// extended APDUs: 07E3 bytes, so 07E1 of data.
  static let cardResponseLimit = 0x7E3 - 2

  init(reader: ChannelTraits.ExtendedLength, cardTakesExtended: Bool?) {
    guard cardTakesExtended != false else {
      state = .short
      return
    }
    switch reader {
    case .notCarried:
      state = .short
    case .unknown:
      state = .trial(maximumResponse: Self.cardResponseLimit)
    case .carried(let maximum) where maximum > CommandAPDU.maximumShortResponse:
      state = .trial(maximumResponse: min(maximum, Self.cardResponseLimit))
    case .carried:
      state = .short
    }
  }

  /// The form that a card announces in EF.ATR/INFO, as far as the reader goes along.
  init(reader: ChannelTraits.ExtendedLength, limits: CardLimits) {
    let response = min(reader.maximumDataLength, limits.response)
    state =
      response > CommandAPDU.maximumShortResponse ? .extended(maximumResponse: response) : .short
  }

  var isExtended: Bool {
    switch state {
    case .short: false
    case .trial, .extended: true
    }
  }

  var form: CommandAPDU.Form {
    switch state {
    case .short: .short
    case .trial(let maximum), .extended(let maximum): .extended(maximumResponse: maximum)
    }
  }

  /// The most data bytes of one response.
  var maximumResponse: Int {
    switch state {
    case .short: CommandAPDU.maximumShortResponse
    case .trial(let maximum), .extended(let maximum): maximum
    }
  }

  /// Learns from the answer to an extended command.
  ///
  /// - Returns: whether the answer stands; otherwise the form is short from now on and the command is sent again.
  mutating func judgeTrial(_ status: StatusWord) -> Bool {
    guard case .trial(let maximum) = state else {
      // What went well once may be refused elsewhere; then only this word is of the length.
      guard isExtended, status == .wrongLength else { return true }
      state = .short
      return false
    }
    if status.hidesLengthTrouble {
      state = .short
      return false
    }
    if status == .success { state = .extended(maximumResponse: maximum) }
    return true
  }

  /// Speaks in short APDUs from now on, as after the reader refused a length.
  ///
  /// - Returns: whether that is a change.
  @discardableResult
  mutating func stepDown() -> Bool {
    defer { state = .short }
    return isExtended
  }
}

extension ChannelTraits.ExtendedLength {
  /// The most data bytes that a command or a response may have; a reader that does not say is tried.
  var maximumDataLength: Int {
    switch self {
    case .notCarried: CommandAPDU.maximumShortData
    case .unknown: CommandAPDU.maximumExtendedResponse
    case .carried(let maximum): maximum
    }
  }

  /// Whether the reader may carry a command with this many data bytes.
  func carries(_ length: Int) -> Bool { length <= maximumDataLength }
}

/// What EF.ATR/INFO says about the longest APDUs (ISO/IEC 7816-4 §12.7.1): 7F66 { 02 command, 02 response }.
struct CardLimits: Equatable, Sendable {
  /// Most data bytes of a response, status word apart; 0 when the card announces no extended length.
  let response: Int

  /// Looks for the announcement among the data objects of EF.ATR/INFO; the file may begin with a category byte.
  init(information file: [UInt8]) {
    response = Self.announced(in: file[...]) ?? Self.announced(in: file.dropFirst()) ?? 0
  }

  private static func announced(in bytes: ArraySlice<UInt8>) -> Int? {
    var cursor = TLVCursor(bytes)
    // What follows the last object may be anything, so objects are taken one at a time.
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
  /// Whether a card may be spoken to in extended-length APDUs where short ones do as well.
  public enum LengthPolicy: Sendable, Equatable {
    /// Where the reader carries them and the card announces them in EF.ATR, which costs a command to read.
    case announced
    /// At once, where the reader does not exclude them; a card that refuses is spoken to in short ones.
    case extended
    /// Never.
    case short
  }
}
