/// Makes a page's tree of its tokens (HTML Living Standard §13.2.6), as a browser does without running scripts.
///
/// The insertion modes are functions of extensions. Errors are repaired as the standard says, and not reported.
struct TreeBuilder {
  enum Mode: Sendable {
    case initial, beforeHTML, beforeHead, inHead, inHeadNoScript, afterHead, inBody, text, inTable
    case inTableText, inCaption, inColumnGroup, inTableBody, inRow, inCell, inTemplate, afterBody
    case inFrameset, afterFrameset, afterAfterBody, afterAfterFrameset
  }

  enum Formatting: Equatable {
    case marker
    case element(Int)
  }

  var tokenizer: HTMLTokenizer
  var tree = HTMLTree()
  var mode = Mode.initial
  /// The mode after a text, of an element or of a table.
  var originalMode = Mode.inBody
  var templateModes: [Mode] = []
  /// The open elements, the root first.
  var open: [Int] = []
  /// The active formatting elements, which are opened again where they were closed by mistake.
  var formatting: [Formatting] = []
  var head: Int?
  /// The open form outside of templates ("form element pointer").
  var form: Int?
  /// True for pages of the old kind, without a document type.
  var isQuirky = false
  /// True until content shows that the page has a body and no frames.
  var allowsFrameset = true
  /// True while what does not belong into a table is put before it.
  var isFostering = false
  /// True after a tag whose first line feed is not shown.
  var skipsLineFeed = false
  var tableText: [String] = []
  /// True once something was read that makes a page.
  var hasContent = false
  private let keepsComments: Bool
  private var elementCount = 0
  private var work: PageBudget

  init(_ body: [UInt8], keepingComments: Bool = false) {
    tokenizer = HTMLTokenizer(body)
    keepsComments = keepingComments
    work = PageBudget(size: body.count)
  }

  /// - Throws: `.tooManyElements`, `.tooManyAttributes`, `.tooDeep`, `.tooComplicated`.
  mutating func build() throws(PageError) {
    while let token = try tokenizer.next() {
      try take(token)
      tokenizer.allowsCDATA = open.last.map { !tree.isHTML($0) } ?? false
    }
    try end()
  }

  private mutating func take(_ token: HTMLToken) throws(PageError) {
    guard case .text(var text) = token else {
      skipsLineFeed = false
      switch token {
      case .start, .end: hasContent = true
      case .text, .comment, .doctype: break
      }
      return try process(token)
    }
    if skipsLineFeed, text.utf8.first == 0x0A { text.removeFirst() }
    skipsLineFeed = false
    // White space is treated differently in most modes.
    let spaces = text.utf8.prefix(while: HTMLTokenizer.isSpace).count
    let rest = text.utf8.dropFirst(spaces)
    if spaces > 0 { try process(.text(String(text.utf8.prefix(spaces)) ?? "")) }
    if !rest.isEmpty {
      hasContent = true
      try process(.text(String(rest) ?? ""))
    }
  }

  /// Processes a token by the mode, or as a part of SVG or MathML.
  mutating func process(_ token: HTMLToken) throws(PageError) {
    try spend(1)
    try isForeign(token) ? processForeign(token) : process(token, in: mode)
  }

  mutating func process(_ token: HTMLToken, in mode: Mode) throws(PageError) {
    if case .comment(let text) = token, mode != .text, mode != .inTableText {
      return insertComment(text, in: mode)
    }
    switch mode {
    case .initial: try initial(token)
    case .beforeHTML: try beforeHTML(token)
    case .beforeHead: try beforeHead(token)
    case .inHead: try inHead(token)
    case .inHeadNoScript: try inHeadNoScript(token)
    case .afterHead: try afterHead(token)
    case .inBody: try inBody(token)
    case .text: try inText(token)
    case .inTable: try inTable(token)
    case .inTableText: try inTableText(token)
    case .inCaption: try inCaption(token)
    case .inColumnGroup: try inColumnGroup(token)
    case .inTableBody: try inTableBody(token)
    case .inRow: try inRow(token)
    case .inCell: try inCell(token)
    case .inTemplate: try inTemplate(token)
    case .afterBody, .afterAfterBody: try afterBody(token)
    case .inFrameset: try inFrameset(token)
    case .afterFrameset, .afterAfterFrameset: try afterFrameset(token)
    }
  }

  /// Counts work, because a short tag may ask for a walk through all open elements.
  mutating func spend(_ count: Int) throws(PageError) { try work.spend(count) }
}

/// Insertion of nodes (§13.2.6.1).
extension TreeBuilder {
  /// The place for the next node: before the table for what does not belong into it.
  func place(in target: Int? = nil) -> HTMLTree.Place {
    let target = target ?? open.last ?? HTMLTree.document
    guard isFostering, tree.isHTML(target, Self.tableParts) else { return .init(parent: target) }
    let table = open.lastIndex { tree.isHTML($0, "table") }
    if let template = open.lastIndex(where: { tree.isHTML($0, "template") }),
      table.map({ template > $0 }) ?? true
    {
      return .init(parent: open[template])
    }
    guard let table else { return .init(parent: open.first ?? target) }
    if let parent = tree.nodes[open[table]].parent {
      return .init(parent: parent, next: open[table])
    }
    return .init(parent: table > 0 ? open[table - 1] : target)
  }

  @discardableResult
  mutating func insert(
    _ tag: HTMLTag, _ namespace: HTMLTree.Namespace = .html
  ) throws(PageError) -> Int {
    let element = try make(tag, namespace)
    if namespace == .html, Self.fields.contains(tag.name), tag.attributes["form"] == nil, let form,
      !isOpen("template")
    {
      tree.setForm(form, of: element)
    }
    tree.insert(element, at: place())
    try push(element)
    return element
  }

  /// Makes an element without a place.
  mutating func make(
    _ tag: HTMLTag, _ namespace: HTMLTree.Namespace = .html
  ) throws(PageError) -> Int {
    elementCount += 1
    guard elementCount <= HTMLParser.elementLimit else {
      throw .tooManyElements(limit: HTMLParser.elementLimit)
    }
    return tree.add(
      .init(
        kind: .element, name: tag.name, namespace: namespace, attributes: tag.attributes,
        isSpecial: Self.isSpecial(tag.name, namespace), isLimit: Self.isLimit(tag.name, namespace)))
  }

  /// Opens an element.
  mutating func push(_ element: Int, at index: Int? = nil) throws(PageError) {
    open.insert(element, at: index ?? open.count)
    guard open.count <= HTMLParser.depthLimit else {
      throw .tooDeep(limit: HTMLParser.depthLimit)
    }
  }

  /// Inserts an element that has no content.
  mutating func insertEmpty(_ tag: HTMLTag) throws(PageError) {
    try insert(tag)
    open.removeLast()
  }

  /// Inserts an element of text, which ends with its own end tag only.
  mutating func insertText(
    _ tag: HTMLTag, _ content: HTMLTokenizer.Content
  ) throws(PageError) {
    try insert(tag)
    tokenizer.content = content
    originalMode = mode
    mode = .text
  }

  mutating func insert(_ text: String) { tree.insert(text, at: place()) }

  private mutating func insertComment(_ text: String, in mode: Mode) {
    guard keepsComments else { return }
    var target = place()
    if [.initial, .beforeHTML, .afterAfterBody, .afterAfterFrameset].contains(mode) {
      target = .init(parent: HTMLTree.document)
    } else if mode == .afterBody, let root = open.first {
      target = .init(parent: root)
    }
    tree.insert(tree.add(.init(kind: .comment, text: text)), at: target)
  }

  private static let tableParts: Set<String> = ["table", "tbody", "tfoot", "thead", "tr"]
  private static let fields: Set<String> = [
    "button", "fieldset", "input", "object", "output", "select", "textarea",
  ]
}
