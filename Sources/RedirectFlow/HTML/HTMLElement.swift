struct HTMLElement: Sendable {
  enum Node: Sendable {
    case element(HTMLElement)
    /// Text, its character references resolved; scripts are text too.
    case text(String)
  }

  /// The tag's name in lower case; after "svg " or "math " if it is no element of HTML, for which it then is not mistaken.
  let name: String
  /// The attributes by their names in lower case; of repeated ones the first.
  let attributes: [String: String]
  let children: [Node]
  /// The number by which a field names the form that was open at its start tag.
  var identifier = 0
  var openForm: Int?

  /// The name without its namespace.
  var localName: Substring { name.split(separator: " ").last ?? "" }

  /// This element and all its descendants, in the order of their start tags.
  var all: [HTMLElement] {
    var found: [HTMLElement] = []
    visit {
      found.append($0)
      return true
    }
    return found
  }

  func elements(named name: String) -> [HTMLElement] { all.filter { $0.name == name } }

  func outermost(named name: String) -> [HTMLElement] {
    var found: [HTMLElement] = []
    for case .element(let child) in children {
      child.visit { element in
        guard element.name == name else { return true }
        found.append(element)
        return false
      }
    }
    return found
  }

  func holds(
    _ names: Set<String>, _ budget: inout PageBudget
  ) throws(PageError) -> Bool {
    for case .element(let child) in children {
      try budget.spend(1)
      if names.contains(child.name) { return true }
      if try child.holds(names, &budget) { return true }
    }
    return false
  }

  /// The options of a list, those of a list inside of it left out.
  func options(_ budget: inout PageBudget) throws(PageError) -> [HTMLElement] {
    var found: [HTMLElement] = []
    try collectOptions(into: &found, &budget)
    return found
  }

  private func collectOptions(
    into found: inout [HTMLElement], _ budget: inout PageBudget
  ) throws(PageError) {
    for case .element(let child) in children where child.name != "select" {
      try budget.spend(1)
      if child.name == "option" { found.append(child) }
      try child.collectOptions(into: &found, &budget)
    }
  }

  /// The text that a reader sees: white space counts as one space, scripts and styles as nothing.
  ///
  /// - Parameter limit: the most bytes; a longer text counts as empty.
  func text(
    _ budget: inout PageBudget, atMost limit: Int = .max
  ) throws(PageError) -> String {
    var pieces = ""
    var room = limit
    try collect(into: &pieces, &room, &budget)
    return room > 0 ? pieces.collapsed : ""
  }

  /// The names that assistive technology gives it (Accessible Name and Description Computation 1.2, §4.3.2): its
  /// `aria-labelledby`, its `aria-label`, its own words with those of its pictures, its `title`; each that it has,
  /// since authors mix them up. Only the first elements and letters of a big element count.
  ///
  /// - Parameter others: elements by their identifiers.
  func names(
    _ others: [String: HTMLElement], _ budget: inout PageBudget
  ) throws(PageError) -> [String] {
    let references = (attributes["aria-labelledby"] ?? "").split(whereSeparator: \.isWhitespace)
    var labels: [String] = []
    for reference in references.prefix(8) {
      if let other = others[String(reference)] { labels.append(try other.words(&budget)) }
    }
    return [
      labels.joined(separator: " "), attributes["aria-label"] ?? "", try words(&budget),
      attributes["title"] ?? "",
    ].filter { !$0.isEmpty }
  }

  /// Its own words with those of its pictures, of the first elements and letters alone.
  private func words(_ budget: inout PageBudget) throws(PageError) -> String {
    var pieces = ""
    var pieceLimit = 200
    collectWords(into: &pieces, &pieceLimit)
    try budget.spend(200 - pieceLimit + pieces.utf8.count)
    return pieces.collapsed
  }

  private func collectWords(into pieces: inout String, _ budget: inout Int) {
    guard budget > 0, !Self.unseen.contains(name) else { return }
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

  /// The text, unchanged, of this element alone.
  var ownText: String {
    children.reduce(into: "") { text, child in
      if case .text(let piece) = child { text += piece }
    }
  }

  /// - Parameter body: returns true to visit the descendants, too.
  private func visit(_ body: (HTMLElement) -> Bool) {
    guard body(self) else { return }
    for case .element(let child) in children { child.visit(body) }
  }

  private func collect(
    into pieces: inout String, _ room: inout Int, _ budget: inout PageBudget
  ) throws(PageError) {
    guard !Self.unseen.contains(name) else { return }
    for child in children where room > 0 {
      try budget.spend(1)
      switch child {
      case .text(let text):
        room -= text.utf8.count
        guard room > 0 else { return }
        try budget.spend(text.utf8.count)
        pieces += text
      case .element(let element): try element.collect(into: &pieces, &room, &budget)
      }
    }
    // Neighbouring table cells and list items are separate words.
    if !Self.inline.contains(name) { pieces += " " }
  }

  /// Elements whose text is not shown.
  private static let unseen: Set<String> = [
    "script", "style", "template", "iframe", "noembed", "noframes", "svg script", "svg style",
  ]

  /// Elements that do not separate words.
  private static let inline: Set<String> = [
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "em", "font", "i", "kbd", "mark", "q",
    "s", "samp",
    "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "var",
  ]
}

extension HTMLElement: Redacted {
  var description: String { "<\(name)>" }
}

extension StringProtocol {
  /// The words with one space between them, as a page shows white space.
  var collapsed: String {
    // ASCII first, because the lookup of a Unicode property takes most of the time.
    unicodeScalars.split {
      $0.isASCII
        ? $0 == " " || (0x09...0x0D).contains($0.value) : $0.properties.isWhitespace
    }
    .map { String(String.UnicodeScalarView($0)) }.joined(separator: " ")
  }
}
