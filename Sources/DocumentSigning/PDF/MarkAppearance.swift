internal import Primitives

/// The appearance stream of a visible mark (ISO 32000-2 §12.5.5): a form with text in a frame and image, upright on
/// a turned page.
struct MarkAppearance {
  private let placement: MarkPlacement
  private let image: VisibleMark.Image?
  private let font: MarkFont
  private let lines: [[Int]]

  init(
    _ placement: MarkPlacement, _ image: VisibleMark.Image?, lines: [String]
  ) throws(DocumentError) {
    (self.placement, self.image) = (placement, image)
    var font = MarkFont()
    self.lines = try lines.map { (line) throws(DocumentError) in try font.encoded(line) }
    self.font = font
  }

  /// Appends the form, its font and its image.
  func append(to update: inout IncrementalUpdate) throws(DocumentError) -> Int {
    var resources: PDFSyntax.Members = []
    if !lines.isEmpty {
      resources.append(("Font", "<</F \(try font.append(to: &update)) 0 R>>"))
      // Black of no device, because PDF/A forbids one that its document does not name.
      resources.append(
        ("ColorSpace", "<</C [/CalGray <</WhitePoint [0.9505 1 1.089] /Gamma 2.2>>]>>"))
    }
    if let image {
      resources.append(("XObject", "<</I \(try Self.append(image, to: &update)) 0 R>>"))
    }
    let box = PDFSyntax.numbers(0, 0, placement.size.width, placement.size.height)
    return try update.add(
      [
        ("Type", "/XObject"), ("Subtype", "/Form"), ("BBox", "[\(box)]"),
        ("Matrix", "\(matrix)"), ("Resources", .dictionary(resources)),
      ], stream: [UInt8](content.utf8))
  }

  /// Counterclockwise by the angle by which the page turns clockwise; readers move the box to its place.
  private var matrix: String {
    switch placement.page.rotation {
    case 90: "[0 1 -1 0 0 0]"
    case 180: "[-1 0 0 -1 0 0]"
    case 270: "[0 -1 1 0 0 0]"
    default: "[1 0 0 1 0 0]"
    }
  }

  /// Distance of text and image from the edges, in points.
  private static let margin = 4.0

  private var content: String {
    let (width, height) = placement.size
    let inside = (max(1, width - 2 * Self.margin), max(1, height - 2 * Self.margin))
    var parts: [String] = []
    var left = Self.margin
    if let image {
      let room = lines.isEmpty ? inside.0 : inside.0 / 3
      let scale = min(room / Double(image.width), inside.1 / Double(image.height))
      let size = (Double(image.width) * scale, Double(image.height) * scale)
      let x = left + (room - size.0) / 2
      let y = (height - size.1) / 2
      parts.append("q \(PDFSyntax.numbers(size.0, 0, 0, size.1, x, y)) cm /I Do Q")
      left += room + Self.margin
    }
    if !lines.isEmpty {
      // A frame, half a point inside of the edges.
      parts.append("/C cs 0 sc /C CS 0.5 SC 0.5 w")
      parts.append("\(PDFSyntax.numbers(0.5, 0.5, width - 1, height - 1)) re S")
      let widest = Double(lines.map { font.width($0) }.max() ?? 0) / 1000
      let room = max(1, width - left - Self.margin)
      let size = min(12, inside.1 / (Double(lines.count) * 1.2), room / max(widest, 0.001))
      let leading = size * 1.2
      // The first base line, so that the lines are in the middle of the height.
      let first = height / 2 + leading * Double(lines.count) / 2 - size
      parts.append("BT /F \(PDFSyntax.numbers(size)) Tf \(PDFSyntax.numbers(leading)) TL")
      parts.append("\(PDFSyntax.numbers(left, first)) Td")
      parts += lines.map { line in "<\(line.flatMap { TrueType.words($0) }.hexadecimal)> Tj T*" }
      parts.append("ET")
    }
    return parts.joined(separator: "\n")
  }

  /// An image and its soft mask (ISO 32000-2 §8.9.5, §11.6.5.2).
  private static func append(
    _ image: VisibleMark.Image, to update: inout IncrementalUpdate
  ) throws(DocumentError) -> Int {
    func members(_ colours: Int, _ space: String) -> PDFSyntax.Members {
      let rows = "/Predictor 15 /Colors \(colours) /BitsPerComponent 8 /Columns \(image.width)"
      return [
        ("Type", "/XObject"), ("Subtype", "/Image"), ("Width", "\(image.width)"),
        ("Height", "\(image.height)"), ("BitsPerComponent", "8"), ("Filter", "/FlateDecode"),
        ("DecodeParms", "<<\(rows)>>"), ("ColorSpace", "\(space)"),
      ]
    }
    // sRGB by its primaries (IEC 61966-2-1), because PDF/A forbids colours of an unknown device.
    var colours = members(
      3,
      """
      [/CalRGB <</WhitePoint [0.9505 1 1.089] /Gamma [2.2 2.2 2.2] /Matrix [0.4124 0.2126 0.0193 \
      0.3576 0.7152 0.1192 0.1805 0.0722 0.9505]>>]
      """)
    if let alpha = image.alpha {
      let mask = try update.add(members(1, "/DeviceGray"), stream: alpha)
      colours.append(("SMask", "\(mask) 0 R"))
    }
    return try update.add(colours, stream: image.colours)
  }
}
