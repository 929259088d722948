extension DataGroup.Portrait {
  /// The picture formats in documents, detected by their first bytes, because the format stated in
  /// a file is often wrong.
  public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
    /// JPEG (ISO/IEC 10918-1).
    case jpeg
    /// JPEG 2000 in the file format JP2 (ISO/IEC 15444-1 annex I).
    case jp2
    /// A bare JPEG 2000 codestream (ISO/IEC 15444-1 annex A).
    case jpeg2000Codestream = "j2k"

    /// Detects the format by the beginning of a picture.
    public init?(of image: some Sequence<UInt8>) {
      guard let format = Self.allCases.first(where: { image.starts(with: $0.magic) }) else {
        return nil
      }
      self = format
    }

    /// The bytes at the start of every picture of this format: the markers SOI and the first byte
    /// of another one; the signature box; the markers SOC and SIZ.
    var magic: [UInt8] {
      switch self {
      case .jpeg: [0xFF, 0xD8, 0xFF]
      case .jp2: [0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A]
      case .jpeg2000Codestream: [0xFF, 0x4F, 0xFF, 0x51]
      }
    }
  }

  /// The size of a picture in pixels, from its own header.
  public struct ImageSize: Sendable, Hashable {
    /// Pixels from left to right, at least 1.
    public let width: Int
    /// Pixels from top to bottom, at least 1.
    public let height: Int

    /// - Returns: `nil` if either is zero.
    public init?(width: Int, height: Int) {
      guard width > 0, height > 0 else { return nil }
      self.width = width
      self.height = height
    }

    /// Reads the size from a picture.
    ///
    /// - Returns: `nil` if its header is damaged.
    init?(of image: ArraySlice<UInt8>, format: ImageFormat) {
      var reader = RecordReader(image)
      let size =
        switch format {
        case .jpeg: reader.frameSize()
        case .jp2: reader.imageHeaderSize()
        case .jpeg2000Codestream: reader.codestreamSize()
        }
      guard let size, let found = ImageSize(width: size.width, height: size.height) else {
        return nil
      }
      self = found
    }
  }
}

extension RecordReader {
  fileprivate typealias Size = (width: Int, height: Int)

  /// JPEG: the first start of frame (ISO/IEC 10918-1 §B.2.2), skipping the segments before it.
  fileprivate mutating func frameSize() -> Size? {
    guard number(2) == 0xFFD8 else { return nil }
    while number(1) == 0xFF {
      while peek() == 0xFF { skip(1) }
      guard let marker = number(1), let length = number(2), length >= 2 else { return nil }
      switch marker {
      // DHT, JPG and DAC have codes in the range of the start-of-frame markers.
      case 0xC4, 0xC8, 0xCC: skip(length - 2)
      case 0xC0...0xCF:
        skip(1)
        guard let height = number(2), let width = number(2) else { return nil }
        return (width, height)
      default: skip(length - 2)
      }
    }
    return nil
  }

  /// JP2: the image header box in the header box (ISO/IEC 15444-1 §I.5.3), skipping the boxes
  /// before it.
  fileprivate mutating func imageHeaderSize() -> Size? {
    let header = 0x6A70_3268
    let imageHeader = 0x6968_6472
    while let length = number(4), let kind = number(4) {
      switch kind {
      case header: continue
      case imageHeader:
        guard let height = number(4), let width = number(4) else { return nil }
        return (width, height)
      default:
        guard length >= 8 else { return nil }
        skip(length - 8)
      }
    }
    return nil
  }

  /// JPEG 2000: the reference grid without its offset, in the SIZ segment (ISO/IEC 15444-1 §A.5.1).
  fileprivate mutating func codestreamSize() -> Size? {
    guard number(4) == 0xFF4F_FF51 else { return nil }
    skip(4)
    guard let right = number(4), let bottom = number(4), let left = number(4), let top = number(4)
    else { return nil }
    return (right - left, bottom - top)
  }
}
