/// The modes of tables (HTML Living Standard §13.2.6.4.9 to 15).
extension TreeBuilder {
  private static let sections: Set<String> = ["tbody", "tfoot", "thead"]
  private static let cells: Set<String> = ["td", "th"]
  /// The tags that end a caption, a group of columns or a cell without its end tag.
  private static let parts: Set<String> = [
    "caption", "col", "colgroup", "tbody", "td", "tfoot", "th", "thead", "tr",
  ]

  mutating func inTable(_ token: HTMLToken) throws(PageError) {
    switch token {
    case .text where tree.isHTML(current, Self.sections.union(["table", "template", "tr"])):
      tableText = []
      originalMode = mode
      mode = .inTableText
      try process(token)
    case .doctype, .comment: return
    case .start(let tag): try startInTable(tag)
    case .end("table"):
      guard try isInScope(["table"], .table) else { return }
      try pop(through: "table")
      resetMode()
    case .end(let name) where Self.parts.contains(name) || ["body", "html"].contains(name): return
    case .end("template"): try endTemplate()
    case .text, .end: try foster(token)
    }
  }

  private mutating func startInTable(_ tag: HTMLTag) throws(PageError) {
    switch tag.name {
    case "caption":
      try pop(to: ["table"])
      formatting.append(.marker)
      try insert(tag)
      mode = .inCaption
    case "colgroup", "col":
      try pop(to: ["table"])
      try insert(tag.name == "col" ? HTMLTag(name: "colgroup") : tag)
      mode = .inColumnGroup
      if tag.name == "col" { try process(.start(tag)) }
    case "tbody", "tfoot", "thead", "td", "th", "tr":
      try pop(to: ["table"])
      mode = .inTableBody
      guard !Self.sections.contains(tag.name) else {
        try insert(tag)
        return
      }
      try insert(HTMLTag(name: "tbody"))
      try process(.start(tag))
    case "table":
      guard try isInScope(["table"], .table) else { return }
      try pop(through: "table")
      resetMode()
      try process(.start(tag))
    case "style", "script", "template": try insertInHead(tag)
    case "input" where tag.attributes["type"]?.lowercased() == "hidden": try insertEmpty(tag)
    case "form":
      guard form == nil, !isOpen("template") else { return }
      form = try insert(tag)
      open.removeLast()
    default: try foster(.start(tag))
    }
  }

  /// Puts what does not belong into a table before it.
  private mutating func foster(_ token: HTMLToken) throws(PageError) {
    isFostering = true
    defer { isFostering = false }
    try inBody(token)
  }

  mutating func inTableText(_ token: HTMLToken) throws(PageError) {
    if case .text(let text) = token {
      tableText.append(text.contains("\0") ? text.filter { $0 != "\0" } : text)
      return
    }
    try endTableText()
    try process(token)
  }

  /// Text stays in a table if it is white space.
  mutating func endTableText() throws(PageError) {
    let text = tableText.joined()
    tableText = []
    mode = originalMode
    if isSpace(text) { if !text.isEmpty { insert(text) } } else { try foster(.text(text)) }
  }

  mutating func inCaption(_ token: HTMLToken) throws(PageError) {
    switch token {
    case .end("caption"): _ = try endCaption()
    case .start(let tag) where Self.parts.contains(tag.name):
      if try endCaption() { try process(token) }
    case .end("table"): if try endCaption() { try process(token) }
    case .end(let name) where Self.parts.contains(name) || ["body", "html"].contains(name): return
    case .start, .end, .text, .comment, .doctype: try inBody(token)
    }
  }

  private mutating func endCaption() throws(PageError) -> Bool {
    guard try isInScope(["caption"], .table) else { return false }
    try closeImplied()
    try pop(through: "caption")
    clearFormatting()
    mode = .inTable
    return true
  }

  mutating func inColumnGroup(_ token: HTMLToken) throws(PageError) {
    switch token {
    case .text(let text) where isSpace(text): insert(text)
    case .doctype, .comment: return
    case .start(let tag) where tag.name == "html": try inBody(token)
    case .start(let tag) where tag.name == "col": try insertEmpty(tag)
    case .start(let tag) where tag.name == "template": try inHead(token)
    case .end("template"): try inHead(token)
    case .end("col"): return
    case .text, .start, .end:
      guard isCurrent("colgroup") else { return }
      open.removeLast()
      mode = .inTable
      if token != .end("colgroup") { try process(token) }
    }
  }

  mutating func inTableBody(_ token: HTMLToken) throws(PageError) {
    switch token {
    case .start(let tag) where tag.name == "tr" || Self.cells.contains(tag.name):
      try pop(to: Self.sections)
      try insert(tag.name == "tr" ? tag : HTMLTag(name: "tr"))
      mode = .inRow
      if tag.name != "tr" { try process(token) }
    case .end(let name) where Self.sections.contains(name):
      guard try isInScope([name], .table) else { return }
      try endSection()
    case .start(let tag) where Self.parts.contains(tag.name): try leaveSection(token)
    case .end("table"): try leaveSection(token)
    case .end(let name) where name != "table" && Self.parts.contains(name): return
    case .start, .end, .text, .comment, .doctype: try inTable(token)
    }
  }

  private mutating func endSection() throws(PageError) {
    try pop(to: Self.sections)
    open.removeLast()
    mode = .inTable
  }

  private mutating func leaveSection(_ token: HTMLToken) throws(PageError) {
    guard try isInScope(Self.sections, .table) else { return }
    try endSection()
    try process(token)
  }

  mutating func inRow(_ token: HTMLToken) throws(PageError) {
    switch token {
    case .start(let tag) where Self.cells.contains(tag.name):
      try pop(to: ["tr"])
      try insert(tag)
      mode = .inCell
      formatting.append(.marker)
    case .end("tr"): _ = try endRow()
    case .start(let tag) where Self.parts.contains(tag.name): if try endRow() { try process(token) }
    case .end("table"): if try endRow() { try process(token) }
    case .end(let name) where Self.sections.contains(name):
      guard try isInScope([name], .table), try endRow() else { return }
      try process(token)
    case .end(let name) where Self.parts.contains(name): return
    case .start, .end, .text, .comment, .doctype: try inTable(token)
    }
  }

  private mutating func endRow() throws(PageError) -> Bool {
    guard try isInScope(["tr"], .table) else { return false }
    try pop(to: ["tr"])
    open.removeLast()
    mode = .inTableBody
    return true
  }

  mutating func inCell(_ token: HTMLToken) throws(PageError) {
    switch token {
    case .end(let name) where Self.cells.contains(name):
      guard try isInScope([name], .table) else { return }
      try endCell(name)
    case .start(let tag) where Self.parts.contains(tag.name):
      guard try isInScope(Self.cells, .table) else { return }
      try endCell()
      try process(token)
    case .end(let name) where Self.sections.contains(name) || ["table", "tr"].contains(name):
      guard try isInScope([name], .table) else { return }
      try endCell()
      try process(token)
    case .end(let name) where Self.parts.contains(name) || ["body", "html"].contains(name): return
    case .start, .end, .text, .comment, .doctype: try inBody(token)
    }
  }

  private mutating func endCell(_ name: String? = nil) throws(PageError) {
    try closeImplied()
    if let name { try pop(through: name) } else { try pop(through: "td", "th") }
    clearFormatting()
    mode = .inRow
  }
}
