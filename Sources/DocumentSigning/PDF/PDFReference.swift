/// A reference to an indirect object (ISO 32000-2 §7.3.10).
struct PDFReference: Hashable {
  let number: Int
  let generation: Int

  /// The references in the syntax of an object; also texts in strings that look like one.
  static func all(in syntax: [UInt8]) -> [PDFReference] {
    var found: [PDFReference] = []
    var numbers: [Int] = []
    var digits: Int?
    for byte in syntax + [0x20] {
      if (0x30...0x39).contains(byte) {
        digits = min((digits ?? 0) * 10 + Int(byte) - 0x30, 1 << 32)
        continue
      }
      if let number = digits { numbers = numbers.suffix(1) + [number] }
      digits = nil
      if byte == UInt8(ascii: "R"), numbers.count == 2 {
        found.append(PDFReference(number: numbers[0], generation: numbers[1]))
      }
      if byte != 0x20 { numbers = [] }
    }
    return found
  }
}
