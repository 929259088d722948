public import CIECard

/// A picture in memory: pixels in rows from the top left, 8 bits a colour.
public struct Picture: Sendable, Equatable {
  /// Pixels from left to right.
  public let width: Int
  /// Pixels from top to bottom.
  public let height: Int
  /// Red, green, blue of every pixel.
  public let pixels: [UInt8]

  /// - Returns: `nil` unless the size is within the limits and the pixels fill it.
  public init?(width: Int, height: Int, pixels: [UInt8]) {
    guard Self.holds(width: width, height: height), pixels.count == width * height * 3 else {
      return nil
    }
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// The longest side that is decoded.
  public static let longestSide = 4096
  /// The most pixels that are decoded: a portrait has half a million.
  public static let mostPixels = 4 << 20
  /// The longest file that is decoded, in bytes: as long as a file of a card can be.
  public static let longestFile = 4 << 20

  static func holds(width: Int, height: Int) -> Bool {
    (1...longestSide).contains(width) && (1...longestSide).contains(height)
      && width * height <= mostPixels
  }

  /// The picture in another size: every pixel the mean of those that it stands for, at least one.
  ///
  /// - Returns: `nil` when the size is outside the limits.
  public func scaled(width: Int, height: Int) -> Picture? {
    guard Self.holds(width: width, height: height) else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(width * height * 3)
    for row in 0..<height {
      let rows = Self.span(row, of: height, in: self.height)
      for column in 0..<width {
        let columns = Self.span(column, of: width, in: self.width)
        result += mean(rows, columns)
      }
    }
    return Picture(width: width, height: height, pixels: result)
  }

  /// The pixels that one of fewer stands for.
  private static func span(_ index: Int, of count: Int, in whole: Int) -> Range<Int> {
    let start = index * whole / count
    return start..<max(start + 1, (index + 1) * whole / count)
  }

  private func mean(_ rows: Range<Int>, _ columns: Range<Int>) -> [UInt8] {
    var sums = [0, 0, 0]
    for row in rows {
      for column in columns {
        for colour in 0..<3 { sums[colour] += Int(pixels[(row * width + column) * 3 + colour]) }
      }
    }
    let count = rows.count * columns.count
    return sums.map { UInt8(clamping: $0 / count) }
  }
}

/// Why a picture cannot be decoded or encoded.
public enum PictureError: Error, Sendable, Equatable {
  /// It is damaged, or cut short.
  case malformed
  /// It is larger than anything that is decoded.
  case tooLarge
  /// It uses a part of its format that portraits do not: palettes, more than eight bits, four printing colours.
  case unsupported
  /// The process that was to decode it ended over it, took too long, or could not be started.
  case decoderEnded
}

extension Picture {
  /// Decodes the picture of a document.
  ///
  /// - Parameters:
  ///   - image: a complete file.
  ///   - format: what it is; another format makes it malformed.
  /// - Throws: `PictureError`, in bounded time and memory whatever the file says.
  public init(decoding image: [UInt8], format: DataGroup.Portrait.ImageFormat) throws(PictureError)
  {
    guard image.count <= Self.longestFile else { throw .tooLarge }
    switch format {
    case .jpeg: self = try JPEG.decode(image)
    case .jp2, .jpeg2000Codestream: self = try JPEG2000.decode(image, format: format)
    }
  }

  /// The picture as PNG (ISO/IEC 15948), without loss.
  public func png() throws(PictureError) -> [UInt8] { try PNG.encode(self) }

  /// The picture as JPEG (ISO/IEC 10918-1), of the quality at which no difference is seen.
  public func jpeg() throws(PictureError) -> [UInt8] { try JPEG.encode(self) }
}
