/// The nodes of a page while it is read: by number, because elements move before they have their places.
struct HTMLTree: Sendable {
  enum Namespace: String, Sendable {
    case html = ""
    case svg = "svg "
    case mathML = "math "
  }

  enum Kind: Sendable, Equatable { case document, element, text, comment, doctype }

  struct Node: Sendable {
    let kind: Kind
    /// The name of an element or a document type.
    var name = ""
    var namespace = Namespace.html
    var attributes: [String: String] = [:]
    /// The characters of a text or a comment.
    var text = ""
    var parent: Int?
    var children: [Int] = []
    /// The form that was open where a field began.
    var form: Int?
    /// True for an element of the structure of a page ("special").
    var isSpecial = false
    /// True for an element at which the search for an open element ends ("scope").
    var isLimit = false
  }

  /// A place for a node: the last one of a parent, or before another child of it.
  struct Place {
    let parent: Int
    var next: Int?
  }

  static let document = 0
  private(set) var nodes = [Node(kind: .document)]

  func name(_ node: Int) -> String { nodes[node].name }

  func isHTML(_ node: Int) -> Bool { nodes[node].namespace == .html }

  /// Checks whether a node is the element of HTML with this name.
  func isHTML(_ node: Int, _ name: String) -> Bool { isHTML(node) && nodes[node].name == name }

  func isHTML(_ node: Int, _ names: Set<String>) -> Bool {
    isHTML(node) && names.contains(nodes[node].name)
  }

  func isHTML(_ node: Int, _ names: [String]) -> Bool {
    guard isHTML(node) else { return false }
    for name in names where nodes[node].name == name { return true }
    return false
  }

  /// Adds a node without a place.
  mutating func add(_ node: Node) -> Int {
    nodes.append(node)
    return nodes.count - 1
  }

  mutating func addAttributes(_ attributes: [String: String], to node: Int) {
    nodes[node].attributes.merge(attributes) { old, _ in old }
  }

  mutating func setForm(_ form: Int, of node: Int) { nodes[node].form = form }

  mutating func insert(_ node: Int, at place: Place) {
    nodes[node].parent = place.parent
    if let next = place.next, let index = nodes[place.parent].children.lastIndex(of: next) {
      nodes[place.parent].children.insert(node, at: index)
    } else {
      nodes[place.parent].children.append(node)
    }
  }

  /// Adds characters to the text before a place, or as a new text.
  mutating func insert(_ text: String, at place: Place) {
    let siblings = nodes[place.parent].children
    var previous = siblings.last
    if let next = place.next, let index = siblings.lastIndex(of: next) {
      previous = index > 0 ? siblings[index - 1] : nil
    }
    if let previous, nodes[previous].kind == .text {
      nodes[previous].text += text
    } else {
      insert(add(Node(kind: .text, text: text)), at: place)
    }
  }

  mutating func remove(_ node: Int) {
    guard let parent = nodes[node].parent else { return }
    if let index = nodes[parent].children.lastIndex(of: node) {
      nodes[parent].children.remove(at: index)
    }
    nodes[node].parent = nil
  }

  mutating func moveChildren(of node: Int, to parent: Int) {
    let children = nodes[node].children
    nodes[node].children = []
    nodes[parent].children += children
    for child in children { nodes[child].parent = parent }
  }
}

/// The page's elements as values.
extension HTMLTree {
  /// The element and all in it; the content of a template is no part of the page.
  ///
  /// - Throws: `.tooDeep`.
  func element(_ node: Int, depth: Int = 0) throws(PageError) -> HTMLElement {
    guard depth <= HTMLParser.depthLimit else { throw .tooDeep(limit: HTMLParser.depthLimit) }
    var children: [HTMLElement.Node] = []
    for child in isHTML(node, "template") ? [] : nodes[node].children {
      switch nodes[child].kind {
      case .element: children.append(.element(try element(child, depth: depth + 1)))
      case .text: children.append(.text(nodes[child].text))
      case .document, .comment, .doctype: break
      }
    }
    return HTMLElement(
      name: nodes[node].namespace.rawValue + nodes[node].name, attributes: nodes[node].attributes,
      children: children, identifier: node, openForm: nodes[node].form)
  }
}
