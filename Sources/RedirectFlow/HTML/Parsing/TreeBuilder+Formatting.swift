/// The active formatting elements (HTML Living Standard §13.2.4.3 and 13.2.6.4.7, "adoption agency algorithm").
extension TreeBuilder {
  static let formats: Set<String> = [
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
  ]

  mutating func clearFormatting() {
    while let last = formatting.popLast(), last != .marker {}
  }

  /// Opens the formatting elements again that are active, but closed.
  mutating func reopenFormatting() throws(PageError) {
    var first = formatting.count
    while first > 0, case .element(let element) = formatting[first - 1], !open.contains(element) {
      try spend(1)
      first -= 1
    }
    for index in first..<formatting.count {
      guard case .element(let element) = formatting[index] else { continue }
      formatting[index] = .element(try insert(tag(of: element)))
    }
  }

  private func tag(of element: Int) -> HTMLTag {
    HTMLTag(name: tree.name(element), attributes: tree.nodes[element].attributes)
  }

  /// The last active element with a name, after the last marker.
  private func active(_ name: String) -> Int? {
    for entry in formatting.reversed() {
      guard case .element(let element) = entry else { return nil }
      if tree.name(element) == name { return element }
    }
    return nil
  }

  mutating func startFormatting(_ tag: HTMLTag) throws(PageError) {
    if tag.name == "a", let link = active("a") {
      try endFormatting("a")
      formatting.removeAll { $0 == .element(link) }
      open.removeAll { $0 == link }
    }
    try reopenFormatting()
    if tag.name == "nobr", try isInScope(["nobr"]) {
      try endFormatting("nobr")
      try reopenFormatting()
    }
    let element = try insert(tag)
    try activate(element)
  }

  /// Adds an element; of more than three alike the first is dropped.
  private mutating func activate(_ element: Int) throws(PageError) {
    var alike: [Int] = []
    for (index, entry) in formatting.enumerated().reversed() {
      guard case .element(let other) = entry else { break }
      try spend(1)
      if tree.name(other) == tree.name(element),
        tree.nodes[other].attributes == tree.nodes[element].attributes
      {
        alike.append(index)
      }
    }
    if alike.count >= 3, let first = alike.last { formatting.remove(at: first) }
    formatting.append(.element(element))
  }

  /// Ends a formatting element, and repairs the nesting of what is within.
  mutating func endFormatting(_ name: String) throws(PageError) {
    if isCurrent(name), !formatting.contains(.element(current)) {
      open.removeLast()
      return
    }
    for _ in 0..<8 {
      guard let element = active(name) else { return try endAny(name) }
      guard let index = open.lastIndex(of: element) else {
        formatting.removeAll { $0 == .element(element) }
        return
      }
      guard try isInScope(element) else { return }
      guard let blockIndex = open[index...].firstIndex(where: { tree.nodes[$0].isSpecial }) else {
        open.removeLast(open.count - index)
        formatting.removeAll { $0 == .element(element) }
        return
      }
      try adopt(element, at: index, open[blockIndex], at: blockIndex)
    }
  }

  /// Moves a block out of the formatting element that ends within it.
  private mutating func adopt(
    _ element: Int, at index: Int, _ block: Int, at blockIndex: Int
  ) throws(PageError) {
    guard var bookmark = formatting.firstIndex(of: .element(element)) else { return }
    var last = block
    var place = blockIndex
    var count = 0
    while place > index + 1 {
      place -= 1
      count += 1
      try spend(open.count)
      let node = open[place]
      let active = formatting.firstIndex(of: .element(node))
      if let active, count > 3 {
        formatting.remove(at: active)
        if active < bookmark { bookmark -= 1 }
      }
      guard let active, count <= 3 else {
        open.remove(at: place)
        continue
      }
      let clone = try make(tag(of: node))
      formatting[active] = .element(clone)
      open[place] = clone
      if last == block { bookmark = active + 1 }
      tree.remove(last)
      tree.insert(last, at: .init(parent: clone))
      last = clone
    }
    tree.remove(last)
    isFostering = true
    tree.insert(last, at: self.place(in: open[index - 1]))
    isFostering = false
    let clone = try make(tag(of: element))
    tree.moveChildren(of: block, to: clone)
    tree.insert(clone, at: .init(parent: block))
    formatting.insert(.element(clone), at: min(bookmark, formatting.count))
    if let old = formatting.firstIndex(of: .element(element)) { formatting.remove(at: old) }
    open.removeAll { $0 == element }
    try push(clone, at: (open.firstIndex(of: block) ?? open.count - 1) + 1)
  }
}
