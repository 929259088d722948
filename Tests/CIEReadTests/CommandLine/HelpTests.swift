import Foundation
import TestSupport
import Testing

/// The help texts in both languages, word for word: a change is seen in review.
///
/// To accept new texts, delete the files in Tests/CIEReadTests/Help and run this twice: the first run writes them
/// and fails.
@Suite struct HelpTests {
  static let commands = [
    "", "readers", "info", "nis", "verify", "read", "cert", "pin", "pin verify", "pin change",
    "pin unblock", "sign", "login", "trust", "trust list",
    "trust import", "demo",
  ]

  @Test(arguments: commands, ["it", "en"])
  func helpIsAsPinned(_ command: String, _ language: String) throws {
    let result = try Program.run(
      command.split(separator: " ").map(String.init) + ["--help"],
      environment: ["LANG": language == "it" ? "it_IT.UTF-8" : "C", "COLUMNS": "80"])
    #expect(result.exitStatus == 0)
    #expect(result.errors == "")
    let name = command.isEmpty ? "cie-read" : command.replacing(" ", with: "-")
    let file = Repository.url("Tests/CIEReadTests/Help/\(name).\(language).txt")
    guard let pinned = try? String(contentsOf: file, encoding: .utf8) else {
      try result.output.write(to: file, atomically: true, encoding: .utf8)
      Issue.record("\(file.lastPathComponent) was written: read it and commit it")
      return
    }
    #expect(result.output == pinned)
  }

  /// What ArgumentParser says by itself must not be left in English.
  @Test(arguments: commands)
  func italianHelpIsItalian(_ command: String) throws {
    let arguments = command.split(separator: " ").map(String.init)
    let result = try Program.run(arguments + ["--help", "--language", "it"])
    for word in ["OVERVIEW", "USAGE", "OPTIONS", "SUBCOMMANDS", "Show", "default:", "values:"] {
      #expect(!result.output.contains(word))
    }
  }

  @Test func helpCommandAndVersion() throws {
    let byCommand = try Program.run(["help", "pin", "change"])
    let byOption = try Program.run(["pin", "change", "--help"])
    #expect(byCommand.output == byOption.output && byCommand.exitStatus == 0)
    let version = try Program.run(["--version"])
    #expect(version.output == "cie-read 0.1.0\n" && version.exitStatus == 0)
  }
}
