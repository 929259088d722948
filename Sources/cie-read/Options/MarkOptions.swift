import Arguments
import CardWork
import DocumentSigning
import Messages
import Pictures
import Primitives

/// The visible mark of a signature in a PDF: text, an image, or both.
struct MarkOptions: ParsableArguments {
  static let title: String? = "mark"

  @Flag(help: .text("option.sign.mark")) var mark = false
  @Option(
    name: "mark-image", help: .text("option.sign.mark-image", value: "file"), completion: .file())
  var image: String?
  @Option(help: .text("option.sign.page", value: "page")) var page: VisibleMark.Page?
  @Option(help: .text("option.sign.at", value: "place")) var at: VisibleMark.Place?

  func visibleMark() throws(Failure) -> VisibleMark? {
    guard mark || image != nil else {
      if let option = given.first { throw .usage("without-mark", ["option": option]) }
      return nil
    }
    var visible = VisibleMark()
    visible.hasText = mark
    if let page { visible.page = page }
    if let at { visible.place = at }
    if let image {
      let file = try InputFile.read(image, limit: Picture.longestFile)
      do throws(PictureError) {
        let layers = try PictureLayers(png: file)
        visible.image = .init(
          width: layers.width, height: layers.height, colours: layers.colours, alpha: layers.alpha)
      } catch { throw .usage("bad-mark-image", ["path": image]) }
    }
    return visible
  }
}

extension VisibleMark.Page: ArgumentValue {
  package init?(argument: String) {
    switch argument {
    case "first": self = .first
    case "last": self = .last
    default:
      guard let number = Int(argument), number > 0 else { return nil }
      self = .number(number)
    }
  }

  package static var allArguments: [String] { ["first", "last"] }

  package var argument: String {
    switch self {
    case .first: "first"
    case .last: "last"
    case .number(let number): "\(number)"
    }
  }
}

extension VisibleMark.Place: ArgumentValue {
  private static let named: [(name: String, place: VisibleMark.Place)] = [
    ("top-left", .topLeft), ("top", .top), ("top-right", .topRight), ("left", .left),
    ("center", .center), ("right", .right), ("bottom-left", .bottomLeft), ("bottom", .bottom),
    ("bottom-right", .bottomRight),
  ]

  package init?(argument: String) {
    if let known = Self.named.first(where: { $0.name == argument }) {
      self = known.place
      return
    }
    let numbers = argument.split(separator: ",", omittingEmptySubsequences: false)
      .map { Double($0) ?? .nan }
    guard numbers.count == 2, numbers.allSatisfy(\.isFinite) else { return nil }
    self = .at(x: numbers[0], y: numbers[1])
  }

  package static var allArguments: [String] { named.map(\.name) }

  package var argument: String {
    if case .at(let x, let y) = self { return "\(x),\(y)" }
    return Self.named.first { $0.place == self }?.name ?? ""
  }
}
