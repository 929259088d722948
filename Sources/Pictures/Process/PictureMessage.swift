internal import CIECard

/// The messages between the two processes: a format and a file one way; a status, a size and pixels
/// the other.
enum PictureMessage {
  /// Status, width and height.
  private static let headerLength = 9
  static let longest = headerLength + Picture.mostPixels * 3

  static func code(of format: DataGroup.Portrait.ImageFormat) -> UInt8 {
    UInt8(clamping: DataGroup.Portrait.ImageFormat.allCases.firstIndex(of: format) ?? 0)
  }

  static func format(of code: UInt8) -> DataGroup.Portrait.ImageFormat? {
    let formats = DataGroup.Portrait.ImageFormat.allCases
    return formats.indices.contains(Int(code)) ? formats[Int(code)] : nil
  }

  static func bytes(of picture: Picture) -> [UInt8] {
    [0] + number(picture.width) + number(picture.height) + picture.pixels
  }

  /// - Returns: no bytes for errors that the other process finds by itself, or that concern pages.
  static func bytes(of error: PictureError) -> [UInt8] {
    switch error {
    case .malformed: [1]
    case .tooLarge: [2]
    case .unsupported: [3]
    case .decoderEnded, .drawerMissing, .pageTooLarge, .pageNotDrawn: []
    }
  }

  /// Parses an answer, without trusting its lengths.
  static func picture(in answer: [UInt8]) throws(PictureError) -> Picture {
    switch (answer.first, answer.count) {
    case (1, 1): throw .malformed
    case (2, 1): throw .tooLarge
    case (3, 1): throw .unsupported
    case (0, headerLength...):
      let (width, height) = (number(answer[1..<5]), number(answer[5..<9]))
      let picture = Picture(
        width: width, height: height, pixels: [UInt8](answer.dropFirst(headerLength)))
      guard let picture else { throw .decoderEnded }
      return picture
    default: throw .decoderEnded
    }
  }

  private static func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}
