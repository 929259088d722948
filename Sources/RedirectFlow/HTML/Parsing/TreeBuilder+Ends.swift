/// The end tags of the body, and the modes after it (HTML Living Standard §13.2.6.4.7 and 16 to 21).
extension TreeBuilder {
  mutating func endInBody(_ name: String) throws(PageError) {
    switch name {
    case "body", "html":
      guard try isInScope(["body"]) else { return }
      mode = .afterBody
      if name == "html" { try process(.end(name)) }
    case "template": try endTemplate()
    case "form": try endForm()
    case "p":
      if try !isInScope(["p"], .button) { try insert(HTMLTag(name: "p")) }
      try closeParagraph()
    case "li": try endBlock(name, .listItem)
    case "dd", "dt": try endBlock(name)
    case _ where Self.headings.contains(name):
      guard try isInScope(Self.headings) else { return }
      try closeImplied()
      while let last = open.popLast(), !tree.isHTML(last, Self.headings) { try spend(1) }
    case _ where Self.formats.contains(name): try endFormatting(name)
    case "applet", "marquee", "object":
      guard try isInScope([name]) else { return }
      try endBlock(name)
      clearFormatting()
    case "br":
      try reopenFormatting()
      try insertEmpty(HTMLTag(name: "br"))
      allowsFrameset = false
    case _ where Self.blockEnds.contains(name): try endBlock(name)
    default: try endAny(name)
    }
  }

  private static let blockEnds: Set<String> = [
    "address", "article", "aside", "blockquote", "button", "center", "details", "dialog", "dir",
    "div", "dl", "fieldset", "figcaption", "figure", "footer", "header", "hgroup", "listing",
    "main",
    "menu", "nav", "ol", "pre", "search", "section", "select", "summary", "ul",
  ]

  private mutating func endBlock(_ name: String, _ scope: Scope = .ordinary) throws(PageError) {
    // A scope that ends with an element does not end with the element that is looked for.
    guard try isInScope([name], scope) else { return }
    try closeImplied(except: ["dd", "dt", "li"].contains(name) ? name : nil)
    try pop(through: name)
  }

  private mutating func endForm() throws(PageError) {
    if isOpen("template") { return try endBlock("form") }
    let ended = form
    form = nil
    guard let ended, try isInScope(ended) else { return }
    try closeImplied()
    open.removeAll { $0 == ended }
  }

  /// An ordinary end tag closes its element, if no element of structure is between.
  mutating func endAny(_ name: String) throws(PageError) {
    for (distance, node) in open.reversed().enumerated() {
      try spend(1)
      if tree.isHTML(node, name) {
        let index = open.count - 1 - distance
        try closeImplied(except: name)
        if open.count > index { open.removeLast(open.count - index) }
        return
      }
      if tree.nodes[node].isSpecial { return }
    }
  }

  mutating func inTemplate(_ token: HTMLToken) throws(PageError) {
    switch token {
    case .text, .comment, .doctype: try inBody(token)
    case .start(let tag) where Self.headTags.contains(tag.name): try insertInHead(tag)
    case .end("template"): try endTemplate()
    case .end: return
    case .start(let tag):
      mode =
        switch tag.name {
        case "caption", "colgroup", "tbody", "tfoot", "thead": .inTable
        case "col": .inColumnGroup
        case "tr": .inTableBody
        case "td", "th": .inRow
        default: .inBody
        }
      _ = templateModes.popLast()
      templateModes.append(mode)
      try process(token)
    }
  }

  mutating func afterBody(_ token: HTMLToken) throws(PageError) {
    switch token {
    case .doctype, .comment: return
    case .text(let text) where isSpace(text): try inBody(token)
    case .start(let tag) where tag.name == "html": try inBody(token)
    case .end("html") where mode == .afterBody: mode = .afterAfterBody
    case .text, .start, .end:
      mode = .inBody
      try process(token)
    }
  }

  mutating func inFrameset(_ token: HTMLToken) throws(PageError) {
    switch token {
    case .doctype, .comment: return
    case .text(let text): insertSpaces(of: text)
    case .start(let tag) where tag.name == "html": try inBody(token)
    case .start(let tag) where tag.name == "frameset": try insert(tag)
    case .start(let tag) where tag.name == "frame": try insertEmpty(tag)
    case .start(let tag) where tag.name == "noframes": try insertInHead(tag)
    case .end("frameset"):
      guard open.count > 1 else { return }
      open.removeLast()
      if !isCurrent("frameset") { mode = .afterFrameset }
    case .start, .end: return
    }
  }

  mutating func afterFrameset(_ token: HTMLToken) throws(PageError) {
    switch token {
    case .text(let text): insertSpaces(of: text)
    case .start(let tag) where tag.name == "html": try inBody(token)
    case .start(let tag) where tag.name == "noframes": try insertInHead(tag)
    case .end("html") where mode == .afterFrameset: mode = .afterAfterFrameset
    case .start, .end, .doctype, .comment: return
    }
  }

  private mutating func insertSpaces(of text: String) {
    let spaces = text.utf8.filter(HTMLTokenizer.isSpace)
    if !spaces.isEmpty { insert(String(decoding: spaces, as: UTF8.self)) }
  }

  /// The end of the page, which makes what every page has.
  mutating func end() throws(PageError) {
    if mode == .inTableText { try endTableText() }
    if mode == .text {
      open.removeLast()
      mode = originalMode
    }
    while isOpen("template") { try endTemplate() }
    let missing: [(Mode, String)] = [
      (.beforeHTML, "html"), (.beforeHead, "head"), (.afterHead, "body"),
    ]
    if mode == .initial { mode = .beforeHTML }
    if mode == .inHeadNoScript || mode == .inHead {
      while let last = open.last, !tree.isHTML(last, "html") { open.removeLast() }
      mode = .afterHead
    }
    for (before, name) in missing where mode == before {
      try insert(HTMLTag(name: name))
      if name == "head" { open.removeLast() }
      mode = name == "html" ? .beforeHead : name == "head" ? .afterHead : .inBody
    }
  }
}
