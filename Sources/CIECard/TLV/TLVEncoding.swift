extension TLV {
  /// Encodes one object with the shortest length form (ISO/IEC 7816-4 §5.2.2.2).
  ///
  /// - Parameters:
  ///   - tag: the tag bytes as one number.
  ///   - value: at most 65 535 bytes.
  static func encode(_ tag: UInt32, _ value: [UInt8]) -> [UInt8] {
    tagBytes(tag) + lengthBytes(value.count) + value
  }

  /// Encodes one constructed object from the encodings of its parts.
  static func encode(_ tag: UInt32, _ parts: [[UInt8]]) -> [UInt8] {
    encode(tag, [UInt8](parts.joined()))
  }

  private static func tagBytes(_ tag: UInt32) -> [UInt8] {
    if tag > 0xFFFF { return [UInt8(tag >> 16 & 0xFF), UInt8(tag >> 8 & 0xFF), UInt8(tag & 0xFF)] }
    if tag > 0xFF { return [UInt8(tag >> 8), UInt8(tag & 0xFF)] }
    return [UInt8(tag)]
  }

  private static func lengthBytes(_ length: Int) -> [UInt8] {
    if length < 0x80 { return [UInt8(length)] }
    if length < 0x100 { return [0x81, UInt8(length)] }
    return [0x82, UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length)]
  }
}
