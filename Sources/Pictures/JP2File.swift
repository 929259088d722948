internal import CIECard

/// The file format around a codestream (ISO/IEC 15444-1 annex I): boxes.
enum JP2File {
  private static let header = 0x6A70_3268  // jp2h
  private static let colour = 0x636F_6C72  // colr
  private static let palette = 0x7063_6C72  // pclr
  private static let codestream = 0x6A70_3263  // jp2c

  /// Finds the codestream.
  ///
  /// - Throws: `PictureError.unsupported` if the samples are neither RGB nor grey.
  static func codestream(in file: [UInt8]) throws(PictureError) -> [UInt8] {
    var cursor = RecordReader(file[...])
    while var box = try box(&cursor) {
      switch box.kind {
      case header:
        while var inner = try Self.box(&box.contents) {
          switch inner.kind {
          case colour: try checkColour(&inner.contents)
          case palette: throw .unsupported
          default: break
          }
        }
      case codestream: return [UInt8](box.contents.rest)
      default: break
      }
    }
    throw .malformed
  }

  /// Checks the enumerated colour space (§I.5.3.3): 16 is sRGB, 17 grey. An ICC profile is accepted
  /// as either.
  private static func checkColour(_ contents: inout RecordReader) throws(PictureError) {
    guard let method = contents.number(1), contents.number(2) != nil else { throw .malformed }
    guard method == 1 else { return }
    guard let space = contents.number(4) else { throw .malformed }
    guard (16...17).contains(space) else { throw .unsupported }
  }

  /// The next box (§I.4); a length of 0 means up to the end, 1 announces an eight-byte length.
  private static func box(
    _ cursor: inout RecordReader
  ) throws(PictureError) -> (kind: Int, contents: RecordReader)? {
    if cursor.rest.isEmpty { return nil }
    guard let length = cursor.number(4), let kind = cursor.number(4) else { throw .malformed }
    let rest: Int
    switch length {
    case 0: rest = cursor.rest.count
    case 1:
      guard cursor.number(4) == 0, let low = cursor.number(4) else { throw .malformed }
      rest = low - 16
    default: rest = length - 8
    }
    guard let contents = cursor.part(rest) else { throw .malformed }
    return (kind, contents)
  }
}
