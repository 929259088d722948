import TestSupport
import Testing

/// A page as Poppler shows it, one pixel a point.
struct Raster {
  let width: Int
  let height: Int
  private let pixels: [UInt8]

  init(_ file: [UInt8]) throws {
    let folder = try TemporaryDirectory()
    let result = try BuiltBinary(path: "/usr/bin/pdftoppm")
      .run(["-r", "72", "-cropbox", "-f", "1", "-l", "1", try folder.write("file.pdf", file)])
    try #require(result.exitStatus == 0 && result.errors.isEmpty, "\(result.errors)")
    // P6, width, height, 255, each with one white-space character behind it.
    let bytes = result.standardOutput
    var fields: [Int] = []
    var index = 3
    while fields.count < 3, index < bytes.count {
      let digits = bytes[index...].prefix { (0x30...0x39).contains($0) }
      fields.append(Int(String(decoding: digits, as: UTF8.self)) ?? 0)
      index += digits.count + 1
    }
    try #require(fields.count == 3 && bytes.count - index == 3 * fields[0] * fields[1])
    (width, height, pixels) = (fields[0], fields[1], [UInt8](bytes[index...]))
  }

  subscript(x: Int, y: Int) -> [UInt8] {
    let start = 3 * (y * width + x)
    return [UInt8](pixels[start..<start + 3])
  }

  func differences(from other: Raster, inside area: Rectangle) -> Int {
    count { x, y in area.contains(x, y) && self[x, y] != other[x, y] }
  }

  func differences(from other: Raster, outside area: Rectangle) -> Int {
    count { x, y in !area.contains(x, y) && self[x, y] != other[x, y] }
  }

  private func count(_ isCounted: (Int, Int) -> Bool) -> Int {
    (0..<height).reduce(0) { sum, y in sum + (0..<width).count { isCounted($0, y) } }
  }

  /// An area by its distance in points from two edges.
  struct Area: Sendable {
    var left: Double?
    var right: Double?
    var top: Double?
    var bottom: Double?
    let width: Double
    let height: Double

    /// Its pixels, those at its edges included; in the middle between edges without a distance.
    func rectangle(in page: Raster) -> Rectangle {
      let free = (x: Double(page.width) - width, y: Double(page.height) - height)
      let x = left ?? right.map { free.x - $0 } ?? free.x / 2
      let y = top ?? bottom.map { free.y - $0 } ?? free.y / 2
      return Rectangle(
        left: Int(x) - 1, top: Int(y) - 1, right: Int(x + width) + 1, bottom: Int(y + height) + 1)
    }
  }

  struct Rectangle: Equatable {
    let left: Int
    let top: Int
    let right: Int
    let bottom: Int

    func contains(_ x: Int, _ y: Int) -> Bool {
      (left...right).contains(x) && (top...bottom).contains(y)
    }
  }
}

/// Text of a document, by Poppler.
enum PDFText {
  static func lines(_ file: [UInt8], page: Int = 1) throws -> [String] {
    let folder = try TemporaryDirectory()
    let result = try BuiltBinary(path: "/usr/bin/pdftotext").run([
      "-enc", "UTF-8", "-f", "\(page)", "-l", "\(page)", try folder.write("file.pdf", file), "-",
    ])
    try #require(result.exitStatus == 0, "\(result.errors)")
    return result.output.split(whereSeparator: { $0 == "\n" || $0 == "\u{C}" }).map(String.init)
  }
}
