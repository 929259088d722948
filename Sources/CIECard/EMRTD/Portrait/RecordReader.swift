/// Reads big-endian numbers and skips bytes of a binary record, never past its end.
struct RecordReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// The next number of one to four bytes; `nil`, with nothing read, where the record ends before.
  mutating func number(_ count: Int) -> Int? {
    guard rest.count >= count else { return nil }
    let bytes = rest.prefix(count)
    rest = rest.dropFirst(count)
    return bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  /// The next byte, without reading it.
  func peek() -> UInt8? { rest.first }

  /// Skips bytes, at most to the end.
  mutating func skip(_ count: Int) { rest = rest.dropFirst(max(0, count)) }
}
