import Foundation
import TestSupport

/// A place in the code that names a row of the table, or two of which it takes one.
struct MessageCall {
  /// A key in the code, perhaps with an interpolation.
  struct Key {
    let text: String
    /// True without an interpolation.
    let isWhole: Bool
    /// The text between the interpolations.
    private let parts: [Substring]

    init(text: String) {
      self.text = text
      isWhole = !text.contains(#"\("#)
      parts = text.split(
        separator: /\\\([^()]*(\([^()]*\))?[^()]*\)/, omittingEmptySubsequences: false)
    }

    /// Checks whether it can mean a row.
    func fits(_ row: String) -> Bool {
      guard !isWhole else { return row == text }
      guard let first = parts.first, let last = parts.last, parts.count > 1 else { return false }
      return row.hasPrefix(first) && row.hasSuffix(last) && row.count > first.count + last.count
    }
  }

  let text: String
  let keys: [Key]
  /// True if the row has another with the advice.
  let isError: Bool
  let isCommand: Bool
  /// True if the advice is given apart from the row.
  let hasAdvice: Bool
  /// The names of the placeholders' values; `nil` when they are not visible here.
  let names: Set<String>?

  /// All calls in a folder.
  static func all(in folder: String) throws -> [MessageCall] {
    let files = FileManager.default.enumerator(atPath: Repository.path(folder))
    return try (files?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".swift") }.flatMap {
      let code = try String(contentsOf: Repository.url("\(folder)/\($0)"), encoding: .utf8)
      return calls(in: code.replacing(/(?m)^ *\/\/.*$/, with: ""))
    }
  }

  /// The functions that take a key first, those that take the name of an error, and those that take it after a name.
  private static func calls(in code: String) -> [MessageCall] {
    let heads =
      /(?:\b(Message|text|add|addList|frame|SubcommandGroup)|\b(Diagnosis|init|refused|untrusted|network|demand|usage|list|signer|cardRefused)|\b(CommandConfiguration)|\b(ReportReason))\((?=\s*["._a-zA-Z])/
    // The help of a function's input is the row itself, also where it is a parameter.
    let helps = code.matches(of: /(?:\bhelp: |(?=["]option\.))"([^"]+)"/).map { match in
      MessageCall(
        text: String(match.0), keys: [Key(text: String(match.1))], isError: false, isCommand: false,
        hasAdvice: false, names: nil)
    }
    // In the standard's definition a word continues after a full stop: `self.init`.
    return helps
      + code.matches(of: heads.wordBoundaryKind(.simple)).compactMap { match -> MessageCall? in
        let before = code[..<match.range.lowerBound]
        // The first argument of `inputs.text` is the option's name.
        guard !before.hasSuffix("func "), !before.hasSuffix("inputs.") else { return nil }
        let call = String(code[match.range.lowerBound..<end(of: match.range.upperBound, in: code)])
        let arguments = String(call.drop { $0 != "(" }.dropFirst().dropLast())
        // The arguments of a nested message belong to that one.
        let own = arguments.replacing(/Message\((?:[^()]|\([^()]*\))*\)/, with: "…")
        let isError = match.2 != nil
        if match.2 == "init", !own.contains(/^\s*(\.[a-zA-Z]+|role|kind|cause\.kind|step\.[^,]*),/)
        {
          return nil
        }
        if match.1 == "add", !own.contains(/^\s*"document\./) { return nil }
        var keys: [String] = []
        if match.4 != nil {
          keys = literals(own, 1).map { "reason.\($0)" }
        } else if match.3 != nil {
          keys = literals(own, 2).filter { $0.hasPrefix("command.") }
        } else if !isError {
          let first = String(own.prefix { $0 != "," })
          keys = first.contains(#"\("#) ? literals(own, 1) : literals(first, 2)
        } else if let key = own.firstMatch(of: #/key:((?:[^,"]|"(?:[^"\\]|\\.)*")*)/#) {
          keys = literals(String(key.1), 2)
        } else if call.hasPrefix("cardRefused") {
          keys = literals(own, 1).map { "server-says-\($0)" }
        } else {
          keys = literals(String(own.prefix { $0 != "[" }), 1)
        }
        guard !keys.isEmpty, keys.allSatisfy({ $0.contains(/^[a-z\\]/) && !$0.contains(" ") })
        else { return nil }
        let given = own.matches(of: #/"([a-z]+)":/#).map { String($0.1) }
        return MessageCall(
          text: call, keys: keys.map(Key.init(text:)), isError: isError, isCommand: match.3 != nil,
          hasAdvice: own.contains(/^role|advice:/)
            || !call.hasPrefix("init") && !call.hasPrefix("Diag"),
          names: own.contains(/^role|arguments/) ? nil : Set(given))
      }
  }

  private static func literals(_ code: String, _ count: Int) -> [String] {
    code.matches(of: /"((?:[^"\\]|\\\((?:[^()]|\([^()]*\))*\)|\\.)*)"/).prefix(count)
      .map { String($0.1) }
  }

  /// The place after the parenthesis that closes the one before `start`.
  private static func end(of start: String.Index, in code: String) -> String.Index {
    var (depth, index) = (1, start)
    while depth > 0, index < code.endIndex {
      if code[index] == "(" { depth += 1 }
      if code[index] == ")" { depth -= 1 }
      index = code.index(after: index)
    }
    return index
  }
}
