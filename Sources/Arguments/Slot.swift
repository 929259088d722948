/// The storage of one argument: a class, because the parser fills what the command reads.
package class Slot {
  package var declaration: Declaration
  package internal(set) var isGiven = false

  init(_ declaration: Declaration) { self.declaration = declaration }

  /// The name of the argument, without hyphens.
  package var name: String { declaration.name }

  /// Takes a word as the value.
  ///
  /// - Returns: false for a bad value.
  func take(_ word: String) -> Bool { false }

  /// Takes the name alone: of a flag, its contrary, or an option whose value may be left out.
  func take(name: String) {}
}

extension [Slot] {
  /// Puts those that are in no group of the help into one.
  ///
  /// - Parameter title: a text or a key, as in `Help`; `nil` for arguments of the command alone.
  package func grouped(_ title: String?) -> [Slot] {
    for slot in self { slot.declaration.group = slot.declaration.group ?? title }
    return self
  }

  /// Has each of them refused if it is given twice.
  package func single() -> [Slot] {
    for slot in self { slot.declaration.isSingle = true }
    return self
  }

  /// Hides them from help and completions.
  package func hidden() -> [Slot] {
    for slot in self { slot.declaration.isHidden = true }
    return self
  }

  /// True if the option or flag of this name was given.
  package func give(_ name: String) -> Bool { contains { $0.name == name && $0.isGiven } }
}

package class ValueSlot<Value: Sendable>: Slot {
  private(set) final var value: Value

  init(_ declaration: Declaration, _ value: Value) {
    self.value = value
    super.init(declaration)
  }

  final func set(_ value: Value) {
    self.value = value
    isGiven = true
  }
}

/// A flag: given or not.
@propertyWrapper
package final class Flag<Value: Sendable>: ValueSlot<Value> {
  package var wrappedValue: Value { value }
  private let given: (Bool) -> Value

  private init(_ declaration: Declaration, _ value: Value, _ given: @escaping (Bool) -> Value) {
    self.given = given
    super.init(declaration, value)
  }

  override func take(name: String) { set(given(name == declaration.name)) }
}

extension Flag<Bool> {
  package convenience init(wrappedValue: Bool, name: String? = nil, help: Help) {
    self.init(Declaration(.flag, name, help), wrappedValue) { $0 }
  }
}

extension Flag<Bool?> {
  /// A flag with a contrary: `--extended`, `--no-extended`.
  package convenience init(withContrary help: Help, name: String? = nil) {
    var declaration = Declaration(.flag, name, help)
    declaration.hasContrary = true
    self.init(declaration, nil) { $0 }
  }
}
