// Deliberately written apart from CIECard: the card's files.

/// EF.SN (D003): 5A 0A ‖ 93 80 00 ‖ NIS in BCD ‖ check digit ‖ F, twelve bytes.
struct SerialNumber {
  /// The content of the file.
  let content: [UInt8]

  /// The card number that goes with a NIS of twelve digits.
  init(nis: String) {
    let digits = [9, 3, 8, 0, 0, 0] + nis.utf8.map { $0 & 0x0F }
    let nibbles = digits + [Self.checkDigit(digits), 0x0F]
    content =
      [0x5A, 0x0A]
      + zip(
        nibbles.enumerated().filter { $0.offset % 2 == 0 }.map(\.element),
        nibbles.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
      ).map { $0 << 4 | $1 }
  }

  /// SN.ICC of device authentication: the eight low-order bytes (IAS ECC §7.2).
  var deviceNumber: [UInt8] { [UInt8](content.suffix(8)) }

  /// ISO/IEC 7812-1 annex B: the digit that makes the Luhn sum a multiple of ten.
  private static func checkDigit(_ digits: [UInt8]) -> UInt8 {
    let sum = digits.reversed().enumerated().reduce(0) { sum, digit in
      let value = Int(digit.element) * (digit.offset % 2 == 0 ? 2 : 1)
      return sum + (value > 9 ? value - 9 : value)
    }
    return UInt8((10 - sum % 10) % 10)
  }
}
