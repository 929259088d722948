/// An option with a value, `--name value` or `--name=value`, or a positional argument.
package class WordSlot<Value: Sendable>: ValueSlot<Value> {
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

  fileprivate convenience init(
    one declaration: Declaration, _ value: Value, isRequired: Bool
  ) where Value: ArgumentValue {
    var declaration = declaration
    declaration.fallback = isRequired ? nil : value.argument
    declaration.isRequired = isRequired
    self.init(declaration, of: Value.self, value) { word, _ in Value(argument: word) }
  }

  fileprivate convenience init<Word: ArgumentValue>(
    optional declaration: Declaration, bare: Word? = nil
  ) where Value == Word? {
    var declaration = declaration
    declaration.bareValue = bare?.argument
    self.init(declaration, of: Word.self, nil, bare: bare.map(Optional.some)) { word, _ in
      Word(argument: word).map(Optional.some)
    }
  }

  fileprivate convenience init<Word: ArgumentValue>(
    repeated declaration: Declaration, _ value: Value, isRequired: Bool = false
  ) where Value == [Word] {
    var declaration = declaration
    declaration.isRepeating = true
    declaration.isRequired = isRequired
    declaration.fallback =
      value.isEmpty ? nil : value.map(\.argument).joined(separator: ", ")
    self.init(declaration, of: Word.self, value) { word, given in
      Word(argument: word).map { (given ?? []) + [$0] }
    }
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

/// An option: `--name value` or `--name=value`.
@propertyWrapper
package final class Option<Value: Sendable>: WordSlot<Value> {
  package var wrappedValue: Value {
    get { value }
    set { set(newValue) }
  }
}

extension Option {
  package convenience init(
    wrappedValue: Value, name: String? = nil, isRequired: Bool = false, help: Help,
    completion: Completion = .words([])
  ) where Value: ArgumentValue {
    self.init(
      one: Declaration(.option, name, help, completion), wrappedValue, isRequired: isRequired)
  }

  package convenience init<Word: ArgumentValue>(
    name: String? = nil, help: Help, completion: Completion = .words([])
  ) where Value == Word? {
    self.init(optional: Declaration(.option, name, help, completion))
  }

  /// An option whose value may be left out.
  package convenience init<Word: ArgumentValue>(
    bare: Word, help: Help, completion: Completion = .words([])
  ) where Value == Word? {
    self.init(optional: Declaration(.option, nil, help, completion), bare: bare)
  }

  package convenience init<Word: ArgumentValue>(
    wrappedValue: [Word], name: String? = nil, help: Help, completion: Completion = .words([])
  ) where Value == [Word] {
    self.init(repeated: Declaration(.option, name, help, completion), wrappedValue)
  }
}

/// A positional argument.
@propertyWrapper
package final class Argument<Value: Sendable>: WordSlot<Value> {
  package var wrappedValue: Value {
    get { value }
    set { set(newValue) }
  }
}

extension Argument {
  package convenience init(
    wrappedValue: Value, isRequired: Bool = false, help: Help, completion: Completion = .words([])
  ) where Value: ArgumentValue {
    self.init(
      one: Declaration(.positional, nil, help, completion), wrappedValue, isRequired: isRequired)
  }

  package convenience init<Word: ArgumentValue>(
    help: Help, completion: Completion = .words([])
  ) where Value == Word? {
    self.init(optional: Declaration(.positional, nil, help, completion))
  }

  package convenience init<Word: ArgumentValue>(
    wrappedValue: [Word], help: Help, completion: Completion = .words([])
  ) where Value == [Word] {
    self.init(repeated: Declaration(.positional, nil, help, completion), wrappedValue)
  }

  /// Takes at least one word, and all words after it, options included.
  package convenience init<Word: ArgumentValue>(
    wrappedValue: [Word], rest help: Help
  ) where Value == [Word] {
    var declaration = Declaration(.positional, nil, help)
    declaration.takesRest = true
    self.init(repeated: declaration, wrappedValue, isRequired: true)
  }
}
