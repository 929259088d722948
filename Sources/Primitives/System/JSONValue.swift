/// A syntax error in JSON, with its offset in bytes.
package struct JSONProblem: Error, Sendable, Hashable {
  package let offset: Int
}

/// A JSON value (RFC 8259) from a small hand-written file or from a browser's message.
///
/// Members stay in a list, so that repeated names are noticed.
package enum JSONValue: Sendable {
  case string(String)
  case array([JSONValue])
  case object([(name: String, value: JSONValue)])
  /// A number, as written.
  case number(String)
  case flag(Bool)
  case null

  /// Parses exactly one value, with nothing but white space around it.
  package init(_ bytes: [UInt8]) throws(JSONProblem) {
    var reader = JSONReader(bytes)
    self = try reader.value(depth: 0)
    try reader.finish()
  }

  /// The member of an object with this name, if there is exactly one.
  package subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    let found = members.filter { $0.name == name }
    return found.count == 1 ? found.first?.value : nil
  }

  package var text: String? { if case .string(let text) = self { text } else { nil } }

  /// True only for the literal `true`.
  package var isTrue: Bool { if case .flag(true) = self { true } else { false } }

  /// A number without fraction and exponent.
  package var integer: Int? { if case .number(let text) = self { Int(text) } else { nil } }
}

/// Parses JSON from left to right; every step advances or throws.
private struct JSONReader {
  private static let depthLimit = 16
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  private var problem: JSONProblem { JSONProblem(offset: rest.startIndex) }

  private mutating func skipSpace() {
    rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
  }

  /// Consumes these bytes if they come next.
  private mutating func take(_ text: StaticString) -> Bool {
    let expected = "\(text)".utf8
    guard rest.starts(with: expected) else { return false }
    rest = rest.dropFirst(expected.count)
    return true
  }

  mutating func finish() throws(JSONProblem) {
    skipSpace()
    guard rest.isEmpty else { throw problem }
  }

  mutating func value(depth: Int) throws(JSONProblem) -> JSONValue {
    guard depth < Self.depthLimit else { throw problem }
    skipSpace()
    if take("null") { return .null }
    if take("true") { return .flag(true) }
    if take("false") { return .flag(false) }
    if take("\"") { return .string(try string()) }
    if take("[") { return .array(try elements(depth: depth + 1)) }
    if take("{") { return .object(try members(depth: depth + 1)) }
    return .number(try number())
  }

  private mutating func elements(depth: Int) throws(JSONProblem) -> [JSONValue] {
    var elements: [JSONValue] = []
    skipSpace()
    if take("]") { return elements }
    while true {
      elements.append(try value(depth: depth))
      skipSpace()
      if take("]") { return elements }
      guard take(",") else { throw problem }
    }
  }

  private mutating func members(
    depth: Int
  ) throws(JSONProblem) -> [(name: String, value: JSONValue)] {
    var members: [(name: String, value: JSONValue)] = []
    skipSpace()
    if take("}") { return members }
    while true {
      skipSpace()
      guard take("\"") else { throw problem }
      let name = try string()
      skipSpace()
      guard take(":") else { throw problem }
      members.append((name, try value(depth: depth)))
      skipSpace()
      if take("}") { return members }
      guard take(",") else { throw problem }
    }
  }

  /// RFC 8259 §6: no leading zeros, digits around the point and after the exponent.
  private mutating func number() throws(JSONProblem) -> String {
    let start = rest
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
    return String(decoding: start[..<rest.startIndex], as: UTF8.self)
  }

  private mutating func digits() throws(JSONProblem) {
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard !digits.isEmpty else { throw problem }
    rest = rest.dropFirst(digits.count)
  }

  /// Parses the rest of a string, after its opening quotation mark, including the closing one (RFC
  /// 8259 §7).
  private mutating func string() throws(JSONProblem) -> String {
    let start = problem
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: bytes, as: UTF8.self) else { throw start }
        return text
      case UInt8(ascii: "\\"): bytes += try escape()
      case ..<0x20: throw problem
      default: bytes.append(byte)
      }
    }
    throw problem
  }

  private mutating func escape() throws(JSONProblem) -> [UInt8] {
    switch rest.popFirst() {
    case UInt8(ascii: "\""): return [UInt8(ascii: "\"")]
    case UInt8(ascii: "\\"): return [UInt8(ascii: "\\")]
    case UInt8(ascii: "/"): return [UInt8(ascii: "/")]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"): return [UInt8](String(Character(try codePoint())).utf8)
    default: throw problem
    }
  }

  /// One UTF-16 unit, or two when the first begins a surrogate pair.
  private mutating func codePoint() throws(JSONProblem) -> Unicode.Scalar {
    let first = try unit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, take("\\u") else { throw problem }
    let second = try unit()
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw problem }
    return scalar
  }

  private mutating func unit() throws(JSONProblem) -> UInt32 {
    let digits = rest.prefix(4).compactMap(UInt8.init(hexadecimalDigit:))
    guard digits.count == 4 else { throw problem }
    rest = rest.dropFirst(4)
    return digits.reduce(0) { $0 << 4 | UInt32($1) }
  }
}
