internal import CTurboJPEG

/// JPEG (ISO/IEC 10918-1), by TurboJPEG, which reports errors; plain libjpeg would exit or longjmp.
enum JPEG {
  /// From 1 to 100.
  private static let quality: Int32 = 95

  static func decode(_ image: [UInt8]) throws(PictureError) -> Picture {
    guard let handle = tjInitDecompress() else { throw .malformed }
    defer { tjDestroy(handle) }
    var width: Int32 = 0
    var height: Int32 = 0
    var subsampling: Int32 = 0
    var colours: Int32 = 0
    let length = UInt(image.count)
    guard
      tjDecompressHeader3(handle, image, length, &width, &height, &subsampling, &colours) == 0
    else { throw .malformed }
    guard Picture.holds(width: Int(width), height: Int(height)) else { throw .tooLarge }
    switch UInt32(bitPattern: colours) {
    case TJCS_RGB.rawValue, TJCS_YCbCr.rawValue, TJCS_GRAY.rawValue: break
    default: throw .unsupported
    }
    var pixels = [UInt8](repeating: 0, count: Int(width) * Int(height) * 3)
    // The number of scans is limited, as each of many thousands may cost as much as the first;
    // damaged data are refused.
    let flags = TJFLAG_LIMITSCANS | TJFLAG_STOPONWARNING
    guard
      tjDecompress2(
        handle, image, length, &pixels, width, 0, height, Int32(TJPF_RGB.rawValue), flags) == 0,
      let picture = Picture(width: Int(width), height: Int(height), pixels: pixels)
    else { throw .malformed }
    return picture
  }

  static func encode(_ picture: Picture) throws(PictureError) -> [UInt8] {
    guard let handle = tjInitCompress() else { throw .malformed }
    defer { tjDestroy(handle) }
    let (width, height) = (Int32(picture.width), Int32(picture.height))
    let sampling = Int32(TJSAMP_444.rawValue)
    var length = tjBufSize(width, height, sampling)
    var encoded = [UInt8](repeating: 0, count: Int(length))
    let isDone = encoded.withUnsafeMutableBufferPointer { buffer in
      var target = buffer.baseAddress
      return tjCompress2(
        handle, picture.pixels, width, 0, height, Int32(TJPF_RGB.rawValue), &target, &length,
        sampling, quality, TJFLAG_NOREALLOC) == 0
    }
    guard isDone else { throw .malformed }
    return [UInt8](encoded.prefix(Int(length)))
  }
}
