internal import Primitives

/// PDF syntax as bytes (ISO 32000-2 §7.3).
enum PDFSyntax {
  /// A number with leading zeros, in places whose width is known before the number is.
  static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// A number with at most three decimals, without an exponent (ISO 32000-2 §7.3.3).
  static func number(_ value: Double) -> String {
    guard abs(value) < 1e9 else { return "0" }
    let thousandths = Int((value * 1000).rounded())
    let sign = thousandths < 0 ? "-" : ""
    let (whole, rest) = abs(thousandths).quotientAndRemainder(dividingBy: 1000)
    return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(padded(rest, 3))"
  }

  /// A name with its slash; irregular bytes as `#xx` (ISO 32000-2 §7.3.5).
  static func name(_ text: String) -> [UInt8] {
    [UInt8(ascii: "/")]
      + text.utf8.flatMap { byte -> [UInt8] in
        let isRegular = (0x21...0x7E).contains(byte) && !"#()<>[]{}/%".utf8.contains(byte)
        return isRegular ? [byte] : [UInt8]("#\([byte].hexadecimal)".utf8)
      }
  }

  /// A text string in UTF-16BE with its mark, written in hexadecimal (ISO 32000-2 §7.9.2.2).
  static func text(_ text: String) -> [UInt8] {
    let units = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    return string([0xFE, 0xFF] + units)
  }

  /// A string in hexadecimal.
  static func string(_ bytes: [UInt8]) -> [UInt8] { [UInt8]("<\(bytes.hexadecimal)>".utf8) }

  /// A date (ISO 32000-2 §7.9.4).
  static func date(_ time: UTCTime) -> [UInt8] {
    [UInt8](UTCCalendar.text(time.seconds, "(D:%Y%m%d%H%M%SZ)").utf8)
  }

  /// A dictionary with some members replaced or added, and the others as they are.
  static func dictionary(
    _ original: PDFObject?, replacing members: [(key: String, value: [UInt8])]
  ) -> [UInt8] {
    let kept = (original?.keys ?? []).filter { key in !members.contains { $0.key == key } }
    var text = [UInt8]("<<".utf8)
    for key in kept { text += name(key) + [0x20] + (original?[key].syntax ?? []) + [0x20] }
    for (key, value) in members { text += name(key) + [0x20] + value + [0x20] }
    return text + [UInt8](">>".utf8)
  }

  /// An array with one more member at the end.
  static func array(_ items: [PDFObject], adding reference: String) -> [UInt8] {
    [UInt8(ascii: "[")] + items.flatMap { $0.syntax + [0x20] }
      + [UInt8]("\(reference)]".utf8)
  }
}
