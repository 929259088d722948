/// A selector, as far as it is needed to name one thing in a page (CSS Selectors Level 4): types, `*`, `#id`, `.class`,
/// attributes with `=`, `~=`, `|=`, `^=`, `$=` and `*=`, the space and `>` between them, and commas. No
/// pseudo-classes, no `+` and `~`, no escapes.
struct Selector: Sendable, Equatable {
  /// What one element must be.
  struct Compound: Sendable, Equatable {
    /// Its name; `nil` for any.
    var name: String?
    /// What its attributes must hold, `id` and `class` among them.
    var tests: [AttributeTest] = []
    /// Whether it must be a child of what stands before, not only something in it.
    var isChild = false
  }

  /// What an attribute must hold.
  struct AttributeTest: Sendable, Equatable {
    enum Match: String, Sendable, CaseIterable {
      case exact = "="
      case word = "~="
      case language = "|="
      case prefix = "^="
      case suffix = "$="
      case part = "*="
    }

    let name: String
    /// `nil` when it only has to be there.
    let value: String?
    let match: Match

    func holds(for element: Element) -> Bool {
      guard let actual = element.attributes[name] else { return false }
      guard let value else { return true }
      return switch match {
      case .exact: actual == value
      case .word: actual.split(whereSeparator: \.isWhitespace).contains { $0 == value }
      case .language: actual == value || actual.hasPrefix(value + "-")
      // Nothing is in everything (Selectors §6.4).
      case .prefix: !value.isEmpty && actual.hasPrefix(value)
      case .suffix: !value.isEmpty && actual.hasSuffix(value)
      case .part: !value.isEmpty && actual.contains(value)
      }
    }
  }

  /// Any of these; each a way from an outer element to the one that is meant.
  let alternatives: [[Compound]]

  /// Whether there is such an element in this one.
  func matches(in root: Element) -> Bool {
    alternatives.contains { Self.find($0, in: root, parent: [], ancestors: []) }
  }

  /// Goes through the elements once, with what is already found above each: the numbers of the compounds at which a way
  /// has come to its parent, and to any element that it is in.
  private static func find(
    _ way: [Compound], in element: Element, parent: Set<Int>, ancestors: Set<Int>
  ) -> Bool {
    var reached: Set<Int> = []
    for (number, compound) in way.enumerated() where compound.holds(for: element) {
      let before = compound.isChild ? parent : ancestors
      if number == 0 || before.contains(number - 1) { reached.insert(number) }
    }
    guard !reached.contains(way.count - 1) else { return true }
    let above = ancestors.union(reached)
    return element.children.contains { node in
      guard case .element(let child) = node else { return false }
      return find(way, in: child, parent: reached, ancestors: above)
    }
  }
}

extension Selector.Compound {
  fileprivate func holds(for element: Element) -> Bool {
    (name == nil || name == element.name) && tests.allSatisfy { $0.holds(for: element) }
  }
}
