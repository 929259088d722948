import Foundation
import Messages
import TestSupport
import Testing
import VirtualCIE

/// The help texts, word for word in English and Italian: a change is seen in review. `tools/make pins` accepts it.
@Suite struct HelpTests {
  static let commands = [
    "", "readers", "info", "nis", "verify", "read", "cert", "pin", "pin verify", "pin change",
    "pin unblock", "sign", "check", "extend", "login", "status", "claims", "token", "logout",
    "reset", "trust", "trust list",
    "trust import", "trust update", "browser", "browser status", "browser install",
    "browser remove", "demo",
    "watch", "serve", "desk", "doctor", "trace", "trace show", "trace check", "trace diff",
    "trace stats", "trace from-report", "lock", "lock set", "lock enter", "lock change",
    "lock forget",
    "lock status",
  ]

  static let languages = Language.allCases.map(\.rawValue)

  @Test(arguments: commands, ["en", "it"])
  func `help is as pinned`(_ command: String, _ language: String) throws {
    let result = try Program.run(
      command.split(separator: " ").map(String.init) + ["--help"],
      environment: ["LANG": language == "en" ? "C" : "\(language)_IT.UTF-8", "COLUMNS": "80"])
    #expect(result.exitStatus == 0)
    #expect(result.errors == "")
    let name = command.isEmpty ? "cie-read" : command.replacing(" ", with: "-")
    let file = "Tests/CIEReadTests/Help/\(name).\(language).txt"
    let changes = try Pin.changes(of: file, to: result.output)
    #expect(changes == [])
  }

  @Test(arguments: commands, languages.filter { $0 != "en" })
  func `the headings of help are in English only in English`(
    _ command: String, _ language: String
  ) throws {
    let arguments = command.split(separator: " ").map(String.init)
    let result = try Program.run(arguments + ["--help", "--language", language])
    for word in ["OVERVIEW:", "USAGE:", "OPTIONS:", "SUBCOMMANDS", "Show", "default:", "values:"] {
      #expect(!result.output.contains(word))
    }
  }

  @Test func `the help command equals the option, and the version is printed`() throws {
    let byCommand = try Program.run(["help", "pin", "change"])
    let byOption = try Program.run(["pin", "change", "--help"])
    #expect(byCommand.output == byOption.output && byCommand.exitStatus == 0)
    let version = try Program.run(["--version"])
    // The first section of the changelog is this release.
    let changelog = try String(
      contentsOf: Repository.url("CHANGELOG.md"), encoding: .utf8)
    let heading = try #require(changelog.firstMatch(of: /(?m)^## ([0-9.]+)/))
    #expect(version.output == "cie-read \(heading.1)\n" && version.exitStatus == 0)
    for arguments in [["--version"], ["--json", "--version"], ["nis", "--version"]] {
      #expect(try Program.json(arguments).object["version"] as? String == String(heading.1))
    }
  }

  @Test(arguments: ["help bogus", "help pin bogus", "pin help bogus", "help pin change verify"])
  func `help about an unknown topic is refused`(_ line: String) throws {
    let (object, result) = try Program.json(line.split(separator: " ").map(String.init))
    #expect(result.exitStatus == 64)
    #expect(try ReportedError(object).name == "unknown-topic")
  }

  @Test func `the exit codes are listed in the person's language`() throws {
    let (object, _) = try Program.json(["help", "exit-codes"])
    let codes = try #require(object["exitCodes"] as? [[String: Any]])
    #expect(codes.count > 15)
    let shown = try Program.run(["help", "exit-codes"], environment: ["LANG": "it_IT.UTF-8"])
    #expect(shown.output.contains("143") && shown.output.contains("terminato da SIGTERM"))
  }

  @Test func `the bare name shows the help`() throws {
    let help = try Program.run(["--help"])
    for arguments in [[], ["--language", "en"]] {
      let bare = try Program.run(arguments)
      #expect(bare.output == help.output && bare.exitStatus == 0 && bare.errors == "")
    }
    // A script without a command gets that error.
    let json = try Program.json([])
    #expect(try ReportedError(json.object).name == "no-command")
  }

  @Test(arguments: ["codes", "json", "privacy"])
  func `help explains the topics of all commands at length`(_ topic: String) throws {
    let (object, _) = try Program.json(["help", topic])
    let paragraphs = try #require(object["paragraphs"] as? [String])
    #expect(paragraphs.count > 2 && !paragraphs.contains { $0.hasPrefix("topic.") })
    let shown = try Program.run(["help", topic, "--language", "it"])
    #expect(shown.exitStatus == 0 && !shown.output.contains("topic."))
  }

  @Test func `the personas and their codes are those of the software card`() throws {
    let output = try Program.run(["help", "personas"]).output
    for persona in Persona.everyone {
      for value in [persona.identifier, persona.pin, persona.puk, persona.can] {
        #expect(output.contains(value))
      }
    }
  }

  @Test func `help lists the environment variables`() throws {
    let (object, _) = try Program.json(["help", "environment"])
    let names = try #require(object["environment"] as? [[String: String]]).compactMap {
      $0["names"]
    }
    #expect(names.contains("SP_URL, SP_URL_SCHEME, CIE_ENVIRONMENT"))
    #expect(try Program.run(["help", "environment"]).output.contains("XDG_DATA_HOME"))
  }

  /// The words do not depend on the width of the terminal: no word is broken.
  @Test(
    arguments: commands + ["exit-codes", "environment", "codes", "privacy"].map { "help " + $0 },
    languages)
  func `on a narrow terminal no word is broken`(_ command: String, _ language: String) throws {
    let arguments = command.split(separator: " ").map(String.init)
    let isTopic = arguments.first == "help"
    func words(_ columns: Int) throws -> ([Substring], longest: Int) {
      let result = try Program.run(
        arguments + (isTopic ? [] : ["--help"]) + ["--language", language],
        environment: ["COLUMNS": "\(columns)"])
      #expect(result.exitStatus == 0)
      let lines = result.output.split(separator: "\n")
      // A line of one word may be longer.
      let longest = lines.filter { $0.split(separator: " ").count > 2 }.map(\.count).max() ?? 0
      return (result.output.split(whereSeparator: \.isWhitespace), longest)
    }
    let narrow = try words(40)
    #expect(try narrow.0 == words(200).0)
    #expect(narrow.longest <= 40)
  }

  @Test func `messages fit their terminal`() throws {
    let result = try Program.run(["frobnicate"], environment: ["COLUMNS": "40"])
    #expect(result.exitStatus == 64)
    #expect(result.errors.split(separator: "\n").allSatisfy { $0.count <= 40 })
    let wide = try Program.run(["frobnicate"])
    #expect(
      result.errors.split(whereSeparator: \.isWhitespace)
        == wide.errors.split(whereSeparator: \.isWhitespace))
  }
}
