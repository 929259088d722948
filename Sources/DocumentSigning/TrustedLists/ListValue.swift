internal import Primitives

/// Values of a list from their text.
enum ListValue {
  /// A number of at most nine digits.
  static func number(_ text: String) -> Int? {
    let isDigits = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    return isDigits && text.utf8.count <= 9 ? Int(text) : nil
  }

  /// xsd:dateTime; a list has it in UTC, without fractions (ETSI TS 119 612 §5.1.3), but fractions and another zone have a
  /// meaning, too. Without a zone it has none.
  static func time(_ text: String) -> UTCTime? {
    let text = Array(text.utf8)
    guard text.count >= 20, text[4] == minus, text[7] == minus, text[10] == UInt8(ascii: "T"),
      text[13] == colon, text[16] == colon,
      let seconds = UTCCalendar.seconds(of: fields.flatMap { text[$0] })
    else { return nil }
    var zone = text[19...]
    if zone.first == UInt8(ascii: ".") { zone = zone.dropFirst().drop { digits.contains($0) } }
    if zone.elementsEqual("Z".utf8) { return UTCTime(seconds: seconds) }
    let numbers = zone.dropFirst().split(separator: colon).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard zone.count == 6, let sign = zone.first, sign == minus || sign == UInt8(ascii: "+"),
      numbers.count == 2, let hours = number(numbers[0]), let minutes = number(numbers[1])
    else { return nil }
    let offset = Int64(hours * 3600 + minutes * 60)
    return UTCTime(seconds: sign == minus ? seconds + offset : seconds - offset)
  }

  /// Base64, with white space between digits.
  static func bytes(_ text: String) -> [UInt8]? {
    Base64.decode(text.utf8.filter { $0 > 0x20 })
  }

  /// The part behind the last slash of a URI.
  static func lastWord(_ address: String) -> String {
    address.split(separator: "/").last.map(String.init) ?? ""
  }

  /// The dotted identifier, which may be a URN (RFC 3061).
  static func identifier(_ text: String) -> String? {
    let prefix = "urn:oid:"
    let dotted = text.lowercased().hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
    let parts = dotted.split(separator: ".", omittingEmptySubsequences: false)
    let isDotted =
      parts.count > 1
      && parts.allSatisfy {
        !$0.isEmpty && $0.utf8.allSatisfy(digits.contains)
      }
    return isDotted ? dotted : nil
  }

  /// The places of the six numbers of a time.
  private static let fields = [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19]
  private static let minus = UInt8(ascii: "-")
  private static let colon = UInt8(ascii: ":")
  private static let digits: ClosedRange<UInt8> = 0x30...0x39
}
