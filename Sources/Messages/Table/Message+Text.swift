public import Primitives

extension Message {
  /// True if the table has it.
  package var exists: Bool { MessageTable.shared.has(key) }

  /// The keys of the table that begin so, in no order.
  package static func keys(beginning prefix: String) -> [String] {
    MessageTable.shared.keys(beginning: prefix)
  }

  /// The text in a language, in English if it is not translated; the key, if the table lacks it.
  public func callAsFunction(_ language: Language) -> String {
    let message = present
    let count = message.arguments["count"].flatMap { Int($0.description) }
    guard let text = MessageTable.shared.text(of: message.key, in: language, count: count) else {
      return key
    }
    return message.filled(text, language)
  }

  /// The message with a program's additions, such as the names of its options, if the table has them.
  public func asTold(by program: String) -> Message {
    let message = present
    let own = "\(message.key)@\(program)"
    let told = message.arguments.mapValues { ($0 as? Message)?.asTold(by: program) ?? $0 }
    return Message(MessageTable.shared.has(own) ? own : message.key, told)
  }

  /// The message itself if the table has it, else its substitute if there is one.
  private var present: Message { exists ? self : substitutes.first?.present ?? self }

  private func filled(_ text: String, _ language: Language) -> String {
    guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
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
    case let date as any CalendarDate: language.text(date)
    case let time as UTCTime: language.text(time)
    case let moment as LocalMoment: language.text(moment)
    case let number as Int: language.text(number)
    default: argument.description
    }
  }
}

extension Diagnosis: EnglishText {
  package var english: String {
    let event = what(.english)
    return "\(event.prefix(1).uppercased())\(event.dropFirst()) \(advice(.english))"
  }
}
