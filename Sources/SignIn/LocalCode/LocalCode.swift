/// Code of digits that protects the session on this machine; never the PIN of the card.
public struct LocalCode: ~Copyable, Sendable {
  /// Numbers of digits that a code can have
  public static let lengths = 4...12
  /// The usual number of digits
  public static let usualLength = 6

  private let digits: Secret

  /// Takes typed digits.
  ///
  /// - Throws: `FormatError`.
  public init(_ digits: consuming Secret) throws(FormatError) {
    guard Self.lengths.contains(digits.count) else { throw .length }
    let isNumber = digits.withBytes { $0.allSatisfy { (0x30...0x39).contains($0) } }
    guard isNumber else { throw .notDigits }
    self.digits = digits
  }

  /// Takes digits that the program knows.
  ///
  /// - Throws: `FormatError`.
  public init(digits: String) throws(FormatError) {
    try self.init(Secret(Array(digits.utf8)))
  }

  /// Reasons against a code
  public enum FormatError: Error, Sendable, Equatable {
    /// Fewer than four or more than twelve characters.
    case length
    case notDigits
  }

  /// The number of digits
  public var length: Int { digits.count }

  /// Compares with typed digits, in constant time.
  borrowing func equals(_ typed: borrowing Secret) -> Bool { digits.equals(typed) }

  /// Reason why the code is easy to guess; `nil` if it may be chosen.
  borrowing func weakness() -> CodeWeakness? {
    digits.withBytes(CodeWeakness.init(of:))
  }

  borrowing func hash(_ cost: Scrypt, salt: [UInt8]) throws(CryptoError) -> [UInt8] {
    try cost.hash(digits, salt: salt, length: Self.hashLength)
  }

  static let hashLength = 32
  static let saltLength = 16
}
