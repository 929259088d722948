extension CardError {
  /// Which of the card's codes is meant.
  public enum CodeKind: String, Sendable, Hashable {
    /// The PIN, eight digits, three tries.
    case pin
    /// The PUK, eight digits, ten tries.
    case puk
  }
}
