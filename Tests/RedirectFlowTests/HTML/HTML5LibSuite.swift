import Foundation
import TestSupport

@testable import RedirectFlow

/// The tests of html5lib: those in `Tests/Vectors`, or the whole suite in the folder that `CIE_HTML5LIB` names.
enum HTML5LibSuite {
  static var isWhole: Bool { ProcessInfo.processInfo.environment["CIE_HTML5LIB"] != nil }

  private static func files(_ folder: String, _ suffix: String) throws -> [String] {
    let whole = ProcessInfo.processInfo.environment["CIE_HTML5LIB"]
    let root =
      whole.map { URL(fileURLWithPath: $0) } ?? Repository.url("Tests/Vectors/html5lib")
    let place = root.appendingPathComponent(folder)
    return try FileManager.default.contentsOfDirectory(atPath: place.path).sorted()
      .filter { $0.hasSuffix(suffix) }
      .map {
        try String(decoding: Data(contentsOf: place.appendingPathComponent($0)), as: UTF8.self)
      }
  }

  /// A page and its tree, in the suite's notation.
  struct TreeCase {
    let page: String
    let tree: String
  }

  /// The cases of whole pages without scripts.
  static func trees() throws -> [TreeCase] {
    try files("tree-construction", ".dat").flatMap { file in
      ("\n\n" + file).components(separatedBy: "\n\n#data\n").dropFirst().compactMap(treeCase)
    }
  }

  private static func treeCase(_ text: String) -> TreeCase? {
    var sections: [String: [String]] = [:]
    var section = "#data"
    for line in text.components(separatedBy: "\n") {
      let isTitle = [
        "#errors", "#new-errors", "#document-fragment", "#script-off", "#script-on", "#document",
      ].contains(line)
      if isTitle { section = line }
      sections[section, default: []] += isTitle ? [] : [line]
    }
    guard sections["#document-fragment"] == nil, sections["#script-on"] == nil else { return nil }
    return TreeCase(
      page: (sections["#data"] ?? []).joined(separator: "\n"),
      tree: normalized((sections["#document"] ?? []).joined(separator: "\n")))
  }

  /// A tree with its attributes in the order of their names, and all that is SVG's or MathML's in lower case: the
  /// reader's names are, because it has no use for others.
  static func normalized(_ tree: String) -> String {
    var lines: [String] = []
    var attributes: [String] = []
    for line in tree.components(separatedBy: "\n") {
      let content = line.drop { $0 == "|" || $0 == " " }
      if line.hasPrefix("| "), let first = content.first, !"\"<".contains(first),
        let end = content.firstIndex(of: "=")
      {
        let name = content[..<end].lowercased().replacingOccurrences(of: " ", with: ":")
        attributes.append(line.prefix(line.count - content.count) + name + content[end...])
        continue
      }
      lines += attributes.sorted()
      attributes = []
      let isForeign = content.hasPrefix("<svg ") || content.hasPrefix("<math ")
      lines.append(isForeign ? line.lowercased() : line)
    }
    lines += attributes.sorted()
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines.joined(separator: "\n")
  }

  /// The tree of a page, in the suite's notation.
  static func tree(of page: String) throws -> String {
    var builder = TreeBuilder(Array(page.utf8), keepingComments: true)
    try builder.build()
    return normalized(lines(builder.tree, HTMLTree.document, 0).joined(separator: "\n"))
  }

  private static func lines(_ tree: HTMLTree, _ parent: Int, _ depth: Int) -> [String] {
    let indent = "| " + String(repeating: "  ", count: depth)
    return tree.nodes[parent].children.flatMap { number -> [String] in
      let node = tree.nodes[number]
      switch node.kind {
      case .document: return []
      case .text: return ["\(indent)\"\(node.text)\""]
      case .comment: return ["\(indent)<!-- \(node.text) -->"]
      case .doctype:
        return ["\(indent)<!DOCTYPE \(node.name)\(node.text.isEmpty ? "" : " " + node.text)>"]
      case .element:
        let attributes = node.attributes.map { "\(indent)  \($0.key)=\"\($0.value)\"" }
        let isTemplate = tree.isHTML(number, "template")
        return ["\(indent)<\(node.namespace.rawValue)\(node.name)>"] + attributes
          + (isTemplate ? ["\(indent)  content"] : [])
          + lines(tree, number, depth + (isTemplate ? 2 : 1))
      }
    }
  }
}

/// The suite's cases of tokens.
extension HTML5LibSuite {
  /// A text, the state in which it is read, and its tokens as JSON with sorted keys.
  struct TokenCase {
    let text: String
    let state: String
    let lastStart: String
    let tokens: String
  }

  static func tokens() throws -> [TokenCase] {
    try files("tokenizer", ".test").flatMap { file -> [TokenCase] in
      let object = try JSONSerialization.jsonObject(with: Data(file.utf8)) as? [String: Any]
      return (object?["tests"] as? [[String: Any]] ?? []).flatMap(tokenCases)
    }
  }

  private static func tokenCases(_ test: [String: Any]) -> [TokenCase] {
    let isEscaped = test["doubleEscaped"] as? Bool == true
    guard let written = test["input"] as? String, let output = test["output"] as? [Any],
      // Halves of a pair are no characters: they do not come out of a decoded page.
      let text = isEscaped ? unescaped(written) : written
    else { return [] }
    var tokens = merged(output.compactMap { $0 as? [Any] })
    if isEscaped { tokens = tokens.map { $0.map(unescaped) } }
    return (test["initialStates"] as? [String] ?? ["Data state"]).map {
      TokenCase(
        text: text, state: $0, lastStart: test["lastStartTag"] as? String ?? "",
        tokens: json(tokens))
    }
  }

  private static func unescaped(_ value: Any) -> Any {
    if let text = value as? String { return unescaped(text) ?? text }
    guard let members = value as? [String: String] else { return value }
    return Dictionary(
      uniqueKeysWithValues: members.map { (unescaped($0) ?? $0, unescaped($1) ?? $1) })
  }

  /// Resolves `\uXXXX`; `nil` for half a pair.
  private static func unescaped(_ text: String) -> String? {
    let parts = text.components(separatedBy: "\\u")
    var units = Array((parts.first ?? "").utf16)
    for part in parts.dropFirst() {
      guard let unit = UInt16(part.prefix(4), radix: 16) else { return nil }
      units += [unit] + part.dropFirst(4).utf16
    }
    return String(validating: units, as: UTF16.self)
  }

  private static func merged(_ tokens: [[Any]]) -> [[Any]] {
    tokens.reduce(into: []) { merged, token in
      if token.first as? String == "Character", merged.last?.first as? String == "Character",
        let before = merged.last?.last as? String, let text = token.last as? String
      {
        merged[merged.count - 1] = ["Character", before + text]
      } else {
        merged.append(token)
      }
    }
  }

  private static func json(_ tokens: [[Any]]) -> String {
    let data = try? JSONSerialization.data(withJSONObject: tokens, options: [.sortedKeys])
    return String(decoding: data ?? Data(), as: UTF8.self)
  }

  /// The tokens of a text, in the suite's notation.
  static func tokens(of test: TokenCase) throws -> String {
    let isCDATA = test.state == "CDATA section state"
    var tokenizer = HTMLTokenizer(Array(((isCDATA ? "<![CDATA[" : "") + test.text).utf8))
    tokenizer.allowsCDATA = isCDATA
    tokenizer.lastStart = test.lastStart
    let states: [String: HTMLTokenizer.Content] = [
      "RCDATA state": .escapableText, "RAWTEXT state": .rawText, "Script data state": .script,
      "PLAINTEXT state": .plainText,
    ]
    tokenizer.content = states[test.state] ?? .data
    var tokens: [[Any]] = []
    while let token = try tokenizer.next() { tokens.append(written(token)) }
    return json(merged(tokens))
  }

  private static func written(_ token: HTMLToken) -> [Any] {
    switch token {
    case .doctype(let type):
      let parts = [type.name, type.publicIdentifier, type.systemIdentifier]
      return ["DOCTYPE"] + parts.map { $0 ?? NSNull() as Any } + [!type.isBroken]
    case .start(let tag):
      return ["StartTag", tag.name, tag.attributes] + (tag.isSelfClosing ? [true] : [])
    case .end(let name): return ["EndTag", name]
    case .comment(let text): return ["Comment", text]
    case .text(let text): return ["Character", text]
    }
  }
}
