package import Arguments
import Primitives

/// The kinds of inputs.
extension Inputs {
  /// A flag: given or not.
  package mutating func flag(
    _ name: String, help: String, http: Offer? = nil
  ) throws(Failure) -> Bool {
    try input(
      name, http, Schema.flag.with("default", .bool(false)), missing: false,
      slot: Flag(wrappedValue: false, name: name, help: .text(help)), value: \.wrappedValue
    ) { if case .flag(let value) = $0 { value } else { nil } }
  }

  /// A flag with a contrary: `--extended`, `--no-extended`.
  package mutating func choice(_ name: String, help: String) throws(Failure) -> Bool? {
    try input(
      name, nil, .flag, missing: nil,
      slot: Flag<Bool?>(withContrary: .text(help), name: name), value: \.wrappedValue
    ) { _ in nil }
  }

  /// A text of one line.
  ///
  /// - Parameter value: the word that stands for it in the help.
  package mutating func text(
    _ name: String, help: String, value: String, completion: Completion = .words([]),
    http: Offer? = nil
  ) throws(Failure) -> String? {
    try input(
      name, http, .text, missing: nil,
      slot: Option<String?>(name: name, help: .text(help, value: value), completion: completion),
      value: \.wrappedValue
    ) { $0.text.map(Optional.some) }
  }

  /// A text that is made a value, or refused by the name that its author wrote.
  package mutating func text<Value>(
    _ name: String, help: String, value: String, http: Offer? = nil,
    as convert: (_ text: String, _ name: String) throws(Failure) -> Value
  ) throws(Failure) -> Value? {
    guard let text = try text(name, help: help, value: value, http: http) else { return nil }
    return try convert(text, spelling(name))
  }

  /// A word of the command itself, which must be there.
  package mutating func argument(
    _ name: String, help: String, value: String, completion: Completion = .words([])
  ) throws(Failure) -> String {
    try input(
      name, nil, .text, missing: "",
      slot: Argument(
        wrappedValue: "", name: name, isRequired: true, help: .text(help, value: value),
        completion: completion),
      value: \.wrappedValue
    ) { $0.text }
  }

  /// A word of the command itself, which may be left out.
  package mutating func optionalArgument(
    _ name: String, help: String, value: String, completion: Completion = .words([])
  ) throws(Failure) -> String? {
    try input(
      name, nil, .text, missing: nil,
      slot: Argument<String?>(name: name, help: .text(help, value: value), completion: completion),
      value: \.wrappedValue
    ) { $0.text.map(Optional.some) }
  }

  /// The words of the command itself, any number of them.
  ///
  /// - Parameter usual: those that hold without one.
  package mutating func arguments<Value: ArgumentValue>(
    _ name: String, default usual: [Value] = [], help: String, value: String,
    completion: Completion = .words([])
  ) throws(Failure) -> [Value] {
    try input(
      name, nil, .list(of: .text), missing: usual,
      slot: Argument<[Value]>(
        wrappedValue: usual, name: name, help: .text(help, value: value), completion: completion),
      value: \.wrappedValue
    ) { _ in nil }
  }

  /// An option that may be repeated; an array in requests.
  package mutating func texts(
    _ name: String, help: String, value: String, completion: Completion = .words([]),
    http: Offer? = nil
  ) throws(Failure) -> [String] {
    try input(
      name, http, .list(of: .text), missing: [],
      slot: Option<[String]>(
        wrappedValue: [], name: name, help: .text(help, value: value), completion: completion),
      value: \.wrappedValue, convert: Self.texts)
  }

  /// Words behind one option, separated by commas; an array in requests. They are made a value, or refused by the name
  /// that their author wrote.
  package mutating func words<Value>(
    _ name: String, help: String, value: String, completion: Completion = .words([]),
    http: Offer? = nil, as convert: (_ words: [String], _ name: String) throws(Failure) -> Value
  ) throws(Failure) -> Value? {
    let words: [String]? = try input(
      name, http, .list(of: .text), missing: nil,
      slot: Option<String?>(name: name, help: .text(help, value: value), completion: completion),
      value: { place in
        place.wrappedValue.map {
          $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
      }, convert: { Self.texts($0).map(Optional.some) })
    guard let words else { return nil }
    return try convert(words, spelling(name))
  }

  /// One of a few words, or a number.
  package mutating func option<Value: ArgumentValue>(
    _ name: String, help: String, value: String, completion: Completion = .words([]),
    http: Offer? = nil
  ) throws(Failure) -> Value? {
    try input(
      name, http, .choice(Value.allArguments), missing: nil,
      slot: Option<Value?>(name: name, help: .text(help, value: value), completion: completion),
      value: \.wrappedValue
    ) { $0.text.flatMap { Value(argument: $0) }.map(Optional.some) }
  }

  /// The same, with a value that the option has by itself.
  ///
  /// - Parameter bare: the value of the option without a word.
  package mutating func option<Value: ArgumentValue>(
    _ name: String, bare: Value, help: String, value: String, completion: Completion = .words([])
  ) throws(Failure) -> Value? {
    try input(
      name, nil, .choice(Value.allArguments), missing: nil,
      slot: Option<Value?>(
        bare: bare, name: name, help: .text(help, value: value), completion: completion),
      value: \.wrappedValue
    ) { _ in nil }
  }

  /// The same, with a value that holds without one, and is shown in the help.
  package mutating func option<Value: ArgumentValue>(
    _ name: String, default usual: Value, help: String, value: String,
    completion: Completion = .words([]), http: Offer? = nil
  ) throws(Failure) -> Value {
    try input(
      name, http, Schema.choice(Value.allArguments).with("default", .string(usual.argument)),
      missing: usual,
      slot: Option<Value>(
        wrappedValue: usual, name: name, help: .text(help, value: value), completion: completion),
      value: \.wrappedValue
    ) { $0.text.flatMap { Value(argument: $0) } }
  }
}

/// Members of requests that no command line has.
extension Inputs {
  package mutating func requestFlag(_ name: String, _ offer: Offer) throws(Failure) -> Bool? {
    try request(name, offer, .flag) { if case .flag(let value) = $0 { value } else { nil } }
  }

  package mutating func requestText(_ name: String, _ offer: Offer) throws(Failure) -> String? {
    try request(name, offer, .text, \.text)
  }

  package mutating func requestNumber(_ name: String, _ offer: Offer) throws(Failure) -> Int? {
    try request(name, offer, .count) { $0.integer.flatMap { $0 < 0 ? nil : $0 } }
  }

  /// A text that is made a value, or refused.
  package mutating func requestText<Value>(
    _ name: String, _ offer: Offer, as convert: (String) -> Value?
  ) throws(Failure) -> Value? {
    try request(name, offer, .text) { $0.text.flatMap(convert) }
  }

  package mutating func requestTexts(_ name: String, _ offer: Offer) throws(Failure) -> [String] {
    try request(name, offer, .list(of: .text), Self.texts) ?? []
  }

  /// Texts that are made a value, or refused, also if the list is empty.
  package mutating func requestTexts<Value>(
    _ name: String, _ offer: Offer, as convert: ([String]) throws(Failure) -> Value
  ) throws(Failure) -> Value? {
    guard let texts = try request(name, offer, .list(of: .text), Self.texts) else { return nil }
    return try convert(texts)
  }

  private mutating func request<Value>(
    _ name: String, _ offer: Offer, _ schema: @autoclosure () -> Schema,
    _ convert: (JSONValue) -> Value?
  ) throws(Failure) -> Value? {
    try input(
      name, offer, schema(), missing: nil, slot: nil as Flag<Bool>?, value: { _ in nil }
    ) { convert($0).map(Optional.some) }
  }

  fileprivate static func texts(_ value: JSONValue) -> [String]? {
    guard case .array(let values) = value else { return nil }
    let texts = values.compactMap(\.text)
    return texts.count == values.count ? texts : nil
  }
}
