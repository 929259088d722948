internal import Primitives

/// The holder's data named on a consent page, with values where it shows them.
///
/// Its real mark-up is not published. Definition lists and tables count as lists by themselves; other elements count
/// only where they name data that identity providers have, and are added to the lists: all data that the page names is
/// shown to the person. Data named in other words is not seen here; `ReleaseAgreement` compares what is posted.
struct ConsentList {
  /// The listed attributes, each label once; empty when no list is recognised.
  private(set) var attributes: [ConsentRequest.Attribute] = []
  private let page: Page
  private var budget: PageBudget

  /// - Throws: `.tooComplicated`.
  init(_ page: Page) throws(PageError) {
    self.page = page
    budget = page.budget
    try readDefinitions()
    try readRows()
    try readLines()
    try readWords()
  }

  /// Adds attributes that are not listed yet: a value without its label says less than the label with it.
  private mutating func add(_ found: [ConsentRequest.Attribute]) {
    for attribute in found {
      let data = HolderDatum.named(attribute.label)
      let isListed = attributes.contains {
        $0.label == attribute.label
          || !data.isEmpty && data.isSubset(of: HolderDatum.named($0.label))
      }
      if !isListed { attributes.append(attribute) }
    }
  }

  /// Terms with their descriptions.
  private mutating func readDefinitions() throws(PageError) {
    var found: [(label: String, values: [String])] = []
    for part in page.outermost(named: "dl").flatMap(\.all) {
      if part.name == "dt" { found.append((try part.text(&budget), [])) }
      if part.name == "dd", let last = found.indices.last {
        found[last].values.append(try part.text(&budget))
      }
    }
    attributes += found.filter { !$0.label.isEmpty && !$0.values.isEmpty }
      .map { .init(label: $0.label, value: $0.values.joined(separator: ", ")) }
  }

  /// Table rows: the first cell is the label of the second one. A row of headings alone does not count.
  private mutating func readRows() throws(PageError) {
    for row in page.elements(named: "tr") {
      // A table around tables is no list; and each is read only once.
      guard try !row.holds(["tr"], &budget) else { continue }
      let cells = row.all.filter { $0.name == "td" || $0.name == "th" }
      guard cells.contains(where: { $0.name == "td" }), cells.count > 1,
        let label = try cells.first?.text(&budget), !label.isEmpty,
        let value = try cells.dropFirst().first?.text(&budget)
      else { continue }
      attributes.append(.init(label: label, value: value))
    }
  }

  /// Items and paragraphs: "Nome: ADA", "Nome ADA", "Nome", or "nome, cognome e codice fiscale"; also with the parts in
  /// separate elements, without separator.
  private mutating func readLines() throws(PageError) {
    for line in ["li", "p", "div", "label"].flatMap({ page.elements(named: $0) }) {
      guard try !line.holds(Self.blocks, &budget) else { continue }
      let text = try short(line)
      if let pair = try pair(line, text) {
        add([pair])
      } else {
        add(Self.attributes(in: text))
      }
    }
  }

  /// A label alone in an inline element.
  private mutating func readWords() throws(PageError) {
    for element in Self.marks.flatMap({ page.elements(named: $0) }) {
      let text = try short(element)
      if !HolderDatum.named(text).isEmpty { add([.init(label: text, value: "")]) }
    }
  }

  private static let blocks: Set<String> = [
    "li", "p", "div", "label", "ul", "ol", "table", "form", "section", "nav",
  ]
  private static let marks = ["span", "b", "strong", "em", "i", "h3", "h4", "h5", "h6", "legend"]
  /// Longer lines are prose.
  private static let lineLimit = 200

  /// The text of an element; empty when it is prose.
  private mutating func short(_ element: HTMLElement) throws(PageError) -> String {
    // White space between its parts is not seen.
    let text = try element.text(&budget, atMost: 20 * Self.lineLimit)
    return text.unicodeScalars.count <= Self.lineLimit ? text : ""
  }

  /// A known label in the first element, its value in the following ones.
  private mutating func pair(
    _ line: HTMLElement, _ text: String
  ) throws(PageError) -> ConsentRequest.Attribute? {
    guard !text.isEmpty else { return nil }
    var parts: [String] = []
    for child in line.children {
      switch child {
      case .element(let element): parts.append(try element.text(&budget))
      case .text(let text): parts.append(text.collapsed)
      }
    }
    parts.removeAll(where: \.isEmpty)
    guard let first = parts.first, parts.count > 1 else { return nil }
    let label = Self.trim(Substring(first.hasSuffix(":") ? first.dropLast() : first[...]))
    guard !HolderDatum.named(label).isEmpty else { return nil }
    let value = parts.dropFirst().joined(separator: " ")
    return .init(label: label, value: Self.trim(value.drop { $0 == ":" || $0 == " " }))
  }

  private static func attributes(in line: String) -> [ConsentRequest.Attribute] {
    let isKnown = { (text: String) in !HolderDatum.named(text).isEmpty }
    let halves = line.split(separator: ":", maxSplits: 1).map(trim)
    if let label = halves.first, isKnown(label) {
      return [.init(label: label, value: halves.dropFirst().first ?? "")]
    }
    let items = (halves.last ?? "").exchanging(" e ", for: ",").exchanging(" and ", for: ",")
      .split { ",;.•".contains($0) }.map(trim).filter { !$0.isEmpty }
    if !items.isEmpty, items.allSatisfy(isKnown) {
      return items.map { .init(label: $0, value: "") }
    }
    return start(of: line).map { label in
      [.init(label: label, value: trim(line.dropFirst(label.count)))]
    } ?? []
  }

  /// The longest known label that a line of few words begins with.
  private static func start(of line: String) -> String? {
    let words = line.split(separator: " ")
    guard words.count <= 10 else { return nil }
    return (1...max(1, min(5, words.count))).reversed().lazy
      .map { words.prefix($0).joined(separator: " ") }
      .first { !HolderDatum.named($0).isEmpty }
  }

  private static func trim(_ text: Substring) -> String {
    text.split(separator: " ").joined(separator: " ")
  }
}
