/// The check digits of the machine readable zone (Doc 9303-3 §4.9).
enum MRZCheckDigit {
  /// The digit over some characters: the sum of their values weighted 7, 3, 1 in turn, modulo 10.
  ///
  /// - Parameter characters: `A` to `Z`, `0` to `9` and the filler; anything else counts nothing.
  /// - Returns: an ASCII digit.
  static func compute(over characters: some Collection<UInt8>) -> UInt8 {
    let weights = [7, 3, 1]
    let sum = zip(characters, 0...).reduce(0) { sum, next in
      sum + value(of: next.0) * weights[next.1 % weights.count]
    }
    return UInt8(ascii: "0") + UInt8(sum % 10)
  }

  private static func value(of character: UInt8) -> Int {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(character - UInt8(ascii: "0"))
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(character - UInt8(ascii: "A")) + 10
    default: 0
    }
  }
}
