/// The stack of open elements (HTML Living Standard §13.2.4.2 and 13.2.6.3).
extension TreeBuilder {
  var current: Int { open.last ?? HTMLTree.document }

  func isCurrent(_ name: String) -> Bool { tree.isHTML(current, name) }

  func isOpen(_ name: String) -> Bool { open.contains { tree.isHTML($0, name) } }

  enum Scope {
    case ordinary, listItem, button, table
  }

  /// Checks whether one of these elements is open within the innermost scope.
  mutating func isInScope(
    _ names: some Sequence<String>, _ scope: Scope = .ordinary
  ) throws(PageError) -> Bool {
    try isInScope(scope, [String](names), nil)
  }

  mutating func isInScope(_ element: Int) throws(PageError) -> Bool {
    try isInScope(.ordinary, [], element)
  }

  private mutating func isInScope(
    _ scope: Scope, _ names: [String], _ element: Int?
  ) throws(PageError) -> Bool {
    var index = open.count
    var isFound = false
    while index > 0, !isFound {
      index -= 1
      let node = open[index]
      isFound = node == element || tree.isHTML(node, names)
      if !isFound, isLimit(node, scope) { break }
    }
    try spend(open.count - index)
    return isFound
  }

  private func isLimit(_ node: Int, _ scope: Scope) -> Bool {
    let name = tree.name(node)
    switch scope {
    case .table:
      return tree.isHTML(node) && (name == "table" || name == "html" || name == "template")
    case .ordinary: return tree.nodes[node].isLimit
    case .listItem:
      return tree.nodes[node].isLimit || tree.isHTML(node) && (name == "ol" || name == "ul")
    case .button: return tree.nodes[node].isLimit || tree.isHTML(node, "button")
    }
  }

  /// The elements of MathML whose text is HTML.
  static let textPoints: Set<String> = ["mi", "mo", "mn", "ms", "mtext"]

  /// Closes the elements whose end tags may be left out.
  ///
  /// - Parameter thoroughly: true to close parts of tables, too.
  mutating func closeImplied(
    except name: String? = nil, thoroughly: Bool = false
  ) throws(PageError) {
    while let last = open.last, tree.isHTML(last),
      Self.implied.contains(tree.name(last))
        || thoroughly && Self.impliedInTables.contains(tree.name(last)),
      tree.name(last) != name
    {
      try spend(1)
      open.removeLast()
    }
  }

  private static let implied: Set<String> = [
    "dd", "dt", "li", "optgroup", "option", "p", "rb", "rp", "rt", "rtc",
  ]
  private static let impliedInTables: Set<String> = [
    "caption", "colgroup", "tbody", "td", "tfoot", "th", "thead", "tr",
  ]

  /// Closes all elements to the last one with one of these names, and that one.
  mutating func pop(through names: String...) throws(PageError) {
    while let last = open.popLast() {
      try spend(1)
      if tree.isHTML(last), names.contains(tree.name(last)) { return }
    }
  }

  /// Closes all elements to the last one with one of these names, which stays open.
  mutating func pop(to names: Set<String>) throws(PageError) {
    while let last = open.last, !tree.isHTML(last, names), !tree.isHTML(last, ["html", "template"])
    {
      try spend(1)
      open.removeLast()
    }
  }

  mutating func closeParagraph() throws(PageError) {
    guard try isInScope(["p"], .button) else { return }
    try closeImplied(except: "p")
    try pop(through: "p")
  }

  /// Finds the mode for the elements that are still open (§13.2.4.1).
  mutating func resetMode() {
    mode = .inBody
    for node in open.reversed() where tree.isHTML(node) {
      switch tree.name(node) {
      case "td", "th": mode = .inCell
      case "tr": mode = .inRow
      case "tbody", "thead", "tfoot": mode = .inTableBody
      case "caption": mode = .inCaption
      case "colgroup": mode = .inColumnGroup
      case "table": mode = .inTable
      case "template": mode = templateModes.last ?? .inBody
      case "head": mode = .inHead
      case "body": mode = .inBody
      case "frameset": mode = .inFrameset
      case "html": mode = head == nil ? .beforeHead : .afterHead
      default: continue
      }
      return
    }
  }
}
