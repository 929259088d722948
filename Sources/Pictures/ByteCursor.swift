/// Reads big-endian numbers from bytes; past their end it gives nothing.
struct ByteCursor {
  private let bytes: [UInt8]
  private(set) var offset: Int
  let end: Int

  /// - Parameter range: what of the bytes is read; it must lie within them.
  init(_ bytes: [UInt8], _ range: Range<Int>? = nil) {
    self.bytes = bytes
    offset = range?.lowerBound ?? 0
    end = min(range?.upperBound ?? bytes.count, bytes.count)
  }

  var isAtEnd: Bool { offset >= end }

  /// The next number of up to four bytes.
  mutating func number(_ length: Int) -> Int? {
    guard end - offset >= length else { return nil }
    defer { offset += length }
    return bytes[offset..<offset + length].reduce(0) { $0 << 8 | Int($1) }
  }

  /// A part of what comes next, which is then passed over.
  mutating func part(_ length: Int) -> ByteCursor? {
    guard length >= 0, length <= end - offset else { return nil }
    defer { offset += length }
    return ByteCursor(bytes, offset..<offset + length)
  }
}
