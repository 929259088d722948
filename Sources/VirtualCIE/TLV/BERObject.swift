// Deliberately written apart from CIECard: the card's own BER-TLV.

/// One BER-TLV data object (ISO/IEC 7816-4 §5.2.2; ISO/IEC 8825-1).
struct BERObject: Equatable {
  /// The tag field as a number, for instance 0x7F49.
  let tag: UInt32
  /// The value field.
  let value: [UInt8]
  /// The complete object as it was read, tag and length included.
  let encoded: [UInt8]

  /// Whether the tag says that the value is a list of objects.
  static func isConstructed(_ tag: UInt32) -> Bool {
    var leading = tag
    while leading > 0xFF { leading >>= 8 }
    return leading & 0x20 != 0
  }

  /// The objects that fill these bytes exactly; nil when they do not.
  static func list(_ bytes: [UInt8]) -> [BERObject]? {
    var objects: [BERObject] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let start = rest.startIndex
      guard let tag = takeTag(&rest), let length = takeLength(&rest), length <= rest.count
      else { return nil }
      let value = rest.prefix(length)
      rest = rest.dropFirst(length)
      objects.append(
        BERObject(tag: tag, value: [UInt8](value), encoded: [UInt8](bytes[start..<value.endIndex])))
    }
    return objects
  }

  /// The only object that fills these bytes exactly, when it has this tag.
  static func single(_ tag: UInt32, _ bytes: [UInt8]) -> BERObject? {
    guard let objects = list(bytes), objects.count == 1, objects.first?.tag == tag
    else { return nil }
    return objects.first
  }

  /// Takes a tag of one to three bytes.
  static func takeTag(_ bytes: inout ArraySlice<UInt8>) -> UInt32? {
    guard let first = bytes.popFirst() else { return nil }
    var tag = UInt32(first)
    guard first & 0x1F == 0x1F else { return tag }
    for _ in 0..<2 {
      guard let next = bytes.popFirst() else { return nil }
      tag = tag << 8 | UInt32(next)
      if next & 0x80 == 0 { return tag }
    }
    return nil
  }

  /// Takes a length of one to three bytes.
  private static func takeLength(_ bytes: inout ArraySlice<UInt8>) -> Int? {
    guard let first = bytes.popFirst() else { return nil }
    guard first >= 0x80 else { return Int(first) }
    let digits = Int(first & 0x7F)
    guard (1...2).contains(digits), bytes.count >= digits else { return nil }
    let length = bytes.prefix(digits).reduce(0) { $0 << 8 | Int($1) }
    bytes = bytes.dropFirst(digits)
    return length
  }
}
