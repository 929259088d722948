/// An option with a value, `--name value` or `--name=value`, or a positional argument.
package class WordSlot<Value: Sendable>: ValueSlot<Value> {
  class var kind: Declaration.Kind { .option }
  /// Converts a word to a value, added to those given before; `nil` for a bad word.
  private let convert: (String, Value?) -> Value?
  private let bare: Value?

  fileprivate init<Word: ArgumentValue>(
    _ declaration: Declaration, of type: Word.Type, _ value: Value, bare: Value? = nil,
    convert: @escaping (String, Value?) -> Value?
  ) {
    self.convert = convert
    self.bare = bare
    var declaration = declaration
    declaration.values = type.allArguments
    super.init(declaration, value)
  }

  override func take(_ word: String) -> Bool {
    guard let value = convert(word, isGiven ? value : nil) else { return false }
    set(value)
    return true
  }

  override func take(name: String) {
    if let bare { set(bare) }
  }
}

extension WordSlot {
  package convenience init(
    wrappedValue: Value, name: String? = nil, isRequired: Bool = false, help: Help,
    completion: Completion = .words([])
  ) where Value: ArgumentValue {
    var declaration = Declaration(Self.kind, name, help, completion)
    declaration.fallback = isRequired ? nil : wrappedValue.argument
    declaration.isRequired = isRequired
    self.init(declaration, of: Value.self, wrappedValue) { word, _ in Value(argument: word) }
  }

  /// - Parameter bare: the value of an option whose value may be left out.
  package convenience init<Word: ArgumentValue>(
    bare: Word? = nil, name: String? = nil, help: Help, completion: Completion = .words([])
  ) where Value == Word? {
    var declaration = Declaration(Self.kind, name, help, completion)
    declaration.bareValue = bare?.argument
    self.init(declaration, of: Word.self, nil, bare: bare.map(Optional.some)) { word, _ in
      Word(argument: word).map(Optional.some)
    }
  }

  package convenience init<Word: ArgumentValue>(
    wrappedValue: [Word], name: String? = nil, help: Help, completion: Completion = .words([])
  ) where Value == [Word] {
    self.init(repeated: Declaration(Self.kind, name, help, completion), wrappedValue)
  }

  fileprivate convenience init<Word: ArgumentValue>(
    repeated declaration: Declaration, _ value: Value
  ) where Value == [Word] {
    var declaration = declaration
    declaration.isRepeating = true
    declaration.fallback =
      value.isEmpty ? nil : value.map(\.argument).joined(separator: ", ")
    self.init(declaration, of: Word.self, value) { word, given in
      Word(argument: word).map { (given ?? []) + [$0] }
    }
  }
}

/// An option: `--name value` or `--name=value`.
@propertyWrapper
package final class Option<Value: Sendable>: WordSlot<Value> {
  package var wrappedValue: Value {
    get { value }
    set { set(newValue) }
  }
}

@propertyWrapper
package final class Argument<Value: Sendable>: WordSlot<Value> {
  override class var kind: Declaration.Kind { .positional }
  package var wrappedValue: Value {
    get { value }
    set { set(newValue) }
  }
}

extension Argument {
  /// Takes at least one word, and all words after it, options included.
  package convenience init<Word: ArgumentValue>(
    wrappedValue: [Word], rest help: Help
  ) where Value == [Word] {
    var declaration = Declaration(.positional, nil, help)
    declaration.takesRest = true
    declaration.isRequired = true
    self.init(repeated: declaration, wrappedValue)
  }
}
