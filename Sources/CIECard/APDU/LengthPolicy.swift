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
