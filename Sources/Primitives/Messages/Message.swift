internal import Glibc

/// A row of the table of messages with the values of its placeholders. The module `Messages` has its text in every
/// language.
public struct Message: Sendable {
  /// A value of a placeholder: a name, another message, or a number, a date or a moment in the language's format.
  public typealias Argument = any CustomStringConvertible & Sendable

  /// Its row in the table.
  public let key: String
  package let arguments: [String: Argument]
  /// The message to show if the table lacks the row; at most one.
  package let substitutes: [Message]

  /// - Parameters:
  ///   - key: a row of the table; a test checks that it exists.
  ///   - arguments: by the names that stand in braces in that row. `count` also chooses among the forms of a number.
  public init(_ key: String, _ arguments: [String: Argument] = [:]) {
    self.init(key, arguments, substitutes: [])
  }

  /// - Parameter substitutes: at most one, which is shown if the table lacks the row.
  init(_ key: String, _ arguments: [String: Argument], substitutes: [Message]) {
    self.key = key
    self.arguments = arguments
    self.substitutes = substitutes
  }
}

extension Message {
  /// In the place of a path, where an error does not have one.
  package static var thisFile: Message { Message("this-file") }
}

extension Message: Equatable {
  /// True if both are the same text in every language.
  public static func == (one: Message, other: Message) -> Bool {
    guard one.key == other.key, one.substitutes == other.substitutes,
      one.arguments.count == other.arguments.count
    else { return false }
    return one.arguments.allSatisfy { name, value in
      guard let second = other.arguments[name] else { return false }
      if let value = value as? Message { return value == second as? Message }
      return "\(value)" == "\(second)"
    }
  }
}

extension Message: CustomStringConvertible {
  /// The key; the text is `message(.english)`, with `Messages`.
  public var description: String { key }
}

extension SystemError {
  /// The system's text for the error number: in the person's language for the common ones, else in English, as by
  /// strerror(3).
  package var reason: Message.Argument {
    guard let name = Self.names[code] else { return message }
    return Message("system.\(name)")
  }

  private static let names = [
    ENOENT: "ENOENT", EACCES: "EACCES", EPERM: "EPERM", EISDIR: "EISDIR", ENOTDIR: "ENOTDIR",
    ENOSPC: "ENOSPC", EROFS: "EROFS", EIO: "EIO",
  ]
}
