import CIECard

/// A text of the table with the values of its placeholders, in every language of the table.
public struct Message: Sendable {
  /// A value of a placeholder: a name, another message, or a number, a date or a moment in the language's format.
  public typealias Argument = any CustomStringConvertible & Sendable

  /// Its row in the table.
  public let key: String
  private let arguments: [String: Argument]

  /// - Parameters:
  ///   - key: a row of the table; a test checks that it exists.
  ///   - arguments: by the names that stand in braces in that row. `count` also chooses among the forms of a number.
  public init(_ key: String, _ arguments: [String: Argument] = [:]) {
    self.key = key
    self.arguments = arguments
  }

  /// True if the table has it.
  package var exists: Bool { MessageTable.shared.has(key) }

  /// The text in a language; the key, if the table lacks it.
  public func callAsFunction(_ language: Language) -> String {
    let count = arguments["count"].flatMap { Int($0.description) }
    let form = count.flatMap(language.form)
    guard let text = MessageTable.shared.text(of: key, in: language, form: form) else {
      return key
    }
    return filled(text, language)
  }

  /// The message with a program's additions, such as the names of its options, if the table has them.
  public func asTold(by program: String) -> Message {
    let own = "\(key)@\(program)"
    let told = arguments.mapValues { ($0 as? Message)?.asTold(by: program) ?? $0 }
    return Message(MessageTable.shared.has(own) ? own : key, told)
  }

  private func filled(_ text: String, _ language: Language) -> String {
    guard text.contains("{") else { return text }
    let parts = text.split(separator: "{", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(into: String(parts.first ?? "")) { result, part in
      let name = part.prefix { $0 != "}" }
      guard let argument = arguments[String(name)] else { return result += "{" + part }
      result += Self.text(argument, language) + part.dropFirst(name.count + 1)
    }
  }

  private static func text(_ argument: Argument, _ language: Language) -> String {
    switch argument {
    case let message as Message: message(language)
    case let date as MRZ.PartialDate: language.text(date)
    case let time as UTCTime: language.text(time)
    case let number as Int: language.text(number)
    default: argument.description
    }
  }
}

extension Message: CustomStringConvertible {
  /// The English text.
  public var description: String { self(.english) }
}
