/// A page with the attributes that it may inherit (ISO 32000-2 §7.7.3.4).
struct PDFPage {
  let object: PDFObject
  /// The part that is seen: CropBox inside of MediaBox.
  let box: PDFBox?
  /// Clockwise: 0, 90, 180 or 270 degrees.
  let rotation: Int

  /// The first page that is wanted.
  ///
  /// - Parameter isFromEnd: true to begin with the last one.
  /// - Returns: nil if there is none within 64 levels; a node is visited once.
  static func find(
    in file: PDFFile, isFromEnd: Bool = false, _ isWanted: (PDFObject) -> Bool
  ) -> PDFPage? {
    var seen: Set<Int> = []
    func visit(_ node: PDFObject, _ inherited: [String: PDFObject], _ depth: Int) -> PDFPage? {
      guard depth < 64, node.isDictionary else { return nil }
      guard !node.isIndirect || seen.insert(node.number).inserted else { return nil }
      var attributes = inherited
      for key in ["MediaBox", "CropBox", "Rotate"] where !node[key].isNull {
        attributes[key] = node[key]
      }
      guard let kids = node["Kids"].items else {
        return node.isIndirect && isWanted(node) ? PDFPage(node, attributes) : nil
      }
      for kid in isFromEnd ? kids.reversed() : kids {
        if let page = visit(kid, attributes, depth + 1) { return page }
      }
      return nil
    }
    return visit(file.root["Pages"], [:], 0)
  }

  /// True if every reader numbers the pages alike: each node stands in the tree once, by reference, is a page or has kids,
  /// and counts the pages below it.
  static func areNumberedAlike(in file: PDFFile) -> Bool {
    var seen: Set<Int> = []
    func count(_ node: PDFObject, _ depth: Int) -> Int? {
      guard depth < 64, node.isDictionary, node.isIndirect, seen.insert(node.number).inserted
      else { return nil }
      guard let kids = node["Kids"].items else { return node["Type"].name == "Page" ? 1 : nil }
      var pages = 0
      for kid in kids {
        guard let below = count(kid, depth + 1) else { return nil }
        pages += below
      }
      return node["Type"].name == "Pages" && node["Count"].integer == pages ? pages : nil
    }
    return count(file.root["Pages"], 0) != nil
  }

  private init(_ object: PDFObject, _ attributes: [String: PDFObject]) {
    self.object = object
    let media = attributes["MediaBox"].flatMap { PDFBox($0) }
    let crop = attributes["CropBox"].flatMap { PDFBox($0) }
    box = media.map { media in crop.flatMap { media.common(with: $0) } ?? media }
    let angle = attributes["Rotate"]?.integer ?? 0
    rotation = angle % 90 == 0 ? (angle % 360 + 360) % 360 : 0
  }
}

/// A rectangle in points (ISO 32000-2 §7.9.5), not empty.
struct PDFBox: Equatable {
  let left: Double
  let bottom: Double
  let right: Double
  let top: Double

  var width: Double { right - left }
  var height: Double { top - bottom }

  init?(left: Double, bottom: Double, right: Double, top: Double) {
    guard left < right, bottom < top else { return nil }
    (self.left, self.bottom, self.right, self.top) = (left, bottom, right, top)
  }

  /// Any two opposite corners.
  init?(_ object: PDFObject) {
    let numbers = object.items?.compactMap { $0.real } ?? []
    // ISO 32000-1 annex C has a limit of 14 400; this one only keeps numbers short.
    guard numbers.count == 4, numbers.allSatisfy({ abs($0) <= 1e6 }) else { return nil }
    self.init(
      left: min(numbers[0], numbers[2]), bottom: min(numbers[1], numbers[3]),
      right: max(numbers[0], numbers[2]), top: max(numbers[1], numbers[3]))
  }

  /// The part that both have; nil without one.
  func common(with other: PDFBox) -> PDFBox? {
    PDFBox(
      left: max(left, other.left), bottom: max(bottom, other.bottom),
      right: min(right, other.right), top: min(top, other.top))
  }

  var syntax: PDFSyntax { "[\(PDFSyntax.numbers(left, bottom, right, top))]" }
}
