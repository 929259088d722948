/// An element of a page with everything in it.
struct HTMLElement: Sendable {
  /// What an element holds.
  enum Node: Sendable {
    /// An element.
    case element(HTMLElement)
    /// Text, its character references resolved; scripts are text too.
    case text(String)
  }

  /// The tag's name in lower case.
  let name: String
  /// The attributes by their names in lower case; of repeated ones the first.
  let attributes: [String: String]
  /// The content in order.
  let children: [Node]

  /// This element and all in it, in the order of their start tags.
  var all: [HTMLElement] {
    var found: [HTMLElement] = []
    visit { found.append($0) }
    return found
  }

  /// All elements of this name in it.
  func elements(named name: String) -> [HTMLElement] { all.filter { $0.name == name } }

  /// All elements of this name in it that are in no other of that name.
  func outermost(named name: String) -> [HTMLElement] {
    var found: [HTMLElement] = []
    collectOutermost(name, into: &found)
    return found
  }

  private func collectOutermost(_ name: String, into found: inout [HTMLElement]) {
    for case .element(let child) in children {
      if child.name == name {
        found.append(child)
      } else {
        child.collectOutermost(name, into: &found)
      }
    }
  }

  /// Whether an element of one of these names is in it.
  func holds(_ names: Set<String>) -> Bool {
    children.contains { node in
      guard case .element(let child) = node else { return false }
      return names.contains(child.name) || child.holds(names)
    }
  }

  /// All elements of this name that have this class.
  func elements(named name: String, withClass className: String) -> [HTMLElement] {
    elements(named: name).filter { $0.classes.contains(className) }
  }

  /// The words of the `class` attribute.
  var classes: [String] {
    (attributes["class"] ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
  }

  /// The text that a reader sees: white space counts as one space, scripts and styles as nothing.
  var text: String {
    var pieces = ""
    collect(into: &pieces)
    return pieces.collapsed
  }

  /// What it is called by those who do not see it (Accessible Name and Description Computation 1.2, §4.3.2): its
  /// `aria-labelledby`, its `aria-label`, its own words with those of its pictures, its `title`; each that it has, since
  /// authors mix them up. Only what is near the top of a big element counts.
  ///
  /// - Parameter others: an element by its identifier.
  func names(_ others: (String) -> HTMLElement?) -> [String] {
    let labels = (attributes["aria-labelledby"] ?? "").split(whereSeparator: \.isWhitespace)
      .prefix(8).compactMap { others(String($0))?.words }.joined(separator: " ")
    return [labels, attributes["aria-label"] ?? "", words, attributes["title"] ?? ""]
      .filter { !$0.isEmpty }
  }

  /// Its own words with those of its pictures, of the first elements and letters alone.
  private var words: String {
    var pieces = ""
    var budget = 200
    collectWords(into: &pieces, &budget)
    return pieces.collapsed
  }

  private func collectWords(into pieces: inout String, _ budget: inout Int) {
    guard budget > 0, !["script", "style", "template"].contains(name) else { return }
    budget -= 1
    switch name {
    case "img", "area": pieces += " " + (attributes["alt"] ?? attributes["title"] ?? "") + " "
    case "input":
      pieces += " " + (attributes["alt"] ?? "") + " " + (attributes["value"] ?? "") + " "
    default: break
    }
    if name != "a", name != "button", let label = attributes["aria-label"] {
      pieces += " \(label) "
    }
    for child in children where budget > 0 {
      switch child {
      case .text(let text):
        pieces += text.prefix(budget * 8)
        budget -= 1
      case .element(let element): element.collectWords(into: &pieces, &budget)
      }
    }
    if !Self.inline.contains(name) { pieces += " " }
  }

  /// The text as it stands, of this element alone.
  var ownText: String {
    children.reduce(into: "") { text, child in
      if case .text(let piece) = child { text += piece }
    }
  }

  private func visit(_ body: (HTMLElement) -> Void) {
    body(self)
    for case .element(let child) in children { child.visit(body) }
  }

  private func collect(into pieces: inout String) {
    guard !["script", "style", "template"].contains(name) else { return }
    for child in children {
      switch child {
      case .text(let text): pieces += text
      case .element(let element): element.collect(into: &pieces)
      }
    }
    // Neighbouring table cells and list items are words of their own.
    if !Self.inline.contains(name) { pieces += " " }
  }

  /// Elements that do not separate words.
  private static let inline: Set<String> = [
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "em", "font", "i", "kbd", "mark", "q",
    "s", "samp",
    "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "var",
  ]
}

extension HTMLElement: Redacted {
  /// The tag.
  var description: String { "<\(name)>" }
}

extension StringProtocol {
  /// The words with one space between them, as a page shows white space.
  var collapsed: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
