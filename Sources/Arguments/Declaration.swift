/// An argument as a command declares it.
package struct Declaration: Sendable {
  package enum Kind: String, Sendable {
    case positional
    case option
    case flag
  }

  package let kind: Kind
  /// The name without hyphens.
  package var name: String
  /// The name of the flag that means the contrary.
  package var contrary: String? { hasContrary ? "no-" + name : nil }
  package let help: Help
  let completion: Completion
  /// The text of the value that holds where the argument is missing.
  package internal(set) var fallback: String?
  /// The text of the value that an option without one has; `nil` where it needs one.
  package internal(set) var bareValue: String?
  package internal(set) var isRequired = false
  package internal(set) var isRepeating = false
  /// Refused if it is given twice, because a verdict would depend on which one holds.
  var isSingle = false
  /// Takes all words after its first one, options included.
  var takesRest = false
  package internal(set) var isHidden: Bool
  /// The title of its group in the help; `nil` for those of the command alone.
  package internal(set) var group: String?
  /// The values that it takes, where they are few.
  package internal(set) var values: [String] = []
  var hasContrary = false

  init(_ kind: Kind, _ name: String?, _ help: Help, _ completion: Completion = .words([])) {
    self.kind = kind
    self.name = name ?? ""
    self.help = help
    self.completion = completion
    isHidden = help.text.isEmpty
  }

  /// True for paths and the words of another program, which need not be text.
  var takesPaths: Bool {
    if takesRest { return true }
    return switch completion {
    case .file, .folder, .found: true
    case .words: false
    }
  }

  /// The values that the help lists: those of the type, or the few words of an option whose value may be left out.
  package var listedValues: [String] {
    guard values.isEmpty, bareValue != nil, case .words(let words) = completion else {
      return values
    }
    return words
  }

  /// The name as it is typed; that of a positional argument has no hyphens.
  package var spelling: String { kind == .positional ? name : "--" + name }

  /// The word that stands for the value.
  package var valueName: String { help.value ?? name }
}

/// The help of an argument: a text, or the key of a message, as the program decides.
package struct Help: Sendable, ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  package let text: String
  let value: String?

  package init(stringLiteral text: String) {
    self.text = text
    value = nil
  }

  package static func text(_ text: String, value: String? = nil) -> Help {
    Help(text: text, value: value)
  }

  private init(text: String, value: String?) {
    self.text = text
    self.value = value
  }

  /// No help: the argument is not listed.
  package static let hidden: Help = ""
}

package enum Completion: Sendable {
  case words([String])
  /// Files, or those with this ending.
  case file(ending: String? = nil)
  case folder
  /// Words that are looked for at that moment.
  case found(@Sendable () -> [String])
}
