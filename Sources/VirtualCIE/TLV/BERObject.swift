internal import Primitives

/// One BER-TLV data object (ISO/IEC 7816-4 §5.2.2; ISO/IEC 8825-1).
struct BERObject: Equatable {
  /// The tag field as a number, for instance 0x7F49.
  let tag: UInt32
  let value: [UInt8]
  /// The complete encoded object, tag and length included.
  let encoded: [UInt8]

  /// True if the tag marks the value as a list of objects.
  static func isConstructed(_ tag: UInt32) -> Bool {
    var leading = tag
    while leading > 0xFF { leading >>= 8 }
    return leading & 0x20 != 0
  }

  /// The objects that fill these bytes exactly; nil otherwise.
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

  /// The only object that fills these bytes exactly; nil if it has another tag.
  static func single(_ tag: UInt32, _ bytes: [UInt8]) -> BERObject? {
    guard let objects = list(bytes), objects.count == 1, objects.first?.tag == tag
    else { return nil }
    return objects.first
  }

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

  /// Consumes a length of one to three bytes.
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

extension BERObject {
  /// Encodes one object: tag, shortest length, and the parts concatenated as its value.
  static func encode(_ tag: UInt32, _ parts: [UInt8]...) -> [UInt8] {
    let value = parts.flatMap { $0 }
    return bigEndian(tag) + lengthField(value.count) + value
  }

  /// Encodes a non-negative DER INTEGER.
  static func integer(_ number: [UInt8]) -> [UInt8] {
    var digits = [UInt8](number.drop { $0 == 0 })
    if digits.first.map({ $0 & 0x80 != 0 }) ?? true { digits.insert(0, at: 0) }
    return encode(0x02, digits)
  }

  private static func lengthField(_ length: Int) -> [UInt8] {
    let digits = bigEndian(UInt32(clamping: length))
    return length < 0x80 ? digits : [0x80 | UInt8(digits.count)] + digits
  }

  /// The shortest big-endian form, at least one byte.
  private static func bigEndian(_ number: UInt32) -> [UInt8] {
    var rest = number
    var bytes: [UInt8] = []
    repeat {
      bytes.insert(UInt8(truncatingIfNeeded: rest), at: 0)
      rest >>= 8
    } while rest > 0
    return bytes
  }
}

/// A node of an extended header list: the path to the objects requested by GET DATA (ISO/IEC 7816-4
/// §8.4.4, tag 4D).
struct HeaderList: Equatable {
  let tag: UInt32
  /// The requested members; empty if the whole object is requested (length 00 or 80).
  let members: [HeaderList]

  /// Deepest nesting that the card follows; its own objects need four levels.
  private static let deepest = 6

  /// The nodes that fill the value of a 4D object exactly; nil otherwise.
  static func list(_ bytes: [UInt8]) -> [HeaderList]? { list(bytes[...], depth: 0) }

  private static func list(_ bytes: ArraySlice<UInt8>, depth: Int) -> [HeaderList]? {
    guard depth < deepest else { return nil }
    var rest = bytes
    var nodes: [HeaderList] = []
    while !rest.isEmpty {
      guard let tag = BERObject.takeTag(&rest), let length = rest.popFirst() else { return nil }
      if length == 0 || length == 0x80 || !BERObject.isConstructed(tag) {
        nodes.append(HeaderList(tag: tag, members: []))
        continue
      }
      guard Int(length) <= rest.count,
        let members = list(rest.prefix(Int(length)), depth: depth + 1)
      else { return nil }
      rest = rest.dropFirst(Int(length))
      nodes.append(HeaderList(tag: tag, members: members))
    }
    return nodes
  }

  /// Follows single members down these tags; nil for any other path.
  func members(along path: UInt32...) -> [HeaderList]? {
    var node = self
    for tag in path {
      guard node.members.count == 1, let next = node.members.first, next.tag == tag
      else { return nil }
      node = next
    }
    return node.members
  }
}

/// Hexadecimal text: constants from specifications, short values of the personas.
enum HexText {
  /// Decodes pairs of digits, with blanks between some; empty for a malformed text.
  static func decode(_ text: String) -> [UInt8] { [UInt8](hexadecimal: text) ?? [] }
}
