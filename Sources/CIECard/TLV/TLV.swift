/// One BER data object with its value (ISO/IEC 8825-1, ISO/IEC 7816-4 §5.2.2).
///
/// The value is a view on the bytes that were parsed; nothing is copied.
struct TLV: Equatable, Sendable {
  /// The tag bytes as one number: `0x87`, `0x7F49`, `0x5F20`.
  let tag: UInt32
  /// The value field.
  let value: ArraySlice<UInt8>
  /// The whole object: tag, length and value.
  let encoded: ArraySlice<UInt8>

  /// The value as a fresh array.
  var bytes: [UInt8] { [UInt8](value) }

  /// Whether the value is made of data objects: bit 6 of the first tag byte (ISO/IEC 8825-1 §8.1.2.5).
  var isConstructed: Bool { (encoded.first ?? 0) & 0x20 != 0 }

  /// A cursor over the objects inside the value.
  var contents: TLVCursor { TLVCursor(value) }
}

/// A data object cannot be read.
enum TLVError: Error, Equatable, Sendable {
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
  /// An object that may occur once occurs again.
  case repeated(tag: UInt32)
  /// The value has not the form that its tag asks for.
  case invalidValue(tag: UInt32)
  /// Bytes are left over behind the last object.
  case trailingBytes(count: Int)
}
