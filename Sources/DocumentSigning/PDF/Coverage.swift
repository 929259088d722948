internal import Primitives

/// The bytes that a signature of a PDF covers (ISO 32000-2 §12.8.1).
enum Coverage: Sendable {
  case ranges([Range<Int>])
  case fault(CoverageFault)

  /// The ranges; nil if they are wrong.
  var ranges: [Range<Int>]? {
    switch self {
    case .ranges(let ranges): ranges
    case .fault: nil
    }
  }

  init(_ numbers: [Int], _ contents: [UInt8], _ bytes: [UInt8]) {
    self =
      Self.fault(of: numbers, contents, bytes).map { .fault($0) }
      ?? .ranges([0..<numbers[1], numbers[2]..<numbers[2] + numbers[3]])
  }

  /// The fault of what are not two ranges from the beginning of the file, with nothing between them but the signature's
  /// hexadecimal string: no spaces, no comment, no second string.
  private static func fault(
    of numbers: [Int], _ contents: [UInt8], _ bytes: [UInt8]
  ) -> CoverageFault? {
    guard numbers.count == 4, numbers.allSatisfy({ (0...bytes.count).contains($0) }),
      numbers[1] < numbers[2], numbers[2] <= bytes.count - numbers[3], numbers[3] > 0
    else { return .ranges }
    guard numbers[0] == 0, numbers[1] > 0 else { return .beginning }
    let gap = bytes[numbers[1]..<numbers[2]]
    guard gap.count >= 2, gap.first == UInt8(ascii: "<"), gap.last == UInt8(ascii: ">") else {
      return .gap
    }
    let digits = gap.dropFirst().dropLast()
    // One spelling of each byte: digits of both cases, as no program writes them, were changed.
    let cases = Set(digits.compactMap { $0 >= 0x41 ? $0 & 0x20 : nil })
    guard !contents.isEmpty, digits.count == 2 * contents.count, cases.count <= 1,
      zip(0..., contents).allSatisfy({ index, byte in
        let high = UInt8(hexadecimalDigit: digits[digits.startIndex + 2 * index])
        let low = UInt8(hexadecimalDigit: digits[digits.startIndex + 2 * index + 1])
        guard let high, let low else { return false }
        return high << 4 | low == byte
      })
    else { return .gap }
    return nil
  }
}
