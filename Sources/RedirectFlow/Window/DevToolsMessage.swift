internal import Primitives

/// A value in a command (Chrome DevTools Protocol).
enum DevToolsValue: Sendable {
  case text(String)
  case number(Int)
  case flag(Bool)
  case list([DevToolsValue])
  case object([(name: String, value: DevToolsValue)])

  /// As JSON (RFC 8259).
  var json: String {
    switch self {
    case .text(let text): Self.quoted(text)
    case .number(let number): "\(number)"
    case .flag(let flag): flag ? "true" : "false"
    case .list(let values): "[" + values.map(\.json).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { Self.quoted($0.name) + ":" + $0.value.json }.joined(separator: ",") + "}"
    }
  }

  /// RFC 8259 §7; also escapes zero, which ends a message.
  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\" + String(scalar)
      case ..<" ":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

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
