/// A JSON value (RFC 8259), written in insertion order.
///
/// Foundation's encoder would dominate the start time of the program.
package enum JSON: Sendable, Equatable {
  case null
  case bool(Bool)
  case int(Int)
  case string(String)
  case array([JSON])
  case object([Member])

  package struct Member: Sendable, Equatable {
    package let name: String
    package let value: JSON

    package init(_ name: String, _ value: JSON) {
      self.name = name
      self.value = value
    }

    package init(_ name: String, _ value: String?) {
      self.init(name, value.map(JSON.string) ?? .null)
    }
    package init(_ name: String, _ value: Int?) { self.init(name, value.map(JSON.int) ?? .null) }
    package init(_ name: String, _ value: Bool) { self.init(name, .bool(value)) }
    package init(_ name: String, _ texts: [String]) {
      self.init(name, .array(texts.map(JSON.string)))
    }
    package init(_ name: String, objects: [[Member]]) {
      self.init(name, .array(objects.map(JSON.object)))
    }
  }

  /// The text, on one line.
  package var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .int(let value): String(value)
    case .string(let value): Self.quoted(value)
    case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
    case .object(let members):
      "{"
        + members.map { Self.quoted($0.name) + ":" + $0.value.text }.joined(separator: ",") + "}"
    }
  }

  /// A string with its quotation marks (RFC 8259 §7), with every character escaped that a terminal
  /// does not show, and bytes of names outside of UTF-8 as the text `\xHH`.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      if let escape = String.escapedByte(of: scalar) {
        result += "\\" + escape
        continue
      }
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case _ where scalar.isUnseen:
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
