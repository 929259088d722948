/// Patterns that make a code easy to guess: a PIN of the card, or a code of this machine.
public enum CodeWeakness: String, Sendable {
  /// All digits are the same.
  case sameDigits = "same-digits"
  /// The digits count up or down.
  case consecutiveDigits = "consecutive-digits"
}
