// Deliberately written apart from CIECard.

/// A text file of a persona: a `name: value` a line; a line without a colon, and one that starts with #, is for people.
///
/// No JSON, because there is no reader for it without Foundation, and these files need no more.
struct PersonaText {
  private let lines: [(name: Substring, value: String)]

  init(_ bytes: [UInt8]) {
    lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      guard !line.hasPrefix("#"), let colon = line.firstIndex(of: ":") else { return nil }
      return (line[..<colon], String(line[line.index(after: colon)...].drop { $0 == " " }))
    }
  }

  /// The first value of this name; empty when there is none.
  subscript(name: String) -> String { values(name).first ?? "" }

  /// All values of this name, in order.
  func values(_ name: String) -> [String] { lines.filter { $0.name == name }.map(\.value) }

  /// The `label=value` words of a value.
  static func words(_ value: String) -> [String: String] {
    var words: [String: String] = [:]
    for word in value.split(separator: " ") {
      let sides = word.split(separator: "=", maxSplits: 1)
      if sides.count == 2 { words[String(sides[0])] = String(sides[1]) }
    }
    return words
  }
}
