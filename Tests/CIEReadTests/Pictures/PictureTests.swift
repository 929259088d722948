import CIECard
import Pictures
import TestSupport
import Testing
import VirtualCIE

/// Decoding gives the encoded picture, and hostile input is refused.
@Suite struct PictureTests {
  private static func pixels(_ colours: (Int, Int) -> [Int]) -> [UInt8] {
    var pixels: [UInt8] = []
    for index in 0..<256 {
      let values: [Int] = colours(index % 16, index / 16)
      pixels += values.map { UInt8($0) }
    }
    return pixels
  }

  @Test func `JPEG 2000 is decoded in colour`() throws {
    let images = [
      (try TinyPictures.jp2, DataGroup.Portrait.ImageFormat.jp2),
      (try TinyPictures.tiles, .jpeg2000Codestream),
    ]
    for (image, format) in images {
      let picture = try Picture(decoding: image, format: format)
      #expect(picture.width == 16 && picture.height == 16)
      #expect(picture.pixels == Self.pixels { x, y in [17 * x, 17 * y, x * y] })
    }
  }

  @Test func `JPEG 2000 is decoded in grey`() throws {
    let picture = try Picture(decoding: try TinyPictures.grey, format: .jp2)
    #expect(
      picture.pixels == Self.pixels { x, y in [8 * x + 8 * y, 8 * x + 8 * y, 8 * x + 8 * y] })
  }

  @Test func `JPEG survives a round trip`() throws {
    let picture = try Picture(decoding: try TinyPictures.jp2, format: .jp2)
    let again = try Picture(decoding: try picture.jpeg(), format: .jpeg)
    #expect(again.width == 16 && again.height == 16)
    let differences = zip(picture.pixels, again.pixels).map { left, right in
      left > right ? left - right : right - left
    }
    #expect(differences.max() ?? 255 < 24)
  }

  @Test func `a picture is scaled`() throws {
    let pixels = (0..<4).flatMap { Array(repeating: UInt8($0 * 40), count: 3) }
    let picture = try #require(Picture(width: 2, height: 2, pixels: pixels))
    #expect(picture.scaled(width: 1, height: 1)?.pixels == [60, 60, 60])
    #expect(picture.scaled(width: 4, height: 2)?.pixels.prefix(6) == [0, 0, 0, 0, 0, 0])
    #expect(picture.scaled(width: 0, height: 1) == nil)
    #expect(picture.scaled(width: 5000, height: 1) == nil)
    #expect(Picture(width: 2, height: 2, pixels: [0]) == nil)
  }

  private static func images() throws -> [([UInt8], DataGroup.Portrait.ImageFormat)] {
    let jp2 = try TinyPictures.jp2
    let jpeg = try Picture(decoding: jp2, format: .jp2).jpeg()
    return [
      (jp2, .jp2), (try TinyPictures.tiles, .jpeg2000Codestream), (try TinyPictures.grey, .jp2),
      (jpeg, .jpeg),
    ]
  }

  /// No prefix of a picture is one, unless only the end marker is missing.
  @Test func `every prefix of a picture is an error or a picture`() throws {
    for (image, format) in try Self.images() {
      for count in 0..<image.count - 2 {
        #expect(throws: PictureError.self, "\(format) \(count)") {
          try Picture(decoding: [UInt8](image.prefix(count)), format: format)
        }
      }
    }
  }

  /// The last tile-part may leave its length out, and the end marker may be missing.
  @Test func `a codestream without its end is decoded`() throws {
    let whole = try TinyPictures.tiles
    let expected = try Picture(decoding: whole, format: .jpeg2000Codestream)
    let start = try #require(
      whole.indices.dropLast().last { whole[$0] == 0xFF && whole[$0 + 1] == 0x90 })
    var open = whole
    open.replaceSubrange(start + 6..<start + 10, with: [0, 0, 0, 0])
    for image in [open, [UInt8](open.dropLast(2)), [UInt8](whole.dropLast(2)), whole + [0, 0]] {
      #expect(try Picture(decoding: image, format: .jpeg2000Codestream) == expected)
    }
    for count in start..<open.count {
      _ = try? Picture(decoding: [UInt8](open.prefix(count)), format: .jpeg2000Codestream)
    }
  }

  /// Any changed byte gives a picture within the limits or an error.
  @Test func `every changed byte gives an error or a picture`() throws {
    for (image, format) in try Self.images() {
      for index in image.indices {
        for change in [0x01, 0x80, 0xFF, 0x7F, image[index]] as [UInt8] {
          var changed = image
          changed[index] ^= change
          let picture = try? Picture(decoding: changed, format: format)
          #expect((picture?.pixels.count ?? 0) <= Picture.mostPixels * 3)
        }
      }
    }
  }

  @Test func `a file that is no picture is malformed`() throws {
    for (image, format) in try Self.images() {
      for other in DataGroup.Portrait.ImageFormat.allCases where other != format {
        #expect(throws: PictureError.malformed) { try Picture(decoding: image, format: other) }
      }
    }
  }

  /// Each number of the head that could request memory, set to a value of no portrait.
  @Test(arguments: [
    ("width", 8, [0x7F, 0xFF, 0xFF, 0xFF], PictureError.tooLarge),
    ("height", 12, [0x00, 0x01, 0x00, 0x00], .tooLarge),
    ("tile width", 24, [0x00, 0x00, 0x00, 0x00], .malformed),
    ("components", 40, [0x40, 0x00], .unsupported),
    ("sixteen bits", 42, [0x0F], .unsupported),
    ("signed", 42, [0x87], .unsupported),
    ("separation", 43, [0x02], .unsupported),
  ])
  func `a hostile head of a codestream is refused`(
    _ field: String, _ offset: Int, _ bytes: [UInt8], _ error: PictureError
  ) throws {
    var image = try TinyPictures.tiles
    image.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    #expect(throws: error, "\(field)") {
      try Picture(decoding: image, format: .jpeg2000Codestream)
    }
  }

  /// A million tiles of one pixel.
  @Test func `too many tiles are refused`() throws {
    var image = try TinyPictures.tiles
    for (offset, value) in [(8, 2048), (12, 2048), (24, 1), (28, 1)] {
      image.replaceSubrange(
        offset..<offset + 4, with: [0, 0, UInt8(value >> 8), UInt8(value & 255)])
    }
    #expect(throws: PictureError.tooLarge) {
      try Picture(decoding: image, format: .jpeg2000Codestream)
    }
  }

  /// Four million pixels in blocks of 64, each with 1024 layers: the decoder would be busy long after the file is read.
  @Test func `too many blocks and layers are refused`() throws {
    var image = try TinyPictures.tiles
    for (offset, value) in [(8, 2048), (12, 2048), (24, 2048), (28, 2048)] {
      image.replaceSubrange(
        offset..<offset + 4, with: [0, 0, UInt8(value >> 8), UInt8(value & 255)])
    }
    // COD (ISO/IEC 15444-1 §A.6.1): layers, then width and height of a block.
    image.replaceSubrange(57..<59, with: [0x04, 0x00])
    image.replaceSubrange(61..<63, with: [1, 1])
    #expect(throws: PictureError.tooLarge) {
      try Picture(decoding: image, format: .jpeg2000Codestream)
    }
  }

  /// 65 500 pixels on each side, in the start of frame of a JPEG.
  @Test func `a JPEG of too many pixels is refused`() throws {
    var image = try Picture(decoding: try TinyPictures.jp2, format: .jp2).jpeg()
    let start = try #require(
      image.indices.dropLast().first { image[$0] == 0xFF && image[$0 + 1] == 0xC0 })
    image.replaceSubrange(start + 5..<start + 9, with: [0xFF, 0xDC, 0xFF, 0xDC])
    #expect(throws: PictureError.tooLarge) { try Picture(decoding: image, format: .jpeg) }
  }

  @Test func `a file that is too long is refused`() {
    #expect(throws: PictureError.tooLarge) {
      try Picture(
        decoding: [UInt8](repeating: 0, count: Picture.longestFile + 1), format: .jpeg)
    }
  }

  /// Boxes that contain themselves, or end beyond the file.
  @Test(
    arguments: [
      [0, 0, 0, 8], [0, 0, 0, 7], [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 1], [0, 0, 0, 0],
    ] as [[UInt8]])
  func `boxes that lie about their length are malformed`(_ length: [UInt8]) throws {
    var image = try TinyPictures.jp2
    image.replaceSubrange(12..<16, with: length)
    #expect(throws: PictureError.malformed) { try Picture(decoding: image, format: .jp2) }
  }
}
