/// The facts that can be read from a script without running it.
struct PageScript: Sendable {
  /// Names to which string literals are assigned, as in `var a = "…"`, with all their values.
  let constants: [String: Set<String>]
  /// Names that the script percent-encodes where it uses them: `encodeURIComponent(a)`.
  let encodedNames: Set<String>
  /// The string literals to which it sends the page, as in `location.href = "…"`, or which it opens.
  let targets: [String]
  /// The form submitted when the script runs, outside of its functions; `nil` when it submits no form.
  let submission: Submission?
  /// The target of the page when the script runs, outside of its functions and conditions; `nil` when it stays.
  let navigation: String?

  /// The expression by which a script names the form that it submits.
  enum Submission: Sendable, Equatable {
    /// `document.forms[0]`
    case index(Int)
    /// `document.forms["name"]`, `document.getElementById("id")`, `document.name`
    case name(String)
  }

  init(_ script: String) {
    let tokens = ScriptToken.tokens(of: script)
    constants = Self.constants(in: tokens)
    encodedNames = Self.encodedNames(in: tokens)
    targets = Self.targets(in: tokens)
    submission = Self.submission(in: tokens)
    navigation = Self.navigation(in: tokens)
  }

  private static func constants(in tokens: [ScriptToken]) -> [String: Set<String>] {
    var found: [String: Set<String>] = [:]
    for (index, token) in tokens.enumerated() {
      guard case .word(let name) = token, tokens.at(index + 1) == .mark("="),
        case .string(let value) = tokens.at(index + 2),
        // Skips a property of another object, and a part of a value.
        tokens.at(index - 1) != .mark("."), ends(tokens.at(index + 3))
      else { continue }
      found[name, default: []].insert(value)
    }
    return found
  }

  private static func encodedNames(in tokens: [ScriptToken]) -> Set<String> {
    let found = tokens.indices.compactMap { index -> String? in
      guard tokens[index] == .word("encodeURIComponent"),
        tokens.at(index + 1) == .mark("("),
        case .word(let name) = tokens.at(index + 2),
        tokens.at(index + 3) == .mark(")")
      else { return nil }
      return name
    }
    return Set(found)
  }

  /// Complete addresses only: one put together from parts is no literal.
  private static func targets(in tokens: [ScriptToken]) -> [String] {
    tokens.indices.compactMap { index in
      guard case .word(let name) = tokens[index], case .mark(let mark) = tokens.at(index + 1),
        case .string(let value) = tokens.at(index + 2)
      else { return nil }
      let isAssigned =
        ["href", "location"].contains(name) && mark == "=" && ends(tokens.at(index + 3))
      let isOpened =
        ["assign", "replace", "open"].contains(name) && mark == "("
        && [.mark(")"), .mark(",")].contains(tokens.at(index + 3))
      return isAssigned || isOpened ? value : nil
    }
  }

  /// Checks whether a value is complete when this token follows.
  private static func ends(_ token: ScriptToken?) -> Bool {
    switch token {
    case nil, .newline, .mark(";"), .mark(","), .mark("}"): true
    case .mark, .word, .string: false
    }
  }

  /// The places outside of functions and blocks.
  private static func topLevel(of tokens: [ScriptToken]) -> [Int] {
    var depth = 0
    return tokens.indices.filter { index in
      if tokens[index] == .mark("{") { depth += 1 }
      if tokens[index] == .mark("}") { depth -= 1 }
      return depth == 0
    }
  }

  private static func submission(in tokens: [ScriptToken]) -> Submission? {
    let call = topLevel(of: tokens).first { index in
      tokens[index] == .word("submit") && tokens.at(index - 1) == .mark(".")
        && tokens.at(index + 1) == .mark("(")
    }
    return call.map { form(before: $0 - 1, in: tokens) }
  }

  /// `location = "…"`, `location.href = "…"`, `location.assign("…")` or `location.replace("…")` as a separate
  /// statement, of the window itself.
  private static func navigation(in tokens: [ScriptToken]) -> String? {
    topLevel(of: tokens).lazy
      .filter { tokens[$0] == .word("location") && startsStatement($0, in: tokens) }
      .compactMap { target(after: $0, in: tokens) }.first
  }

  /// Checks that no token which could be a condition precedes a word and its optional `window.`.
  private static func startsStatement(_ index: Int, in tokens: [ScriptToken]) -> Bool {
    var start = index
    while tokens.at(start - 1) == .mark("."),
      case .word(let owner) = tokens.at(start - 2),
      ["window", "self", "top", "parent", "document"].contains(owner)
    {
      start -= 2
    }
    switch tokens.prefix(start).last(where: { $0 != .newline }) {
    case nil, .mark(";"), .mark("}"): return true
    // Without a semicolon a statement ends with its line.
    case .string, .mark("]"): return tokens.at(start - 1) == .newline
    case .word(let word): return tokens.at(start - 1) == .newline && !["else", "do"].contains(word)
    case .mark, .newline: return false
    }
  }

  private static func target(after index: Int, in tokens: [ScriptToken]) -> String? {
    var next = index + 1
    var mark: Unicode.Scalar = "="
    if tokens.at(next) == .mark(".") {
      switch tokens.at(next + 1) {
      case .word("href"): break
      case .word("assign"), .word("replace"): mark = "("
      default: return nil
      }
      next += 2
    }
    guard tokens.at(next) == .mark(mark), case .string(let target) = tokens.at(next + 1) else {
      return nil
    }
    return mark == "(" || ends(tokens.at(next + 2)) ? target : nil
  }

  /// The form whose `.submit()` has its dot here; the first one when the script does not name it plainly.
  private static func form(before dot: Int, in tokens: [ScriptToken]) -> Submission {
    switch (tokens.at(dot - 2), tokens.at(dot - 1)) {
    case (.word(let number), .mark("]")): .index(Int(number) ?? 0)
    case (.string(let name), .mark("]")), (.string(let name), .mark(")")): .name(name)
    case (_, .word(let name)): .name(name)
    default: .index(0)
    }
  }
}

extension [ScriptToken] {
  fileprivate func at(_ index: Int) -> ScriptToken? {
    indices.contains(index) ? self[index] : nil
  }
}
