package import CIECard

/// A code of digits that protects the session on this machine. It is never the PIN of the card.
package struct LocalCode: ~Copyable, Sendable {
  /// How many digits one can have.
  package static let lengths = 4...12
  /// How many it has unless somebody says otherwise.
  package static let usualLength = 6

  private let digits: Secret

  /// A code out of what somebody typed.
  package init(_ digits: consuming Secret) throws(FormatError) {
    guard Self.lengths.contains(digits.count) else { throw .length }
    let isNumber = digits.withBytes { $0.allSatisfy { (0x30...0x39).contains($0) } }
    guard isNumber else { throw .notDigits }
    self.digits = digits
  }

  /// Why something is no code.
  package enum FormatError: Error, Sendable, Equatable {
    /// Fewer than four or more than twelve characters.
    case length
    /// Not only digits.
    case notDigits
  }

  /// How many digits it has.
  package var length: Int { digits.count }

  /// Whether somebody typed the same.
  borrowing func equals(_ typed: borrowing Secret) -> Bool { digits.equals(typed) }

  /// What makes it easy to guess; `nil` for one that is fit to be chosen.
  borrowing func weakness() -> PIN.Weakness? {
    digits.withBytes { digits in
      let steps = Set(zip(digits.dropFirst(), digits).map { Int($0) - Int($1) })
      return switch steps {
      case [0]: .sameDigits
      case [1], [-1]: .consecutiveDigits
      default: nil
      }
    }
  }

  /// Its slow hash.
  borrowing func hash(_ cost: Scrypt, salt: [UInt8]) throws(CryptoError) -> [UInt8] {
    try cost.hash(digits, salt: salt, length: Self.hashLength)
  }

  static let hashLength = 32
  static let saltLength = 16
}
