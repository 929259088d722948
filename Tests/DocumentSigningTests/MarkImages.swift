import DocumentSigning
import Pictures

/// Small PNGs by hand (ISO/IEC 15948), of the kinds that logos have.
enum MarkImages {
  enum Kind: String, CaseIterable, Sendable {
    case colours, grey, deep, palette, clearPalette, alpha, greyAlpha

    var hasAlpha: Bool {
      switch self {
      case .colours, .grey, .deep, .palette: false
      case .clearPalette, .alpha, .greyAlpha: true
      }
    }

    /// Colour type, depth, and the bytes of a pixel of the left and of the right half.
    var form: (type: UInt8, depth: UInt8, left: [UInt8], right: [UInt8]) {
      switch self {
      case .colours: (2, 8, [200, 30, 40], [10, 20, 250])
      case .grey: (0, 8, [100], [220])
      case .deep: (2, 16, [200, 0, 30, 0, 40, 0], [10, 0, 20, 0, 250, 0])
      case .palette, .clearPalette: (3, 8, [0], [1])
      case .alpha: (6, 8, [0, 0, 0, 0], [200, 30, 40, 128])
      case .greyAlpha: (4, 8, [0, 0], [100, 255])
      }
    }

    /// Colours on a white page.
    var left: [Int] {
      switch self {
      case .colours, .deep, .palette: [200, 30, 40]
      case .grey: [100, 100, 100]
      case .clearPalette, .alpha, .greyAlpha: [255, 255, 255]
      }
    }

    var right: [Int] {
      switch self {
      case .colours, .deep, .palette: [10, 20, 250]
      case .grey: [220, 220, 220]
      case .clearPalette: [10, 20, 250]
      case .alpha: [227, 142, 147]
      case .greyAlpha: [100, 100, 100]
      }
    }
  }

  /// Eight pixels square.
  static func png(_ kind: Kind) -> [UInt8] {
    let form = kind.form
    var row: [UInt8] = [0]
    for column in 0..<8 { row += column < 4 ? form.left : form.right }
    var chunks: [(String, [UInt8])] = []
    if form.type == 3 { chunks.append(("PLTE", [200, 30, 40, 10, 20, 250])) }
    if kind == .clearPalette { chunks.append(("tRNS", [0, 255])) }
    return png(form.type, form.depth, chunks, [UInt8]((0..<8).map { _ in row }.joined()))
  }

  /// Red, green, blue and white quarters, two pixels square.
  static var quarters: VisibleMark.Image {
    get throws {
      let rows: [UInt8] = [0, 255, 0, 0, 0, 255, 0] + [0, 0, 0, 255, 255, 255, 255]
      return .init(try PictureLayers(png: png(2, 8, [], rows, side: 2)))
    }
  }

  private static func png(
    _ type: UInt8, _ depth: UInt8, _ chunks: [(String, [UInt8])], _ rows: [UInt8], side: UInt8 = 8
  ) -> [UInt8] {
    let header: [UInt8] = [0, 0, 0, side, 0, 0, 0, side, depth, type, 0, 0, 0]
    // zlib with one stored block (RFC 1950, RFC 1951 §3.2.4).
    let count = UInt16(rows.count)
    let lengths = [count, ~count].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in rows {
      low = (low + UInt32(byte)) % 65521
      high = (high + low) % 65521
    }
    let data: [UInt8] = [0x78, 0x01, 0x01] + lengths + rows + bytes(high << 16 | low)
    var file: [UInt8] = [0x89] + [UInt8]("PNG\r\n\u{1A}\n".utf8)
    let all: [(String, [UInt8])] = [("IHDR", header)] + chunks + [("IDAT", data), ("IEND", [])]
    for (name, body) in all {
      let named = [UInt8](name.utf8) + body
      file += bytes(UInt32(body.count)) + named + checksum(named[...])
    }
    return file
  }

  /// CRC-32 of a chunk's type and data.
  static func checksum(_ data: ArraySlice<UInt8>) -> [UInt8] {
    var sum = UInt32.max
    for byte in data {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
    }
    return bytes(~sum)
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}

extension VisibleMark.Image {
  init(_ layers: PictureLayers) {
    self.init(
      width: layers.width, height: layers.height, colours: layers.colours, alpha: layers.alpha)
  }
}
