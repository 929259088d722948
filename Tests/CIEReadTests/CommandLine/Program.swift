import Foundation
import TestSupport
import Testing
import VirtualCIE

/// `cie-read` as it was built, and what its tests know of its output.
enum Program {
  /// Runs it, in English unless the environment says otherwise.
  static func run(
    _ arguments: [String], input: String = "", environment: [String: String] = [:],
    descriptors: [CInt: [UInt8]] = [:], timeLimit: Duration = .seconds(60)
  ) throws -> ProcessResult {
    // What the person at this machine has imported is no matter of the tests.
    let nowhere = ["XDG_DATA_HOME": "/nonexistent", "XDG_STATE_HOME": "/nonexistent"]
    let isolated = nowhere.merging(environment) { $1 }
    return try BuiltBinary("cie-read").run(
      arguments, input: [UInt8](input.utf8), environment: isolated, descriptors: descriptors,
      timeLimit: timeLimit)
  }

  /// Runs it with --json and takes the one object apart.
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
    return (object, result)
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
