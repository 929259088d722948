extension Array where Element == UInt8 {
  /// The number of significant bits of a big-endian unsigned integer; 0 for zero.
  package var bitLength: Int {
    guard let top = firstIndex(where: { $0 != 0 }) else { return 0 }
    return (count - top) * 8 - self[top].leadingZeroBitCount
  }

  /// Whether a big-endian unsigned integer is odd.
  package var isOdd: Bool { (last ?? 0) & 1 == 1 }

  /// A big-endian unsigned integer without leading zero bytes; zero becomes the empty array.
  package var withoutLeadingZeros: [UInt8] { [UInt8](drop { $0 == 0 }) }
}
