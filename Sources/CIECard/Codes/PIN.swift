/// The holder's PIN: eight digits, all of which the public middlewares send, without padding. It can be used once.
public struct PIN: ~Copyable, Sendable {
  let digits: Secret

  /// Takes over eight ASCII digits.
  ///
  /// - Throws: `AccessCode.FormatError`, before any card is asked.
  public init(_ digits: consuming Secret) throws(AccessCode.FormatError) {
    try AccessCode.FormatError.check(digits, length: 8...8)
    self.digits = digits
  }

  /// Takes eight digits from a string, which stays in memory for as long as Swift keeps it: for
  /// tests, and for digits that already are a string.
  ///
  /// - Throws: `AccessCode.FormatError`, before any card is asked.
  public init(digits: String) throws(AccessCode.FormatError) {
    try self.init(Secret([UInt8](digits.utf8)))
  }

  /// The reason why this would be a poor new PIN; the rules of the public apps, not of the card.
  public borrowing func weakness() -> Weakness? {
    digits.withBytes(Weakness.init(of:))
  }

  /// Compares two PINs.
  public borrowing func equals(_ other: borrowing PIN) -> Bool { digits.equals(other.digits) }

  /// Patterns that make a PIN easy to guess.
  public typealias Weakness = CodeWeakness
}

/// The code that unblocks the PIN: eight digits. It can be used once.
public struct PUK: ~Copyable, Sendable {
  let digits: Secret

  /// Takes over eight ASCII digits.
  ///
  /// - Throws: `AccessCode.FormatError`, before any card is asked.
  public init(_ digits: consuming Secret) throws(AccessCode.FormatError) {
    try AccessCode.FormatError.check(digits, length: 8...8)
    self.digits = digits
  }

  /// Takes eight digits from a string, which stays in memory for as long as Swift keeps it: for
  /// tests, and for digits that already are a string.
  ///
  /// - Throws: `AccessCode.FormatError`, before any card is asked.
  public init(digits: String) throws(AccessCode.FormatError) {
    try self.init(Secret([UInt8](digits.utf8)))
  }
}

extension AccessCode {
  /// A code does not have the form required by the card.
  public enum FormatError: Error, Sendable, Equatable {
    /// It has this wrong number of characters.
    case length(Int)
    case notDigits

    /// ASCII digits, without padding.
    package static func check(
      _ code: borrowing Secret, length: ClosedRange<Int>
    ) throws(FormatError) {
      guard length.contains(code.count) else { throw .length(code.count) }
      let isDigits = code.withBytes { $0.allSatisfy { (0x30...0x39).contains($0) } }
      guard isDigits else { throw .notDigits }
    }
  }
}
