/// The start tags of the body (HTML Living Standard §13.2.6.4.7).
extension TreeBuilder {
  mutating func inBody(_ token: HTMLToken) throws(PageError) {
    switch token {
    case .doctype, .comment: return
    case .text(let text):
      let text = text.contains("\0") ? text.filter { $0 != "\0" } : text
      guard !text.isEmpty else { return }
      try reopenFormatting()
      insert(text)
      if !isSpace(text) { allowsFrameset = false }
    case .start(let tag): try startInBody(tag)
    case .end(let name): try endInBody(name)
    }
  }

  private mutating func startInBody(_ tag: HTMLTag) throws(PageError) {
    switch tag.name {
    case "html", "body", "frameset": try startRoot(tag)
    case _ where Self.headTags.contains(tag.name): try insertInHead(tag)
    case _ where Self.blocks.contains(tag.name): try startBlock(tag)
    case "li": try startItem(tag, closing: ["li"])
    case "dd", "dt": try startItem(tag, closing: ["dd", "dt"])
    case "form": try startForm(tag)
    case "plaintext":
      try closeParagraph()
      try insert(tag)
      tokenizer.content = .plainText
    case _ where Self.formats.contains(tag.name): try startFormatting(tag)
    case "table":
      if !isQuirky { try closeParagraph() }
      try insert(tag)
      allowsFrameset = false
      mode = .inTable
    case "textarea", "xmp", "iframe", "noembed": try startText(tag)
    case "math": try insertForeign(tag, .mathML, reopening: true)
    case "svg": try insertForeign(tag, .svg, reopening: true)
    case "caption", "col", "colgroup", "frame", "head", "tbody", "td", "tfoot", "th", "thead", "tr":
      return
    case "rb", "rtc", "rp", "rt":
      if try isInScope(["ruby"]) {
        try closeImplied(except: ["rp", "rt"].contains(tag.name) ? "rtc" : nil)
      }
      try insert(tag)
    case "button", "applet", "marquee", "object", "select", "option", "optgroup", "input", "hr":
      try startControl(tag)
    case "area", "br", "embed", "img", "image", "keygen", "wbr":
      try reopenFormatting()
      var tag = tag
      if tag.name == "image" { tag.name = "img" }
      try insertEmpty(tag)
      allowsFrameset = false
    case "param", "source", "track": try insertEmpty(tag)
    default:
      try reopenFormatting()
      try insert(tag)
    }
  }

  private static let blocks: Set<String> = [
    "address", "article", "aside", "blockquote", "center", "details", "dialog", "dir", "div", "dl",
    "fieldset", "figcaption", "figure", "footer", "header", "hgroup", "main", "menu", "nav", "ol",
    "p", "search", "section", "summary", "ul", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "listing",
  ]
  static let headings: Set<String> = ["h1", "h2", "h3", "h4", "h5", "h6"]

  /// Start tags of elements that are there already add attributes.
  private mutating func startRoot(_ tag: HTMLTag) throws(PageError) {
    guard let root = open.first, !isOpen("template") || tag.name == "frameset" else { return }
    let body = open.dropFirst().first.flatMap { tree.isHTML($0, "body") ? $0 : nil }
    switch tag.name {
    case "html": tree.addAttributes(tag.attributes, to: root)
    case "body":
      guard let body else { return }
      allowsFrameset = false
      tree.addAttributes(tag.attributes, to: body)
    default:
      guard let body, allowsFrameset else { return }
      tree.remove(body)
      open.removeLast(open.count - 1)
      try insert(tag)
      mode = .inFrameset
    }
  }

  private mutating func startBlock(_ tag: HTMLTag) throws(PageError) {
    try closeParagraph()
    if Self.headings.contains(tag.name), tree.isHTML(current, Self.headings) { open.removeLast() }
    try insert(tag)
    if tag.name == "pre" || tag.name == "listing" {
      skipsLineFeed = true
      allowsFrameset = false
    }
  }

  /// An item of a list ends the item before it.
  private mutating func startItem(_ tag: HTMLTag, closing names: Set<String>) throws(PageError) {
    allowsFrameset = false
    for node in open.reversed() {
      try spend(1)
      if tree.isHTML(node, names) {
        let name = tree.name(node)
        try closeImplied(except: name)
        try pop(through: name)
        break
      }
      if tree.nodes[node].isSpecial, !tree.isHTML(node, ["address", "div", "p"]) { break }
    }
    try closeParagraph()
    try insert(tag)
  }

  /// A form in a form is ignored.
  private mutating func startForm(_ tag: HTMLTag) throws(PageError) {
    let isInTemplate = isOpen("template")
    guard form == nil || isInTemplate else { return }
    try closeParagraph()
    let element = try insert(tag)
    if !isInTemplate { form = element }
  }

  private mutating func startText(_ tag: HTMLTag) throws(PageError) {
    allowsFrameset = tag.name == "noembed" && allowsFrameset
    if tag.name == "xmp" {
      try closeParagraph()
      try reopenFormatting()
    }
    try insertText(tag, tag.name == "textarea" ? .escapableText : .rawText)
    skipsLineFeed = tag.name == "textarea"
  }

  private mutating func startControl(_ tag: HTMLTag) throws(PageError) {
    let isInSelect = try isInScope(["select"])
    switch tag.name {
    case "button":
      if try isInScope(["button"]) {
        try closeImplied()
        try pop(through: "button")
      }
    case "input" where isInSelect, "select" where isInSelect:
      try pop(through: "select")
      guard tag.name == "input" else { return }
    case "option" where isInSelect: try closeImplied(except: "optgroup")
    case "optgroup" where isInSelect: try closeImplied()
    case "option", "optgroup": if isCurrent("option") { open.removeLast() }
    case "hr":
      try closeParagraph()
      if isInSelect { try closeImplied() }
      allowsFrameset = false
      return try insertEmpty(tag)
    default: break
    }
    try reopenFormatting()
    guard tag.name != "input" else {
      if tag.attributes["type"]?.lowercased() != "hidden" { allowsFrameset = false }
      return try insertEmpty(tag)
    }
    try insert(tag)
    if !["option", "optgroup"].contains(tag.name) { allowsFrameset = false }
    if ["applet", "marquee", "object"].contains(tag.name) { formatting.append(.marker) }
  }
}
