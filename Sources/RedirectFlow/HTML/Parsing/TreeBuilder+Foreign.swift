/// Elements of SVG and MathML (HTML Living Standard §13.2.6.5). Their names are all in lower case here.
extension TreeBuilder {
  /// Checks whether a token belongs to the rules of foreign content.
  func isForeign(_ token: HTMLToken) -> Bool {
    guard let current = open.last, !tree.isHTML(current) else { return false }
    let name = tree.name(current)
    switch token {
    case .start(let tag):
      if isHTMLPoint(current) { return false }
      guard tree.nodes[current].namespace == .mathML else { return true }
      if name == "annotation-xml", tag.name == "svg" { return false }
      return !Self.textPoints.contains(name) || ["mglyph", "malignmark"].contains(tag.name)
    case .text:
      let isTextPoint =
        tree.nodes[current].namespace == .mathML && Self.textPoints.contains(name)
      return !isTextPoint && !isHTMLPoint(current)
    case .end, .comment, .doctype: return true
    }
  }

  /// Checks whether the content of a foreign element is HTML.
  private func isHTMLPoint(_ node: Int) -> Bool {
    switch tree.nodes[node].namespace {
    case .html: return false
    case .svg: return ["foreignobject", "desc", "title"].contains(tree.name(node))
    case .mathML:
      let encoding = tree.nodes[node].attributes["encoding"]?.lowercased()
      return tree.name(node) == "annotation-xml"
        && ["text/html", "application/xhtml+xml"].contains(encoding)
    }
  }

  mutating func processForeign(_ token: HTMLToken) throws(PageError) {
    switch token {
    case .doctype: return
    case .comment: try process(token, in: .inBody)
    case .text(let text):
      insert(text.contains("\0") ? String(text.map { $0 == "\0" ? "\u{FFFD}" : $0 }) : text)
      if !isSpace(text.filter { $0 != "\0" }) { allowsFrameset = false }
    case .start(let tag):
      let isFont =
        tag.name == "font"
        && !tag.attributes.keys.allSatisfy {
          !["color", "face", "size"].contains($0)
        }
      guard Self.breakouts.contains(tag.name) || isFont else {
        return try insertForeign(tag, tree.nodes[current].namespace)
      }
      try leaveForeign()
      try process(token, in: mode)
    case .end("br"), .end("p"):
      try leaveForeign()
      try process(token, in: mode)
    case .end(let name): try endForeign(name)
    }
  }

  mutating func insertForeign(
    _ tag: HTMLTag, _ namespace: HTMLTree.Namespace, reopening: Bool = false
  ) throws(PageError) {
    if reopening { try reopenFormatting() }
    try insert(tag, namespace)
    if tag.isSelfClosing { open.removeLast() }
  }

  private mutating func leaveForeign() throws(PageError) {
    while let last = open.last, !tree.isHTML(last), !isHTMLPoint(last),
      tree.nodes[last].namespace != .mathML || !Self.textPoints.contains(tree.name(last))
    {
      try spend(1)
      open.removeLast()
    }
  }

  private mutating func endForeign(_ name: String) throws(PageError) {
    for index in open.indices.dropFirst().reversed() {
      try spend(1)
      if tree.isHTML(open[index]) { return try process(.end(name), in: mode) }
      if tree.name(open[index]) == name {
        open.removeLast(open.count - index)
        return
      }
    }
  }

  /// The tags of HTML that end a picture or a formula.
  private static let breakouts: Set<String> = [
    "b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em",
    "embed",
    "h1", "h2", "h3", "h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing", "menu", "meta",
    "nobr", "ol", "p", "pre", "ruby", "s", "small", "span", "strong", "strike", "sub", "sup",
    "table", "tt", "u", "ul", "var",
  ]
}
