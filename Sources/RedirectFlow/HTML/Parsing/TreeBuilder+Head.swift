/// The modes before the body (HTML Living Standard §13.2.6.4.1 to 6).
extension TreeBuilder {
  func isSpace(_ text: String) -> Bool { text.utf8.allSatisfy(HTMLTokenizer.isSpace) }

  mutating func initial(_ token: HTMLToken) throws(PageError) {
    switch token {
    case .text(let text) where isSpace(text): return
    case .doctype(let doctype):
      isQuirky = doctype.isQuirky
      tree.insert(tree.add(.init(doctype)), at: .init(parent: HTMLTree.document))
      mode = .beforeHTML
    case .text, .start, .end, .comment:
      isQuirky = true
      mode = .beforeHTML
      try process(token)
    }
  }

  mutating func beforeHTML(_ token: HTMLToken) throws(PageError) {
    switch token {
    case .doctype, .comment: return
    case .text(let text) where isSpace(text): return
    case .end(let name) where !["head", "body", "html", "br"].contains(name): return
    case .start(let tag) where tag.name == "html":
      try insert(tag)
      mode = .beforeHead
    case .text, .start, .end:
      try insert(HTMLTag(name: "html"))
      mode = .beforeHead
      try process(token)
    }
  }

  mutating func beforeHead(_ token: HTMLToken) throws(PageError) {
    switch token {
    case .doctype, .comment: return
    case .text(let text) where isSpace(text): return
    case .end(let name) where !["head", "body", "html", "br"].contains(name): return
    case .start(let tag) where tag.name == "html": try inBody(token)
    case .start(let tag) where tag.name == "head":
      head = try insert(tag)
      mode = .inHead
    case .text, .start, .end:
      head = try insert(HTMLTag(name: "head"))
      mode = .inHead
      try process(token)
    }
  }

  mutating func inHead(_ token: HTMLToken) throws(PageError) {
    switch token {
    case .doctype, .comment: return
    case .text(let text) where isSpace(text): insert(text)
    case .start(let tag) where tag.name == "html": try inBody(token)
    case .start(let tag) where tag.name == "head": return
    case .start(let tag) where tag.name == "noscript":
      try insert(tag)
      mode = .inHeadNoScript
    case .start(let tag) where Self.headTags.contains(tag.name): try insertInHead(tag)
    case .end("head"):
      open.removeLast()
      mode = .afterHead
    case .end("template"): try endTemplate()
    case .end(let name) where !["body", "html", "br"].contains(name): return
    case .text, .start, .end:
      open.removeLast()
      mode = .afterHead
      try process(token)
    }
  }

  static let headTags: Set<String> = [
    "base", "basefont", "bgsound", "link", "meta", "title", "noframes", "style", "script",
    "template",
  ]

  /// Inserts an element that belongs into the head, wherever its tag is.
  mutating func insertInHead(_ tag: HTMLTag) throws(PageError) {
    switch tag.name {
    case "title": try insertText(tag, .escapableText)
    case "noframes", "style": try insertText(tag, .rawText)
    case "script": try insertText(tag, .script)
    case "template":
      try insert(tag)
      formatting.append(.marker)
      allowsFrameset = false
      mode = .inTemplate
      templateModes.append(.inTemplate)
    default: try insertEmpty(tag)
    }
  }

  mutating func endTemplate() throws(PageError) {
    guard isOpen("template") else { return }
    try closeImplied(thoroughly: true)
    try pop(through: "template")
    clearFormatting()
    _ = templateModes.popLast()
    resetMode()
  }

  mutating func inHeadNoScript(_ token: HTMLToken) throws(PageError) {
    switch token {
    case .doctype, .comment: return
    case .text(let text) where isSpace(text): try inHead(token)
    case .start(let tag) where tag.name == "html": try inBody(token)
    case .start(let tag)
    where ["basefont", "bgsound", "link", "meta", "noframes", "style"].contains(tag.name):
      try inHead(token)
    case .start(let tag) where ["head", "noscript"].contains(tag.name): return
    case .end("noscript"):
      open.removeLast()
      mode = .inHead
    case .end(let name) where name != "br": return
    case .text, .start, .end:
      open.removeLast()
      mode = .inHead
      try process(token)
    }
  }

  mutating func afterHead(_ token: HTMLToken) throws(PageError) {
    switch token {
    case .doctype, .comment: return
    case .text(let text) where isSpace(text): insert(text)
    case .start(let tag) where tag.name == "html": try inBody(token)
    case .start(let tag) where tag.name == "body":
      try insert(tag)
      allowsFrameset = false
      mode = .inBody
    case .start(let tag) where tag.name == "frameset":
      try insert(tag)
      mode = .inFrameset
    case .start(let tag) where Self.headTags.contains(tag.name):
      guard let head else { return }
      try push(head)
      try insertInHead(tag)
      open.removeAll { $0 == head }
    case .start(let tag) where tag.name == "head": return
    case .end("template"): try endTemplate()
    case .end(let name) where !["body", "html", "br"].contains(name): return
    case .text, .start, .end:
      try insert(HTMLTag(name: "body"))
      mode = .inBody
      try process(token)
    }
  }

  /// The content of an element of text.
  mutating func inText(_ token: HTMLToken) throws(PageError) {
    if case .text(let text) = token { return insert(text) }
    open.removeLast()
    mode = originalMode
  }
}

extension HTMLTree.Node {
  fileprivate init(_ doctype: HTMLDoctype) {
    self.init(kind: .doctype, name: doctype.name ?? "")
    if doctype.publicIdentifier != nil || doctype.systemIdentifier != nil {
      text = "\"\(doctype.publicIdentifier ?? "")\" \"\(doctype.systemIdentifier ?? "")\""
    }
  }
}

extension HTMLDoctype {
  /// True for the types of pages that expect the repairs of old browsers; here that is a table within a paragraph.
  fileprivate var isQuirky: Bool {
    let publicIdentifier = publicIdentifier?.lowercased() ?? ""
    let isOld = Self.oldIdentifiers.contains { publicIdentifier.hasPrefix($0) }
    let isLoose = ["frameset", "transitional"].contains {
      publicIdentifier.hasPrefix("-//w3c//dtd html 4.01 \($0)//")
    }
    return isBroken || name != "html" || isOld || isLoose && systemIdentifier == nil
      || ["-//w3o//dtd w3 html strict 3.0//en//", "-/w3c/dtd html 4.0 transitional/en", "html"]
        .contains(publicIdentifier)
      || systemIdentifier?.lowercased()
        == "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd"
  }

  private static let oldIdentifiers = [
    "+//silmaril//dtd html pro v0r11 19970101//", "-//as//dtd html 3.0 aswedit + extensions//",
    "-//advasoft ltd//dtd html 3.0 aswedit + extensions//", "-//ietf//dtd html ",
    "-//ietf//dtd html//", "-//metrius//dtd metrius presentational//",
    "-//microsoft//dtd internet explorer ", "-//netscape comm. corp.//dtd ",
    "-//o'reilly and associates//dtd html ", "-//sq//dtd html 2.0 hotmetal + extensions//",
    "-//softquad software//dtd hotmetal pro ", "-//softquad//dtd hotmetal pro ",
    "-//spyglass//dtd html 2.0 extended//", "-//sun microsystems corp.//dtd hotjava ",
    "-//w3c//dtd html 3", "-//w3c//dtd html 4.0 frameset//", "-//w3c//dtd html 4.0 transitional//",
    "-//w3c//dtd html experimental ", "-//w3c//dtd w3 html ", "-//w3o//dtd w3 html 3.0//",
    "-//webtechs//dtd mozilla html ",
  ]
}
