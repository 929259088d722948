internal import Primitives

/// PDF syntax (ISO 32000-2 §7.3): what is written into an update.
struct PDFSyntax: ExpressibleByStringInterpolation {
  private var pieces: [Piece]

  /// Strings stand by themselves, because the key of their object encrypts them.
  private enum Piece {
    case raw([UInt8])
    case string([UInt8])
  }

  init(_ bytes: [UInt8]) { pieces = [.raw(bytes)] }

  init(stringLiteral text: String) { self.init([UInt8](text.utf8)) }

  /// An object as a member of another one: a reference if it is indirect.
  init(_ object: PDFObject) {
    if object.isIndirect {
      self.init(object.syntax)
    } else if object.isDictionary {
      self = .dictionary([], replacing: object)
    } else if object.items != nil {
      self = .array(object)
    } else {
      self = object.string.map { .string($0) } ?? PDFSyntax(object.syntax)
    }
  }

  /// Members of a dictionary, in order.
  typealias Members = [(key: String, value: PDFSyntax)]

  static func += (left: inout PDFSyntax, right: PDFSyntax) { left.pieces += right.pieces }

  static func + (left: PDFSyntax, right: PDFSyntax) -> PDFSyntax {
    var sum = left
    sum += right
    return sum
  }

  /// The syntax with its strings encrypted.
  func bytes(_ cipher: ObjectCipher? = nil) throws(DocumentError) -> [UInt8] {
    var bytes: [UInt8] = []
    for piece in pieces {
      switch piece {
      case .raw(let raw): bytes += raw
      case .string(let string):
        bytes += [UInt8]("<\(try (cipher?.string(string) ?? string).hexadecimal)>".utf8)
      }
    }
    return bytes
  }

  /// A number with leading zeros, in places whose width is known before the number is.
  static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// Numbers with at most three decimals, without an exponent (ISO 32000-2 §7.3.3).
  static func numbers(_ values: Double...) -> String {
    values.map { value in
      guard abs(value) < 1e9 else { return "0" }
      let thousandths = Int((value * 1000).rounded())
      let sign = thousandths < 0 ? "-" : ""
      let (whole, rest) = abs(thousandths).quotientAndRemainder(dividingBy: 1000)
      return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(padded(rest, 3))"
    }.joined(separator: " ")
  }

  /// A name with its slash; irregular bytes as `#xx` (ISO 32000-2 §7.3.5).
  static func name(_ text: String) -> PDFSyntax {
    PDFSyntax(
      [UInt8(ascii: "/")]
        + text.utf8.flatMap { byte -> [UInt8] in
          let isRegular = (0x21...0x7E).contains(byte) && !"#()<>[]{}/%".utf8.contains(byte)
          return isRegular ? [byte] : [UInt8]("#\([byte].hexadecimal)".utf8)
        })
  }

  /// A text string in UTF-16BE with its mark, written in hexadecimal (ISO 32000-2 §7.9.2.2).
  static func text(_ text: String) -> PDFSyntax {
    string([0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
  }

  /// A string, written in hexadecimal.
  static func string(_ bytes: [UInt8]) -> PDFSyntax {
    var syntax: PDFSyntax = ""
    syntax.pieces = [.string(bytes)]
    return syntax
  }

  /// A date (ISO 32000-2 §7.9.4).
  static func date(_ time: UTCTime) -> PDFSyntax {
    .string([UInt8](UTCCalendar.text(time.seconds, "D:%Y%m%d%H%M%SZ").utf8))
  }

  /// A dictionary, with the members of another one that are not replaced.
  static func dictionary(_ members: Members, replacing original: PDFObject? = nil) -> PDFSyntax {
    let kept = (original?.keys ?? []).filter { key in !members.contains { $0.key == key } }
    let all = kept.compactMap { key in original.map { (key, PDFSyntax($0[key])) } } + members
    return all.reduce(into: "<<") { $0 += name($1.0) + " " + $1.1 + " " } + ">>"
  }

  /// An array with more members at the end.
  static func array(_ original: PDFObject, adding references: String = "") -> PDFSyntax {
    (original.items ?? []).reduce(into: "[") { $0 += PDFSyntax($1) + " " } + "\(references)]"
  }
}
