extension MRZ {
  /// What is printed on a document and opens it: number, date of birth and date of expiry, each with its check digit
  /// (MRZ_information, Doc 9303-11 §9.7.2 and §9.7.3).
  ///
  /// Whoever holds it can read the chip: it has no description.
  public struct Information: Sendable, Hashable {
    /// ASCII characters: 24 of a number with up to nine characters, more of a longer one.
    package let characters: [UInt8]

    /// Why something typed is no part of it.
    public enum Problem: Error, Sendable, Hashable {
      /// Not one to 22 letters and digits.
      case documentNumber
      /// Not a date in one of the known forms.
      case dateOfBirth
      /// Not a date in one of the known forms.
      case dateOfExpiry
    }

    /// The information of a zone. Its check digits are computed, not copied.
    public init(_ zone: MRZ) {
      self.init(
        number: [UInt8](zone.documentNumber.utf8), birth: [UInt8](zone.dateOfBirth.text.utf8),
        expiry: [UInt8](zone.dateOfExpiry.text.utf8))
    }

    init(number: [UInt8], birth: [UInt8], expiry: [UInt8]) {
      let padding = [UInt8](repeating: MRZ.filler, count: max(0, Self.fieldLength - number.count))
      characters = [number + padding, birth, expiry].flatMap {
        $0 + [MRZCheckDigit.compute(over: $0)]
      }
    }

    /// The characters of the document number's field; a shorter number is filled up before its check digit.
    private static let fieldLength = 9
  }
}

extension MRZ.Information: CustomStringConvertible {
  /// Nothing of the contents.
  public var description: String { "MRZ.Information" }
}

extension MRZ.Information: CustomReflectable {
  /// Nothing of the contents.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
