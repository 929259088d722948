public import CIECard

/// A picture in memory: pixels in rows from the top left, 8 bits per channel.
public struct Picture: Sendable, Equatable {
  /// Pixels from left to right.
  public let width: Int
  /// Pixels from top to bottom.
  public let height: Int
  /// Red, green and blue of every pixel.
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

  /// Longest side that is decoded.
  public static let longestSide = 4096
  /// Maximum number of pixels that are decoded: a portrait has half a million.
  public static let mostPixels = 4 << 20
  /// Largest file that is decoded, in bytes: the maximum size of a file on a card.
  public static let longestFile = 4 << 20

  static func holds(width: Int, height: Int) -> Bool {
    (1...longestSide).contains(width) && (1...longestSide).contains(height)
      && width * height <= mostPixels
  }

  /// Scales the picture: every pixel is the mean of the source pixels that it covers, at least one.
  ///
  /// - Returns: `nil` if the size is outside the limits.
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

  /// The range of source pixels that one target pixel covers.
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

/// The reason why a picture cannot be decoded or encoded, or a page cannot be drawn.
public enum PictureError: Error, Sendable, Equatable {
  /// It is damaged or truncated.
  case malformed
  case tooLarge
  /// It uses a feature of its format that portraits do not: palettes, more than eight bits, CMYK.
  case unsupported
  /// The decoding process crashed, took too long, or could not be started.
  case decoderEnded
  /// The program that draws pages is not there.
  case drawerMissing
  /// The document is larger than `PageProcess.longestFile`.
  case pageTooLarge
  /// The drawing process crashed, exceeded its memory or time, was cancelled, or could not be started; or the document
  /// has no such page.
  case pageNotDrawn
}

extension Picture {
  /// Decodes the picture of a document.
  ///
  /// - Parameters:
  ///   - image: a complete file.
  ///   - format: the format of the file; any other counts as malformed.
  /// - Throws: `PictureError`, in bounded time and memory for any input.
  public init(decoding image: [UInt8], format: DataGroup.Portrait.ImageFormat) throws(PictureError)
  {
    guard image.count <= Self.longestFile else { throw .tooLarge }
    switch format {
    case .jpeg: self = try JPEG.decode(image)
    case .jp2, .jpeg2000Codestream: self = try JPEG2000.decode(image, format: format)
    }
  }

  /// Encodes the picture as PNG (ISO/IEC 15948), without loss.
  public func png() throws(PictureError) -> [UInt8] {
    try PNG.encode(pixels, width, height, hasColour: true)
  }

  /// Encodes the picture as JPEG (ISO/IEC 10918-1), at a quality without visible difference.
  public func jpeg() throws(PictureError) -> [UInt8] { try JPEG.encode(self) }
}

extension Diagnosis {
  /// The portrait cannot be shown in another format; or a page cannot be shown, which can be signed all the same.
  public init(_ error: PictureError) {
    let stored = Message("stored-portrait.do")
    switch error {
    case .malformed: self.init(.false, "portrait-malformed", advice: stored)
    case .tooLarge: self.init(.notCarried, "portrait-too-large", advice: stored)
    case .unsupported: self.init(.notCarried, "portrait-unsupported", advice: stored)
    case .decoderEnded: self.init(.notCarried, "portrait-not-decoded", advice: stored)
    case .drawerMissing: self.init(.internalFailure, "page-not-drawable")
    case .pageTooLarge: self.init(.usage, "page-too-large", advice: Message("page-not-shown.do"))
    case .pageNotDrawn:
      self.init(.internalFailure, "page-not-drawn", advice: Message("page-not-shown.do"))
    }
  }
}

extension PictureError: CustomStringConvertible {
  /// The sentence of its diagnosis.
  public var description: String { Diagnosis(self).description }
}
