public import CIECard

extension Picture {
  /// Decodes the picture of a document.
  ///
  /// - Parameters:
  ///   - image: a complete file.
  ///   - format: what it is; another format makes it malformed.
  /// - Throws: `PictureError`, in bounded time and memory whatever the file says.
  public init(decoding image: [UInt8], format: Portrait.ImageFormat) throws(PictureError) {
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
