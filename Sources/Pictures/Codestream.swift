internal import CIECard

/// The codestream of a JPEG 2000 picture (ISO/IEC 15444-1 annex A), checked before it is decoded.
///
/// A few bytes can ask for millions of tiles, precincts or code blocks, each with its own structure
/// in the decoder: numbers that no portrait has are refused here. Parts that the standard lets an
/// encoder omit at the end are added, because the decoder aborts on some streams without them.
struct Codestream {
  private static let mostTiles = 1024
  private static let mostLayers = 1024
  /// Limit of the decoder's work: code blocks times layers. A portrait has some ten thousand.
  private static let mostWork = 1 << 22
  /// Smallest precinct: 2 to the power of this, in each direction.
  private static let smallestPrecinct = 5
  /// Smallest code block, as encoded in COD: 2 to the power of this and 2.
  private static let smallestBlock = 1

  /// The bytes from SOC to EOC, every tile-part with its length.
  private(set) var bytes: [UInt8]
  private var tiles = 0
  private var tilesFound: Set<Int> = []
  /// Of one tile.
  private var size = (width: 0, height: 0)
  private var components = 0
  /// The maximum of all tiles and components so far.
  private var layers = 1
  private var blocks = 0

  /// - Throws: `PictureError` if it exceeds the limits, uses features that portraits do not, or is
  ///   truncated.
  init(_ bytes: [UInt8]) throws(PictureError) {
    self.bytes = bytes
    var cursor = RecordReader(bytes[...])
    guard cursor.number(2) == Marker.startOfCodestream else { throw .malformed }
    while true {
      let start = cursor.rest.startIndex
      guard let marker = cursor.number(2) else { throw .malformed }
      switch marker {
      case Marker.endOfCodestream:
        guard tiles > 0, tilesFound.count == tiles else { throw .malformed }
        self.bytes.removeLast(bytes.count - cursor.rest.startIndex)
        return
      case Marker.startOfData:
        throw .malformed
      case Marker.startOfTilePart:
        try checkTilePart(&cursor, from: start)
        if cursor.rest.isEmpty, tilesFound.count == tiles {
          self.bytes += [0xFF, 0xD9]
          return
        }
      default:
        var segment = try Self.segment(&cursor)
        try check(marker, &segment)
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

  /// A marker segment without its length field, whose value includes the field itself.
  private static func segment(_ cursor: inout RecordReader) throws(PictureError) -> RecordReader {
    guard let length = cursor.number(2), let segment = cursor.part(length - 2) else {
      throw .malformed
    }
    return segment
  }

  /// Checks a tile-part: a header like the main one, then data up to the length in SOT (§A.4.2); 0
  /// means up to the end.
  private mutating func checkTilePart(
    _ cursor: inout RecordReader, from start: Int
  ) throws(PictureError) {
    var part = try Self.segment(&cursor)
    guard let tile = part.number(2), tile < tiles, let length = part.number(4) else {
      throw .malformed
    }
    tilesFound.insert(tile)
    while let marker = cursor.number(2), marker != Marker.startOfData {
      var segment = try Self.segment(&cursor)
      try check(marker, &segment)
    }
    guard length == 0 else {
      guard cursor.part(start + length - cursor.rest.startIndex) != nil else { throw .malformed }
      return
    }
    let rest = cursor.rest.count
    let hasEnd = rest >= 2 && bytes.suffix(2) == [0xFF, 0xD9]
    guard cursor.part(hasEnd ? rest - 2 : rest) != nil else { throw .malformed }
    let found = UInt32(clamping: cursor.rest.startIndex - start)
    for (index, shift) in zip(start + 6..<start + 10, [24, 16, 8, 0]) {
      bytes[index] = UInt8(truncatingIfNeeded: found >> UInt32(shift))
    }
  }

  private mutating func check(
    _ marker: Int, _ segment: inout RecordReader
  ) throws(PictureError) {
    switch marker {
    case Marker.size: try checkSize(&segment)
    case Marker.codingStyle:
      guard let style = segment.number(1), segment.number(1) != nil,
        let layers = segment.number(2), segment.number(1) != nil
      else { throw .malformed }
      guard layers <= Self.mostLayers else { throw .unsupported }
      self.layers = max(self.layers, layers)
      try checkCoding(&segment, hasPrecincts: style & 1 == 1)
    case Marker.componentCodingStyle:
      guard segment.number(1) != nil, let style = segment.number(1) else { throw .malformed }
      try checkCoding(&segment, hasPrecincts: style & 1 == 1)
    default: break
    }
  }

  /// SIZ (§A.5.1).
  private mutating func checkSize(_ segment: inout RecordReader) throws(PictureError) {
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
    guard columns <= Self.mostTiles, rows <= Self.mostTiles, columns * rows <= Self.mostTiles
    else { throw .tooLarge }
    tiles = columns * rows
    size = (min(tileWidth, right - left), min(tileHeight, bottom - top))
    self.components = components
    guard (1...4).contains(components) else { throw .unsupported }
    for _ in 0..<components {
      guard let precision = segment.number(1), let across = segment.number(1),
        let down = segment.number(1)
      else { throw .malformed }
      // Unsigned samples of up to eight bits, each component as large as the picture.
      guard precision < 8, across == 1, down == 1 else { throw .unsupported }
    }
  }

  /// The part common to COD and COC (§A.6.1, table A.20).
  private mutating func checkCoding(
    _ segment: inout RecordReader, hasPrecincts: Bool
  ) throws(PictureError) {
    guard let levels = segment.number(1), let width = segment.number(1),
      let height = segment.number(1), segment.number(2) != nil
    else { throw .malformed }
    // SIZ comes first (§A.2).
    guard tiles > 0 else { throw .malformed }
    guard levels <= 32, (Self.smallestBlock...8).contains(width),
      (Self.smallestBlock...8).contains(height)
    else { throw .unsupported }
    var across = width + 2
    var down = height + 2
    if hasPrecincts {
      for _ in 0...levels {
        guard let size = segment.number(1) else { throw .malformed }
        guard size & 15 >= Self.smallestPrecinct, size >> 4 >= Self.smallestPrecinct else {
          throw .unsupported
        }
        // A code block is clipped to its precinct, which is half as large in a subband (§B.7).
        across = min(across, size & 15 - 1)
        down = min(down, size >> 4 - 1)
      }
    }
    blocks = max(blocks, blockCount(levels, across, down))
    guard blocks * layers <= Self.mostWork else { throw .tooLarge }
  }

  /// The number of code blocks of all tiles, by the size of each subband (§B.5): three per level,
  /// and the last one.
  ///
  /// - Parameters:
  ///   - across: the width of a block, 2 to the power of this.
  ///   - down: its height.
  private func blockCount(_ levels: Int, _ across: Int, _ down: Int) -> Int {
    func count(_ level: Int) -> Int {
      let width = (size.width - 1) >> level + 1
      let height = (size.height - 1) >> level + 1
      return ((width - 1) >> across + 1) * ((height - 1) >> down + 1)
    }
    let one = (1...max(1, levels)).reduce(count(levels)) { sum, level in
      level > levels ? sum : sum + 3 * count(level)
    }
    return one * tiles * components
  }
}
