import Glibc
import TestSupport
import Testing

/// The contract with scripts, word for word: `ContractScript` has the format of the files.
///
/// `tools/make pins` accepts the program's present output. The other languages have `LanguageSmokeTests`.
@Suite struct ContractTests {
  private static let languages = ["en", "it"]

  @Test(arguments: try ContractScript.all().filter { $0.reader == nil && $0.sandbox == nil })
  func `the program keeps to its script`(_ script: ContractScript) throws {
    try keep(to: script)
  }

  @Test(
    .enabled(
      if: getenv("PRIVATE_PCSCD") != nil || getenv("CI") != nil,
      "needs pcscd and the virtual reader: tools/run-tests, or tools/with-pcscd swift test"),
    arguments: try ContractScript.all().filter { $0.reader != nil })
  func `the program keeps to its script beside a real service`(_ script: ContractScript) throws {
    try keep(to: script)
  }

  @Test func `the program keeps to its scripts of a login`() throws {
    let sandbox = try Sandbox()
    for script in try ContractScript.all() where script.sandbox != nil {
      try keep(to: script, sandbox)
    }
  }

  private func keep(to script: ContractScript, _ sandbox: Sandbox? = nil) throws {
    // Languages with equal output, to the last byte, stand together.
    var outcomes: [(languages: [String], text: String)] = []
    for language in Self.languages {
      let text = try ContractRun(script, language, sandbox).transcript()
      if let place = outcomes.firstIndex(where: { $0.text == text }) {
        outcomes[place].languages.append(language)
      } else {
        outcomes.append(([language], text))
      }
    }
    let found = outcomes.map { "== \($0.languages.joined(separator: " "))\n\($0.text)" }
      .joined(separator: "\n")
    let file = "Tests/CIEReadTests/Contract/Scripts/\(script.name).txt"
    let changes = try Pin.changes(of: file, to: script.head + found)
    #expect(changes == [], "\(file)")
  }

  @Test func `every exit code of the table ends a script`() throws {
    let (object, _) = try Program.json(["help", "exit-codes"])
    let rows = try #require(object["exitCodes"] as? [[String: Any]])
    let table = Set(rows.compactMap { $0["exit"] as? Int })
    let produced = try ContractScript.all().reduce(into: Set<Int>()) { $0.formUnion($1.exitCodes) }
    #expect(table.count > 15)
    #expect(table.subtracting(produced).sorted() == [], "no script ends with these")
    #expect(produced.subtracting(table).sorted() == [], "the table does not have these")
  }

  @Test func `every command has a script`() throws {
    let lines = try ContractScript.all().map { $0.command.dropFirst().joined(separator: " ") + " " }
    let without = HelpTests.commands.filter { command in
      !lines.contains { command.isEmpty ? $0 == " " : $0.hasPrefix(command + " ") }
    }
    #expect(without == [])
  }

  @Test func `no script shows an entered code`() throws {
    for script in try ContractScript.all() {
      for secret in script.secrets {
        #expect(!script.expected.contains(secret), "\(script.name)")
      }
    }
  }
}
