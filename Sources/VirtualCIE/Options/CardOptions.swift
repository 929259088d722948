/// Differences of a software card from its persona and its chip family.
///
/// Options are not faults: a card may be like this. Faults are in a `FaultPlan`.
public struct CardOptions: Sendable, Equatable {
  /// The PACE profiles in the order of EF.CardAccess; nil for those of the persona.
  public var paceProfiles: [PACEProfile]?
  /// True if EF.CardAccess is missing, and with it PACE.
  public var omitsCardAccess = false
  /// True if basic access control is refused.
  public var refusesBasicAccess = false
  /// Deviations from the specification.
  public var deviations: Set<CardDeviation> = []
  /// The commands that are refused with 6700 in extended form.
  public var refusedExtended: Set<ExtendedCommand> = []
  /// READ BINARY returns the rest of a file with 9000, and past the end this word without data
  /// (6B00, 6282 or 9000); nil: the rest with 6282, then 6B00.
  public var endOfFile: UInt16?
  /// Status word for GET DATA of a try counter, in any state; nil: the counter, in a proven
  /// channel.
  public var counterRefusal: UInt16?
  /// Status word for every terminal certificate; nil: it is verified.
  public var certificateRefusal: UInt16?
  /// Status word of the last step of PACE for a wrong password; nil: 6300.
  public var tokenRefusal: UInt16?
  /// Length in bytes of PACE's nonce with 3DES and generic mapping: 8 or 16; nil for 16.
  public var nonceLength: Int?
  /// Announcement of extended length in EF.ATR/INFO; nil for that of the chip family.
  public var announcedLengths: AnnouncedLengths?
  /// Signature of active authentication; nil for the persona's.
  public var activeSignature: ActiveSignature?
  /// Number of a key of DG14 that the card does not have: chip authentication with it is 6A88; nil for none.
  public var missingChipKey: UInt8?
  /// Most bytes that READ BINARY returns; nil for as many as fit.
  public var readLimit: ReadLimit?
  /// True if PACE requires the parameter number (data object 84), else 6A87.
  public var requiresParameterIdentifier = false
  /// True if PIN and PUK open PACE as well, with their try counters.
  public var acceptsHolderPasswords = false
  /// Remaining tries that the card reports (63Cx) after a wrong CAN or MRZ, counted down and never
  /// blocking; nil for 6300.
  public var shownTries: Int?
  /// Milliseconds of delay before a nonce for each consecutive failure of PACE; at most ten
  /// seconds.
  public var failureDelay = 0

  /// Bytes that a file has more, or less, than the persona's, by its identifier: for a card whose lengths are known.
  package var extraBytes: [UInt16: Int] = [:]

  /// A card without differences from its persona.
  public init() {}

  func has(_ deviation: CardDeviation) -> Bool { deviations.contains(deviation) }

  /// True if every command in extended form is refused.
  public var refusesExtendedLength: Bool {
    refusedExtended.count == ExtendedCommand.allCases.count
  }

  /// A limit of READ BINARY and how the card enforces it.
  public struct ReadLimit: Sendable, Equatable {
    /// Bytes, at least 1.
    public let count: Int
    /// Response to a longer request.
    public let style: Style

    /// A limit; less than one byte counts as one.
    public init(count: Int, style: Style) {
      self.count = max(1, count)
      self.style = style
    }

    /// Responses to a request beyond the limit.
    public enum Style: String, Sendable, CaseIterable {
      /// As many bytes as the limit allows, 9000.
      case shorter
      case corrected = "6cxx"
      case refused = "6700"
    }
  }
}
