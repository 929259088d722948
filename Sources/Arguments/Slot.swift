/// The storage of one argument: a class, because the parser finds the properties of a command through `Mirror`, which
/// copies them.
package class Slot {
  var declaration: Declaration
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

  /// The arguments of a group in this place.
  package func members() -> [Slot] { [self] }
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

/// A group of options that many commands share. `Value` has no requirement, because the runtime would search for the
/// conformance at each start.
@propertyWrapper
package final class OptionGroup<Value>: Slot {
  package let wrappedValue: Value
  private let isHidden: Bool
  private let title: String?

  package convenience init(isHidden: Bool = false) where Value: ParsableArguments {
    self.init(wrappedValue: Value(), isHidden: isHidden)
  }

  package init(wrappedValue: Value, isHidden: Bool = false) where Value: ParsableArguments {
    self.wrappedValue = wrappedValue
    self.isHidden = isHidden
    title = Value.title
    super.init(Declaration(.option, nil, .hidden))
  }

  package override func members() -> [Slot] {
    let members = Slot.all(of: wrappedValue)
    for member in members {
      if isHidden { member.declaration.isHidden = true }
      member.declaration.group = member.declaration.group ?? title
    }
    return members
  }
}

/// Arguments that are no properties, in their order: those that a function's inputs declare.
package final class DeclaredSlots: Slot {
  private let slots: [Slot]

  /// - Parameter title: that of their group in the help; `nil` for arguments of the command alone.
  package init(_ slots: [Slot], title: String? = nil) {
    self.slots = slots.flatMap { $0.members() }
    super.init(Declaration(.option, nil, .hidden))
    for slot in self.slots { slot.declaration.group = slot.declaration.group ?? title }
  }

  package override func members() -> [Slot] { slots }
}
