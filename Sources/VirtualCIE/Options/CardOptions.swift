// Deliberately written apart from CIECard.

/// How a software card differs from what its persona and its chip family say.
///
/// Nothing here is a fault: a card may be so. What a card does wrong is a `FaultPlan`.
public struct CardOptions: Sendable, Equatable {
  /// The ways of PACE in the order of EF.CardAccess; nil for those of the persona.
  public var paceProfiles: [PACEProfile]?
  /// Whether EF.CardAccess is missing, and with it PACE.
  public var omitsCardAccess = false
  /// Whether basic access control is refused.
  public var refusesBasicAccess = false
  /// What of the specification the card does otherwise.
  public var deviations: Set<CardDeviation> = []
  /// The commands that are refused with 6700 in extended form.
  public var refusedExtended: Set<ExtendedCommand> = []
  /// READ BINARY gives the rest of a file with 9000, and behind the end this word without data (6B00, 6282 or 9000);
  /// nil: the rest with 6282, then 6B00.
  public var endOfFile: UInt16?
  /// What the card says to GET DATA of a try counter, wherever it is asked; nil: the counter, in a proven channel.
  public var counterRefusal: UInt16?
  /// What the card says to every terminal certificate; nil: it looks at them.
  public var certificateRefusal: UInt16?
  /// What the last step of PACE says to a wrong password; nil: 6300.
  public var tokenRefusal: UInt16?
  /// Length in bytes of PACE's nonce with 3DES and generic mapping: 8 or 16; nil for 16.
  public var nonceLength: Int?
  /// Most bytes that READ BINARY gives; nil for as many as fit.
  public var readLimit: ReadLimit?
  /// Whether PACE must be asked for with the parameter number (data object 84), else 6A87.
  public var requiresParameterIdentifier = false
  /// Whether PIN and PUK open PACE as well, with their try counters.
  public var acceptsHolderPasswords = false
  /// Tries that the card shows (63Cx) after a wrong CAN or MRZ, counted down and never blocking; nil for 6300.
  public var shownTries: Int?
  /// Milliseconds that the card waits before a nonce for each failure of PACE in a row; at most ten seconds.
  public var failureDelay = 0

  /// A card as its persona says.
  public init() {}

  /// Whether the card deviates so.
  func has(_ deviation: CardDeviation) -> Bool { deviations.contains(deviation) }

  /// Whether every command in extended form is refused.
  public var refusesExtendedLength: Bool {
    refusedExtended.count == ExtendedCommand.allCases.count
  }

  /// A limit of READ BINARY and how the card enforces it.
  public struct ReadLimit: Sendable, Equatable {
    /// Bytes, at least 1.
    public let count: Int
    /// What happens to a longer request.
    public let style: Style

    /// A limit; less than one byte counts as one.
    public init(count: Int, style: Style) {
      self.count = max(1, count)
      self.style = style
    }

    /// What the card answers to a request for more.
    public enum Style: String, Sendable, CaseIterable {
      /// As many bytes as the limit allows, 9000.
      case shorter
      /// 6Cxx with the limit.
      case corrected = "6cxx"
      /// 6700.
      case refused = "6700"
    }
  }
}
