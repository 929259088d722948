/// Padding of ISO/IEC 9797-1 method 2 (ISO/IEC 7816-4 §10.2.3.1): one byte 80, then zeros up to whole blocks.
enum BlockPadding {
  /// The first padding byte.
  static let marker: UInt8 = 0x80

  /// Adds one byte to a whole block.
  static func pad(_ bytes: inout [UInt8], to block: Int) {
    bytes.append(marker)
    while bytes.count % block != 0 { bytes.append(0) }
  }

  /// Takes the padding off.
  ///
  /// - Returns: `nil` when the last block does not end in a marker and zeros.
  static func unpad(_ bytes: [UInt8], from block: Int) -> [UInt8]? {
    guard let end = bytes.lastIndex(where: { $0 != 0 }), bytes[end] == marker,
      bytes.count - end <= block
    else { return nil }
    return [UInt8](bytes[..<end])
  }
}
