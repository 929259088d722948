import Foundation
import TestSupport
import Testing
import VirtualCIE

extension TemporaryDirectory {
  /// The environment of a user whose home this is, and whose XDG folders are the usual ones in it.
  var homeVariables: [String: String] {
    ["HOME": url.path, "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": ""]
  }
}

/// The built `cie-read`, and the tests' knowledge of its output.
enum Program {
  /// Runs it, in English unless the environment says otherwise.
  static func run(
    _ arguments: [String], input: String = "", environment: [String: String] = [:],
    descriptors: [CInt: [UInt8]] = [:], timeLimit: Duration = .seconds(300)
  ) throws -> ProcessResult {
    // The imports of this machine's user must not affect the tests.
    let nowhere = ["XDG_DATA_HOME": "/proc/nonexistent", "XDG_STATE_HOME": "/proc/nonexistent"]
    let isolated = nowhere.merging(environment) { $1 }
    return try BuiltBinary("cie-read").run(
      arguments, input: [UInt8](input.utf8), environment: isolated, descriptors: descriptors,
      timeLimit: timeLimit)
  }

  /// Runs it with --json and decodes the one object.
  static func json(
    _ arguments: [String], input: String = "", environment: [String: String] = [:]
  ) throws -> (object: [String: Any], result: ProcessResult) {
    let result = try run(arguments + ["--json"], input: input, environment: environment)
    #expect(result.errors == "", "with --json and no terminal, standard error stays empty")
    #expect(result.output.hasSuffix("}\n") && result.output.count { $0 == "\n" } == 1)
    let value = try JSONSerialization.jsonObject(with: Data(result.standardOutput))
    let object = try #require(value as? [String: Any])
    #expect(object["schema"] as? String == "cie-read/1")
    #expect(object["ok"] as? Bool == (result.exitStatus == 0))
    try expectKnownOptions(in: object)
    return (object, result)
  }

  /// The advice of an error is valid: its options are those of the command, or of the one named before them.
  private static func expectKnownOptions(in object: [String: Any]) throws {
    guard let command = object["command"] as? String,
      let advice = (object["error"] as? [String: Any])?["do"] as? String
    else { return }
    let own = command.split(separator: " ").map(String.init)
    var named: [String]?
    for word in advice.split(separator: " ") {
      let text = word.trimmingCharacters(in: CharacterSet(charactersIn: "().,;:\""))
      if text == "cie-read" {
        named = []
      } else if text.hasPrefix("--"), text.count > 2 {
        let command = named.flatMap { $0.isEmpty ? nil : $0 } ?? own
        let help = try String(
          contentsOf: Repository.url(
            "Tests/CIEReadTests/Help/\(command.joined(separator: "-")).en.txt"), encoding: .utf8)
        #expect(help.contains(text), "\(command) has no \(text): \(advice)")
      } else if let path = named,
        HelpTests.commands.contains((path + [text]).joined(separator: " "))
      {
        named = path + [text]
      }
      if word.hasSuffix(".") || word.hasSuffix(";") { named = nil }
    }
  }
}

/// The error object of a JSON output.
struct ReportedError {
  let name: String
  let exit: Int
  let step: String?
  let statusWord: String?
  let triesLeft: Int?

  init(_ object: [String: Any]) throws {
    let error = try #require(object["error"] as? [String: Any])
    #expect(
      Set(error.keys) == ["name", "exit", "step", "statusWord", "triesLeft", "what", "do"])
    #expect((error["what"] as? String)?.isEmpty == false)
    #expect((error["do"] as? String)?.isEmpty == false)
    name = try #require(error["name"] as? String)
    exit = try #require(error["exit"] as? Int)
    step = error["step"] as? String
    statusWord = error["statusWord"] as? String
    triesLeft = error["triesLeft"] as? Int
  }
}

extension Persona {
  /// A certificate of its test CSCA in a file that `--trust` takes.
  func writeAnchor(in directory: borrowing TemporaryDirectory) throws -> String {
    try directory.write("\(identifier).der", csca)
  }
}
