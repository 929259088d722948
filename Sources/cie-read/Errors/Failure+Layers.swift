import Arguments
import CardWork
import DocumentSigning
package import Messages
package import RedirectFlow
import VirtualCIE

extension Failure {
  static func login(_ error: LoginError) -> Failure { .above(error) }

  /// A signed file that cannot be judged.
  static func signedFile(_ error: DocumentError, path: String) -> Failure {
    .found(Diagnosis(error, path: path, isSigning: false))
  }

  /// A document that is not signed.
  static func signing(_ error: DocumentError, path: String) -> Failure {
    .found(Diagnosis(error, path: path, isSigning: true))
  }

  var login: LoginError? {
    if case .above(let error as LoginError) = self { error } else { nil }
  }
}

extension LoginError: DiagnosedError {
  package var diagnosis: Diagnosis { Diagnosis(self) }
  package var isInterruption: Bool { cause == .cancelled }
}

extension Failure {
  /// The name and message of a problem that the parser has with a command line.
  static func usage(_ error: ParsingError) -> Failure {
    switch error.reason {
    case .unknownOption(nil, _): usage("unknown-option")
    case .unknownOption(let name?, nil):
      usage("unknown-option", ["name": name], key: "unknown-option-named")
    case .unknownOption(let name?, let meant?):
      usage("unknown-option", ["name": name, "meant": meant], key: "unknown-option-meant")
    case .missingValue(let option):
      usage("missing-value", ["name": option], key: "missing-value-named")
    case .badValue("--virtual", _, _):
      usage(
        "unknown-persona",
        ["personas": Persona.everyone.map(\.identifier).joined(separator: ", ")])
    case .badValue(let option, let word, let choices) where !choices.isEmpty:
      usage(
        "bad-value",
        ["name": word ?? option ?? "…", "choices": choices.joined(separator: ", ")],
        key: word == nil ? "bad-value-of" : "bad-value-word")
    case .badValue(let option?, _, _):
      usage("bad-value", ["name": option], key: "bad-value-named")
    case .badValue(nil, _, _): usage("bad-value")
    case .repeatedOption(let name): usage("repeated-option", ["name": name])
    case .valueOfFlag: usage("usage")
    case .missingArgument: usage("missing-option")
    case .unexpectedWord: usage("unexpected-argument")
    case .missingCommand: usage("no-command")
    case .unknownCommand(nil, _): usage("unknown-command")
    case .unknownCommand(let name?, nil):
      usage("unknown-command", ["name": name], key: "unknown-command-named")
    case .unknownCommand(let name?, let meant?):
      usage(
        "unknown-command",
        [
          "name": name,
          "meant": (error.path.map { $0.configuration.name } + [meant]).joined(separator: " "),
        ],
        key: "unknown-command-meant")
    }
  }
}
