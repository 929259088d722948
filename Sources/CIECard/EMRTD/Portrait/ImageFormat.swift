extension Portrait {
  /// The formats of the pictures in a document, told by how they begin: what the files say of them is often wrong.
  public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
    /// JPEG (ISO/IEC 10918-1).
    case jpeg
    /// JPEG 2000 in the file format JP2 (ISO/IEC 15444-1 annex I).
    case jp2
    /// A bare JPEG 2000 codestream (ISO/IEC 15444-1 annex A).
    case jpeg2000Codestream = "j2k"

    /// Judges the beginning of a picture.
    public init?(of image: some Sequence<UInt8>) {
      guard let format = Self.allCases.first(where: { image.starts(with: $0.magic) }) else {
        return nil
      }
      self = format
    }

    /// The bytes that every picture of this format begins with: the markers SOI and the first of another one; the
    /// signature box; the markers SOC and SIZ.
    var magic: [UInt8] {
      switch self {
      case .jpeg: [0xFF, 0xD8, 0xFF]
      case .jp2: [0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A]
      case .jpeg2000Codestream: [0xFF, 0x4F, 0xFF, 0x51]
      }
    }
  }
}
