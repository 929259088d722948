internal import CPNG

/// A PNG taken apart into colours and opacity, each compressed as PNG and PDF both do it: zlib over
/// rows, each with a filter of PNG in front (ISO/IEC 15948 §9).
public struct PictureLayers: Sendable, Equatable {
  /// Pixels from left to right.
  public let width: Int
  /// Pixels from top to bottom.
  public let height: Int
  /// Red, green and blue (sRGB), 8 bits each.
  public let colours: [UInt8]
  /// Opacity, 8 bits a pixel; nil if all of it is opaque.
  public let alpha: [UInt8]?

  /// Decodes any PNG: palettes, grey, 16 bits, interlaced.
  ///
  /// - Throws: `PictureError`, before anything large is decoded.
  public init(png file: [UInt8]) throws(PictureError) {
    guard file.count <= Picture.longestFile else { throw .tooLarge }
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    defer { png_image_free(&image) }
    var pixels: [UInt8] = []
    let failure = file.withUnsafeBytes { (bytes) -> PictureError? in
      guard png_image_begin_read_from_memory(&image, bytes.baseAddress, bytes.count) != 0 else {
        return .malformed
      }
      let (width, height) = (Int(image.width), Int(image.height))
      guard Picture.holds(width: width, height: height) else { return .tooLarge }
      // Without a statement of its colours, or libpng takes 16 bits for linear light.
      image.flags |= png_uint_32(PNG_IMAGE_FLAG_16BIT_sRGB)
      image.format = png_uint_32(PNG_FORMAT_FLAG_COLOR) | png_uint_32(PNG_FORMAT_FLAG_ALPHA)
      pixels = [UInt8](repeating: 0, count: 4 * width * height)
      return png_image_finish_read(&image, nil, &pixels, 0, nil) != 0 ? nil : .malformed
    }
    if let failure { throw failure }
    (width, height) = (Int(image.width), Int(image.height))
    var colours: [UInt8] = []
    colours.reserveCapacity(3 * width * height)
    var alpha: [UInt8] = []
    alpha.reserveCapacity(width * height)
    for pixel in stride(from: 0, to: pixels.count, by: 4) {
      colours += pixels[pixel..<pixel + 3]
      alpha.append(pixels[pixel + 3])
    }
    self.colours = try Self.rows(colours, width, height, hasColour: true)
    self.alpha =
      alpha.allSatisfy { $0 == 255 }
      ? nil : try Self.rows(alpha, width, height, hasColour: false)
  }

  /// The IDAT chunks of a PNG with these pixels.
  private static func rows(
    _ pixels: [UInt8], _ width: Int, _ height: Int, hasColour: Bool
  ) throws(PictureError) -> [UInt8] {
    var rest = try PNG.encode(pixels, width, height, hasColour: hasColour).dropFirst(8)
    var rows: [UInt8] = []
    while rest.count >= 12 {
      let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      let type = rest.dropFirst(4).prefix(4)
      if type.elementsEqual("IDAT".utf8) { rows += rest.dropFirst(8).prefix(length) }
      rest = rest.dropFirst(12 + length)
    }
    return rows
  }
}
