internal import CPNG

/// PNG (ISO/IEC 15948), by libpng's simplified interface, which reports errors instead of jumping.
enum PNG {
  /// Encodes rows of 8 bits per channel: red, green and blue, or else grey.
  static func encode(
    _ pixels: [UInt8], _ width: Int, _ height: Int, hasColour: Bool
  ) throws(PictureError) -> [UInt8] {
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    image.width = png_uint_32(width)
    image.height = png_uint_32(height)
    image.format = hasColour ? png_uint_32(PNG_FORMAT_FLAG_COLOR) : 0
    defer { png_image_free(&image) }
    // The first call returns the maximum length; the second one writes.
    var length = png_alloc_size_t(0)
    guard write(&image, nil, &length, pixels) else { throw .malformed }
    var encoded = [UInt8](repeating: 0, count: length)
    guard write(&image, &encoded, &length, pixels), length <= encoded.count else {
      throw .malformed
    }
    return [UInt8](encoded.prefix(length))
  }

  private static func write(
    _ image: inout png_image, _ memory: UnsafeMutableRawPointer?, _ length: inout Int,
    _ pixels: [UInt8]
  ) -> Bool {
    png_image_write_to_memory(&image, memory, &length, 0, pixels, 0, nil) != 0
  }
}
