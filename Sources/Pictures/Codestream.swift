/// The codestream of a JPEG 2000 picture (ISO/IEC 15444-1 annex A), looked through before it is decoded.
///
/// A few bytes of it can ask for millions of tiles, precincts or code blocks, each with a structure of its own in
/// the decoder: those that no portrait has are refused here.
struct Codestream {
  /// The most tiles.
  private static let mostTiles = 1024
  /// The most quality layers.
  private static let mostLayers = 1024
  /// The smallest precinct: 2 to the power of this, in each direction.
  private static let smallestPrecinct = 5
  /// The smallest code block, as COD writes it: 2 to the power of this and 2.
  private static let smallestBlock = 1

  /// The bytes from SOC on.
  let bytes: [UInt8]

  /// - Throws: `PictureError` when it is out of bounds, uses what portraits do not, or ends too early.
  init(_ bytes: [UInt8]) throws(PictureError) {
    self.bytes = bytes
    var cursor = ByteCursor(bytes)
    guard cursor.number(2) == Marker.startOfCodestream else { throw .malformed }
    var hasSize = false
    while true {
      let start = cursor.offset
      guard let marker = cursor.number(2) else { throw .malformed }
      switch marker {
      case Marker.endOfCodestream:
        return
      case Marker.startOfData:
        throw .malformed
      case Marker.startOfTilePart:
        guard hasSize else { throw .malformed }
        try Self.checkTilePart(&cursor, from: start)
        if cursor.isAtEnd { return }
      default:
        var segment = try Self.segment(&cursor)
        if marker == Marker.size { hasSize = true }
        try Self.check(marker, &segment)
      }
    }
  }

  private enum Marker {
    static let startOfCodestream = 0xFF4F
    static let size = 0xFF51
    static let codingStyle = 0xFF52
    static let componentCodingStyle = 0xFF53
    static let startOfTilePart = 0xFF90
    static let startOfData = 0xFF93
    static let endOfCodestream = 0xFFD9
  }

  /// A marker segment without its length, which counts itself.
  private static func segment(_ cursor: inout ByteCursor) throws(PictureError) -> ByteCursor {
    guard let length = cursor.number(2), let segment = cursor.part(length - 2) else {
      throw .malformed
    }
    return segment
  }

  /// A header like the main one, then data up to the length that SOT tells (§A.4.2); 0 is up to the end.
  private static func checkTilePart(
    _ cursor: inout ByteCursor, from start: Int
  ) throws(PictureError) {
    var part = try segment(&cursor)
    guard part.number(2) != nil, let length = part.number(4) else { throw .malformed }
    while let marker = cursor.number(2), marker != Marker.startOfData {
      var segment = try segment(&cursor)
      try check(marker, &segment)
    }
    let rest = length == 0 ? cursor.end - cursor.offset : start + length - cursor.offset
    guard cursor.part(rest) != nil else { throw .malformed }
  }

  private static func check(
    _ marker: Int, _ segment: inout ByteCursor
  ) throws(PictureError) {
    switch marker {
    case Marker.size: try checkSize(&segment)
    case Marker.codingStyle:
      guard let style = segment.number(1), segment.number(1) != nil,
        let layers = segment.number(2), segment.number(1) != nil
      else { throw .malformed }
      guard layers <= mostLayers else { throw .unsupported }
      try checkCoding(&segment, hasPrecincts: style & 1 == 1)
    case Marker.componentCodingStyle:
      guard segment.number(1) != nil, let style = segment.number(1) else { throw .malformed }
      try checkCoding(&segment, hasPrecincts: style & 1 == 1)
    default: break
    }
  }

  /// SIZ (§A.5.1).
  private static func checkSize(_ segment: inout ByteCursor) throws(PictureError) {
    guard segment.number(2) != nil, let right = segment.number(4), let bottom = segment.number(4),
      let left = segment.number(4), let top = segment.number(4),
      let tileWidth = segment.number(4), let tileHeight = segment.number(4),
      let tileLeft = segment.number(4), let tileTop = segment.number(4),
      let components = segment.number(2), tileWidth > 0, tileHeight > 0,
      tileLeft <= left, tileTop <= top
    else { throw .malformed }
    guard Picture.holds(width: right - left, height: bottom - top), right < 1 << 24,
      bottom < 1 << 24
    else { throw .tooLarge }
    let columns = (right - tileLeft - 1) / tileWidth + 1
    let rows = (bottom - tileTop - 1) / tileHeight + 1
    guard columns <= mostTiles, rows <= mostTiles, columns * rows <= mostTiles else {
      throw .tooLarge
    }
    guard (1...4).contains(components) else { throw .unsupported }
    for _ in 0..<components {
      guard let precision = segment.number(1), let across = segment.number(1),
        let down = segment.number(1)
      else { throw .malformed }
      // Unsigned samples of up to eight bits, each component as large as the picture.
      guard precision < 8, across == 1, down == 1 else { throw .unsupported }
    }
  }

  /// The part that COD and COC share (§A.6.1, table A.20).
  private static func checkCoding(
    _ segment: inout ByteCursor, hasPrecincts: Bool
  ) throws(PictureError) {
    guard let levels = segment.number(1), let width = segment.number(1),
      let height = segment.number(1), segment.number(2) != nil
    else { throw .malformed }
    guard levels <= 32, width >= smallestBlock, height >= smallestBlock else {
      throw .unsupported
    }
    guard hasPrecincts else { return }
    for _ in 0...levels {
      guard let size = segment.number(1) else { throw .malformed }
      guard size & 15 >= smallestPrecinct, size >> 4 >= smallestPrecinct else {
        throw .unsupported
      }
    }
  }
}
