import ArgumentParser
import FoundationEssentials

/// An argument of a command as it is declared, from what ArgumentParser dumps for tools.
struct DeclaredArgument: Decodable {
  enum Kind: String, Decodable {
    case positional
    case option
    case flag
  }

  struct Name: Decodable {
    let name: String
  }

  let kind: Kind
  /// Whether it is in the help.
  let shouldDisplay: Bool
  let isOptional: Bool
  let isRepeating: Bool
  private let preferredName: Name?
  /// What stands for its value; in brackets where the value may be left out.
  let valueName: String?
  let defaultValue: String?
  /// The values that it takes, where they are few.
  let allValues: [String]?
  let abstract: String?

  /// `--json`; `nil` for one without a name.
  var name: String? { preferredName.map { "--" + $0.name } }

  /// Those of a command, without `--help`, which all of them have.
  static func all(of command: any ParsableCommand.Type) -> [DeclaredArgument] {
    struct Tool: Decodable {
      struct Command: Decodable {
        let arguments: [DeclaredArgument]?
      }
      let command: Command
    }
    let tool = try? JSONDecoder().decode(Tool.self, from: Data(command._dumpHelp().utf8))
    return (tool?.command.arguments ?? []).filter { !["--help", "--version"].contains($0.name) }
  }

  /// The name in the list that is written nearly like one that does not exist: up to three letters more or fewer.
  static func name(like name: String, of command: any ParsableCommand.Type) -> String? {
    let names = all(of: command).filter(\.shouldDisplay).compactMap(\.name)
    let distances = names.map { ($0, distance: $0.difference(from: name).count) }
    return distances.filter { $0.distance < 4 }.min { $0.distance < $1.distance }?.0
  }
}
