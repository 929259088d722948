/// A facial record of ISO/IEC 19794-5:2005, as found in 5F2E: the picture and its position.
///
/// Lengths and counts inside the record are wrong in some issued documents: the surrounding data
/// object determines the end of the record, and a picture that is not at the stated position is
/// searched for.
struct FacialRecord {
  /// The picture, to the end of the record or, if there are several, of its block.
  let image: ArraySlice<UInt8>
  /// The size stated in the record (§5.7.3, §5.7.4); zeros are allowed and mean that it is not
  /// stated.
  let statedSize: DataGroup.Portrait.ImageSize?

  /// Format identifier and version number (§5.4.1, §5.4.2): "FAC", 0, "010", 0.
  private static let magic: [UInt8] = [0x46, 0x41, 0x43, 0x00, 0x30, 0x31, 0x30, 0x00]

  static func begins(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.starts(with: magic) }

  /// - Returns: `nil` if the record has no picture of a known format.
  init?(_ record: ArraySlice<UInt8>) {
    var reader = RecordReader(record.dropFirst(Self.magic.count))
    // Facial header (§5.4): the length of the record, then the number of images.
    reader.skip(4)
    guard let images = reader.number(2) else { return nil }
    let block = reader.rest
    // Facial information (§5.5): the length of the block, the number of feature points, and 14 more bytes.
    guard let blockLength = reader.number(4), let points = reader.number(2) else { return nil }
    // Feature points (§5.6) of 8 bytes each; image type and data type (§5.7.1, §5.7.2).
    reader.skip(14 + 8 * points + 2)
    statedSize = DataGroup.Portrait.ImageSize(
      width: reader.number(2) ?? 0, height: reader.number(2) ?? 0)
    // Colour space, source, device, quality (§5.7.5 to §5.7.8).
    reader.skip(6)
    let start =
      DataGroup.Portrait.ImageFormat(of: reader.rest) != nil
      ? reader.rest.startIndex : Self.firstPicture(in: block)
    guard let start else { return nil }
    let end = images > 1 ? block.prefix(blockLength).endIndex : block.endIndex
    image = end > start ? block[start..<end] : block[start...]
  }

  private static func firstPicture(in block: ArraySlice<UInt8>) -> Int? {
    block.indices.first { DataGroup.Portrait.ImageFormat(of: block[$0...]) != nil }
  }
}

/// Reads big-endian numbers and skips bytes of a binary record, never past its end.
package struct RecordReader {
  package private(set) var rest: ArraySlice<UInt8>

  package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// Reads a number of one to four bytes; `nil`, with nothing consumed, if the record ends before.
  package mutating func number(_ count: Int) -> Int? {
    guard rest.count >= count else { return nil }
    let bytes = rest.prefix(count)
    rest = rest.dropFirst(count)
    return bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  func peek() -> UInt8? { rest.first }

  /// Splits off the next bytes; `nil`, with nothing consumed, if there are fewer.
  package mutating func part(_ count: Int) -> RecordReader? {
    guard count >= 0, rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return RecordReader(rest.prefix(count))
  }

  mutating func skip(_ count: Int) { rest = rest.dropFirst(max(0, count)) }
}
