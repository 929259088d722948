internal import Primitives

/// A selector, in the subset needed to name one element of a page (CSS Selectors Level 4): types, `*`, `#id`, `.class`,
/// attributes with `=`, `~=`, `|=`, `^=`, `$=` and `*=`, the space and `>` between them, and commas. No pseudo-classes,
/// no `+` and `~`, no escapes.
struct Selector: Sendable, Equatable {
  struct Compound: Sendable, Equatable {
    /// Its name; `nil` for any.
    var name: String?
    /// The conditions for its attributes, `id` and `class` among them.
    var tests: [AttributeTest] = []
    /// True if it must be a child of the compound before, not only a descendant.
    var isChild = false
  }

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
    /// The value; `nil` when the attribute only has to exist.
    let value: String?
    let match: Match

    func holds(for element: HTMLElement) -> Bool {
      guard let actual = element.attributes[name] else { return false }
      guard let value else { return true }
      return switch match {
      case .exact: actual == value
      case .word: actual.split(whereSeparator: \.isWhitespace).contains { $0 == value }
      case .language: actual == value || actual.hasPrefix(value + "-")
      // An empty value matches no element (Selectors §6.4).
      case .prefix: !value.isEmpty && actual.hasPrefix(value)
      case .suffix: !value.isEmpty && actual.hasSuffix(value)
      case .part: !value.isEmpty && actual.includes(value)
      }
    }
  }

  /// The alternatives, of which one must match; each a path from an outer element to the selected one.
  let alternatives: [[Compound]]

  func matches(in root: HTMLElement) -> Bool {
    alternatives.contains { Self.find($0, in: root, parent: [], ancestors: []) }
  }

  /// Visits each element once, with the matches above it: the numbers of the compounds at which a path has reached its
  /// parent, and any of its ancestors.
  private static func find(
    _ way: [Compound], in element: HTMLElement, parent: Set<Int>, ancestors: Set<Int>
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
  fileprivate func holds(for element: HTMLElement) -> Bool {
    (name == nil || name.map { element.localName == $0 } == true)
      && tests.allSatisfy { $0.holds(for: element) }
  }
}

extension Selector {
  private static let lengthLimit = 512

  /// Reads a selector; `nil` for one outside the subset.
  init?(_ text: String) {
    guard text.utf8.count <= Self.lengthLimit else { return nil }
    var reader = SelectorReader(rest: Array(text.utf8)[...])
    guard let alternatives = reader.list() else { return nil }
    self.alternatives = alternatives
  }
}

private struct SelectorReader {
  var rest: ArraySlice<UInt8>

  mutating func list() -> [[Selector.Compound]]? {
    var found: [[Selector.Compound]] = []
    repeat {
      guard let way = way() else { return nil }
      found.append(way)
    } while take(",")
    return rest.isEmpty ? found : nil
  }

  /// Compounds with spaces or `>` between them.
  private mutating func way() -> [Selector.Compound]? {
    var compounds: [Selector.Compound] = []
    skipSpaces()
    while !rest.isEmpty, rest.first != UInt8(ascii: ",") {
      let isChild = !compounds.isEmpty && take(">")
      skipSpaces()
      guard var compound = compound() else { return nil }
      compound.isChild = isChild
      compounds.append(compound)
      skipSpaces()
    }
    return compounds.isEmpty ? nil : compounds
  }

  private mutating func compound() -> Selector.Compound? {
    let start = rest.count
    var compound = Selector.Compound()
    if !take("*") { compound.name = name().map { $0.lowercased() } }
    while let mark = rest.first {
      switch mark {
      case UInt8(ascii: "#"), UInt8(ascii: "."):
        rest = rest.dropFirst()
        guard let value = name() else { return nil }
        compound.tests.append(
          mark == UInt8(ascii: "#")
            ? .init(name: "id", value: value, match: .exact)
            : .init(name: "class", value: value, match: .word))
      case UInt8(ascii: "["):
        rest = rest.dropFirst()
        guard let test = attribute() else { return nil }
        compound.tests.append(test)
      default: return rest.count < start ? compound : nil
      }
    }
    return rest.count < start ? compound : nil
  }

  /// The text in brackets, with the closing one.
  private mutating func attribute() -> Selector.AttributeTest? {
    skipSpaces()
    guard let name = name()?.lowercased() else { return nil }
    skipSpaces()
    if take("]") { return .init(name: name, value: nil, match: .exact) }
    guard let match = Selector.AttributeTest.Match.allCases.first(where: { take($0.rawValue) })
    else { return nil }
    skipSpaces()
    guard let value = quoted() ?? self.name() else { return nil }
    skipSpaces()
    return take("]") ? .init(name: name, value: value, match: match) : nil
  }

  private mutating func quoted() -> String? {
    guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
      let end = rest.dropFirst().firstIndex(of: quote)
    else { return nil }
    let value = rest[..<end].dropFirst()
    rest = rest[end...].dropFirst()
    return String(decoding: value, as: UTF8.self)
  }

  private mutating func name() -> String? {
    let name = rest.prefix {
      ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") || $0 >= 0x80
    }
    rest = rest.dropFirst(name.count)
    return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
  }

  private mutating func take(_ mark: String) -> Bool {
    guard rest.starts(with: mark.utf8) else { return false }
    rest = rest.dropFirst(mark.utf8.count)
    return true
  }

  private mutating func skipSpaces() {
    rest = rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
  }
}
