// Deliberately written apart from CIECard: the card's own BER-TLV.

extension BERObject {
  /// Encodes one object: tag, shortest length, value made of the parts.
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
