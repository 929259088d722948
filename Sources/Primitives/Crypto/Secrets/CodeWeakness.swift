/// Patterns that make a code easy to guess: a PIN of the card, or a code of this machine.
public enum CodeWeakness: String, Sendable {
  case sameDigits = "same-digits"
  /// The digits count up or down.
  case consecutiveDigits = "consecutive-digits"

  /// `nil` if the code may be chosen.
  package init?(of digits: UnsafeBufferPointer<UInt8>) {
    switch Set(zip(digits.dropFirst(), digits).map { Int($0) - Int($1) }) {
    case [0]: self = .sameDigits
    case [1], [-1]: self = .consecutiveDigits
    default: return nil
    }
  }
}
