/// The numbers of objects as they stand in the bytes of a file, `12 0 obj` (ISO 32000-2 §7.3.10), in all revisions and
/// listed or not.
///
/// A text in a stream that looks like one counts, too: it leaves a number unused, no more.
enum ObjectNumbers {
  /// The highest number below a limit; 0 without any.
  static func highest(in bytes: [UInt8], below limit: Int) -> Int {
    var highest = 0
    let word = [UInt8]("obj".utf8)
    for end in bytes.indices where bytes[end] == word[2] {
      let start = end - 2
      guard start > 0, bytes[start] == word[0], bytes[start + 1] == word[1],
        let number = number(in: bytes, endingAt: start), number < limit
      else { continue }
      highest = max(highest, number)
    }
    return highest
  }

  /// The first of two numbers in front of a place.
  private static func number(in bytes: [UInt8], endingAt end: Int) -> Int? {
    var place = end
    func skip(_ isSkipped: (UInt8) -> Bool, atMost limit: Int) -> Int {
      let end = place
      while place > 0, end - place < limit, isSkipped(bytes[place - 1]) { place -= 1 }
      return end - place
    }
    _ = skip(isSpace, atMost: mostSpaces)
    guard skip(isDigit, atMost: mostDigits) > 0, skip(isSpace, atMost: mostSpaces) > 0 else {
      return nil
    }
    let last = place
    guard skip(isDigit, atMost: mostDigits) > 0 else { return nil }
    return bytes[place..<last].reduce(0) { $0 * 10 + Int($1) - 0x30 }
  }

  /// More than any writer puts between the numbers; each place of `obj` is looked at in constant time.
  private static let mostSpaces = 64
  private static let mostDigits = 15

  /// ISO 32000-2 table 1.
  private static func isSpace(_ byte: UInt8) -> Bool { [0, 9, 10, 12, 13, 32].contains(byte) }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
