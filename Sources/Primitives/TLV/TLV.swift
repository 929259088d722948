/// One BER data object with its value (ISO/IEC 8825-1, ISO/IEC 7816-4 §5.2.2).
///
/// The value is a slice of the parsed bytes; nothing is copied.
package struct TLV: Equatable, Sendable {
  /// The tag bytes as one number: `0x87`, `0x7F49`, `0x5F20`.
  package let tag: UInt32
  package let value: ArraySlice<UInt8>
  /// The whole object: tag, length and value.
  package let encoded: ArraySlice<UInt8>

  /// The value as a fresh array.
  package var bytes: [UInt8] { [UInt8](value) }

  /// True if the value consists of data objects: bit 6 of the first tag byte (ISO/IEC 8825-1
  /// §8.1.2.5).
  package var isConstructed: Bool { (encoded.first ?? 0) & 0x20 != 0 }

  /// A cursor over the objects inside the value.
  package var contents: TLVCursor { TLVCursor(value) }
}

/// The reason why a data object cannot be parsed.
package enum TLVError: Error, Equatable, Sendable {
  /// The bytes end before the object does.
  case truncated
  /// A tag longer than three bytes, or one with a superfluous leading byte.
  case invalidTag
  /// An indefinite, reserved or over-long length (more than four length bytes).
  case invalidLength
  /// Another tag was required here.
  case unexpectedTag(found: UInt32, expected: UInt32)
  /// A required object is absent.
  case missing(tag: UInt32)
  /// An object that may occur once is repeated.
  case repeated(tag: UInt32)
  /// The value does not have the form required by its tag.
  case invalidValue(tag: UInt32)
  /// Bytes remain after the last object.
  case trailingBytes(count: Int)
}

extension TLV {
  /// Encodes one object with the shortest length form (ISO/IEC 7816-4 §5.2.2.2).
  ///
  /// - Parameters:
  ///   - tag: the tag bytes as one number.
  ///   - value: the value field.
  package static func encode(_ tag: UInt32, _ value: [UInt8]) -> [UInt8] {
    header(tag, length: value.count) + value
  }

  /// Encodes tag and length of an object whose value is elsewhere, such as in a large file.
  package static func header(_ tag: UInt32, length: Int) -> [UInt8] {
    tagBytes(tag) + lengthBytes(length)
  }

  /// Encodes one constructed object from the encodings of its parts.
  package static func encode(_ tag: UInt32, _ parts: [[UInt8]]) -> [UInt8] {
    encode(tag, [UInt8](parts.joined()))
  }

  /// The encodings of a SET OF's members in the order of DER (ISO/IEC 8825-1 §11.6).
  package static func ordered(_ members: [[UInt8]]) -> [[UInt8]] {
    members.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private static func tagBytes(_ tag: UInt32) -> [UInt8] {
    if tag > 0xFFFF { return [UInt8(tag >> 16 & 0xFF), UInt8(tag >> 8 & 0xFF), UInt8(tag & 0xFF)] }
    if tag > 0xFF { return [UInt8(tag >> 8), UInt8(tag & 0xFF)] }
    return [UInt8(tag)]
  }

  private static func lengthBytes(_ length: Int) -> [UInt8] {
    if length < 0x80 { return [UInt8(length)] }
    if length < 0x100 { return [0x81, UInt8(length)] }
    if length < 0x1_0000 {
      return [0x82, UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length)]
    }
    let bytes = stride(from: 56, through: 0, by: -8)
      .map { UInt8(truncatingIfNeeded: length >> $0) }.drop { $0 == 0 }
    return [0x80 | UInt8(bytes.count)] + bytes
  }
}
