/// Patterns that make a code easy to guess: a PIN of the card, or a code of this machine.
public enum CodeWeakness: String, Sendable {
  case sameDigits = "same-digits"
  /// The digits count up or down.
  case consecutiveDigits = "consecutive-digits"
}
