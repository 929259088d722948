internal import Primitives

/// A message of the browser: the answer to a command, or an event.
enum DevToolsMessage: Sendable {
  /// The result of the command with this number; `nil` when it failed.
  case answer(to: Int, JSONValue?)
  case event(DevToolsEvent)

  /// Reads a message without the zero at its end; `nil` for an invalid one.
  init?(_ bytes: [UInt8]) {
    guard let value = try? JSONValue(bytes) else { return nil }
    if let number = value["id"]?.integer {
      self = .answer(to: number, value["result"])
    } else if let name = value["method"]?.text, let values = value["params"] {
      self = .event(DevToolsEvent(name: name, session: value["sessionId"]?.text, values: values))
    } else {
      return nil
    }
  }
}

struct DevToolsEvent: Sendable {
  /// `Domain.event`.
  let name: String
  /// The session with a tab that it belongs to; `nil` for the browser as a whole.
  let session: String?
  let values: JSONValue
}
