internal import CIECard
internal import CPKCS11

/// Access to the host's memory, in this file only, and within the lengths that the host gives.
enum HostMemory {
  /// More attributes than any object has; a higher count is an error.
  private static let mostAttributes: UInt = 64
  /// Data to be hashed are copied in chunks of this size.
  private static let pieceLength = 64 << 10

  /// Passes on data in chunks; empty data is one empty chunk.
  static func forEachPiece(
    _ pointer: UnsafeMutablePointer<UInt8>?, _ count: UInt,
    _ body: ([UInt8]) throws(ReturnValue) -> Void
  ) throws(ReturnValue) {
    guard count > 0 else { return try body([]) }
    guard let pointer, let count = Int(exactly: count) else { throw .argumentsBad }
    var offset = 0
    while offset < count {
      let length = min(pieceLength, count - offset)
      try body(Array(UnsafeBufferPointer(start: pointer + offset, count: length)))
      offset += length
    }
  }

  /// Copies a code; `nil` if the length is not eight, in which case nothing is read.
  static func code(
    _ pointer: UnsafeMutablePointer<UInt8>?, _ count: UInt
  ) throws(ReturnValue) -> Secret? {
    guard let pointer else {
      guard count == 0 else { throw .argumentsBad }
      return nil
    }
    guard count == 8 else { return nil }
    return Secret(count: 8) {
      $0.copyMemory(from: UnsafeRawBufferPointer(start: pointer, count: 8))
    }
  }

  /// True if there is a buffer that is long enough; the required length is written in any case.
  static func hasRoom(
    _ isThere: Bool, _ length: UnsafeMutablePointer<UInt>?, for needed: Int
  ) throws(ReturnValue) -> Bool {
    guard let length else { throw .argumentsBad }
    let given = length.pointee
    length.pointee = UInt(needed)
    guard isThere else { return false }
    guard given >= UInt(needed) else { throw .bufferTooSmall }
    return true
  }

  /// Writes a list, or its length.
  static func write(
    _ values: [UInt], to list: UnsafeMutablePointer<UInt>?, _ length: UnsafeMutablePointer<UInt>?
  ) throws(ReturnValue) {
    guard try hasRoom(list != nil, length, for: values.count), let list else { return }
    for (index, value) in values.enumerated() { list[index] = value }
  }

  static func write<Value>(
    _ value: Value, to pointer: UnsafeMutablePointer<Value>?
  ) throws(ReturnValue) {
    guard let pointer else { throw .argumentsBad }
    pointer.pointee = value
  }

  static func template(
    _ pointer: UnsafeMutablePointer<CK_ATTRIBUTE>?, _ count: UInt
  ) throws(ReturnValue) -> UnsafeMutableBufferPointer<CK_ATTRIBUTE> {
    guard count > 0 else { return UnsafeMutableBufferPointer(start: nil, count: 0) }
    guard let pointer, count <= mostAttributes else { throw .argumentsBad }
    return UnsafeMutableBufferPointer(start: pointer, count: Int(count))
  }

  /// Writes text into a field of fixed length, filled up with blanks (§3.1).
  static func setText<Field>(_ field: inout Field, _ text: String) {
    withUnsafeMutableBytes(of: &field) { bytes in
      bytes.initializeMemory(as: UInt8.self, repeating: 0x20)
      // Whole characters only.
      var length = 0
      for character in text {
        let encoded = Array(String(character).utf8)
        guard length + encoded.count <= bytes.count else { return }
        for (index, byte) in encoded.enumerated() { bytes[length + index] = byte }
        length += encoded.count
      }
    }
  }
}
