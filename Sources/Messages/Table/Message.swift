/// A text of the table, and what goes into its placeholders; in every language of the table.
public struct Message: Sendable {
  /// What may go into a placeholder: a number, a name, another message.
  public typealias Argument = any CustomStringConvertible & Sendable

  /// Its row in the table.
  public let key: String
  private let arguments: [String: Argument]

  /// - Parameters:
  ///   - key: a row of the table; a test sees to it that it is there.
  ///   - arguments: by the names that stand in braces in that row. `count` also chooses among the forms of a number.
  public init(_ key: String, _ arguments: [String: Argument] = [:]) {
    self.key = key
    self.arguments = arguments
  }

  /// Whether the table has it.
  package var exists: Bool { MessageTable.shared.has(key) }

  /// The text in a language; the key, should the table not have it.
  public func callAsFunction(_ language: Language) -> String {
    let count = arguments["count"]?.description
    guard let text = MessageTable.shared.text(of: key, in: language, count: count) else {
      return key
    }
    return filled(text, language)
  }

  /// The same with what a certain program adds to it, such as the names of its options, where the table has that.
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
      switch arguments[String(name)] {
      case let message as Message: result += message(language) + part.dropFirst(name.count + 1)
      case let argument?: result += argument.description + part.dropFirst(name.count + 1)
      case nil: result += "{" + part
      }
    }
  }
}

extension Message: CustomStringConvertible {
  /// The English text.
  public var description: String { self(.english) }
}

/// A language that the table of messages has. What scripts read is the same in all of them.
public struct Language: RawRepresentable, Hashable, Sendable, CaseIterable {
  /// Its code (ISO 639-1).
  public let rawValue: String

  /// - Returns: `nil` for a language that the table does not have.
  public init?(rawValue: String) {
    guard let language = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = language
  }

  private init(_ code: String) { rawValue = code }

  /// Those in which the row `language` gives its name.
  public static let allCases = MessageTable.shared.languages(of: "language").map(Language.init)

  /// The one for everybody whose own is not in the table.
  public static let english = Language("en")

  /// The language of a locale such as `it_IT.UTF-8`.
  public init(locale: String?) {
    self = Self.allCases.first { locale?.hasPrefix($0.rawValue) == true } ?? .english
  }
}
