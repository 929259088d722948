import Messages
import TestSupport
import Testing
import VirtualCIE

/// The languages without pins: help, errors and a report are the table's words in them, and none of its English ones.
@Suite struct LanguageSmokeTests {
  private static let unpinned = Language.allCases.filter { !["en", "it"].contains($0.rawValue) }

  @Test(arguments: unpinned)
  func `the program speaks the language`(_ language: Language) throws {
    let folder = try TemporaryDirectory()
    let trust = ["--virtual", "--trust", try Persona.gemalto.writeAnchor(in: folder)]
    try check(
      ["nis", "--help"], 0, language,
      ["command.nis", "frame.usage", "frame.options"].map { Message($0) })
    try check(
      ["help", "exit-codes"], 0, language, ["exit.0", "exit.7", "exit.64"].map { Message($0) })
    try check(["27182818"], 64, language, [Message("unknown-command")])
    try check(
      ["pin", "verify"] + trust, input: "11111111\n", 7, language,
      [
        Message("wrong-code-tries", ["code": "PIN", "count": 2]),
        Message("wrong-code-tries.do", ["code": "PIN"]),
      ])
    try check(
      ["verify"] + trust, 0, language,
      ["point.signature", "verdict.proved", "cloning.excluded", "verification.proved-ias"]
        .map { Message($0) })
  }

  /// Runs the program, and looks for the messages in both of its outputs, however their lines are broken.
  private func check(
    _ arguments: [String], input: String = "", _ status: CInt, _ language: Language,
    _ messages: [Message]
  ) throws {
    let result = try Program.run(
      arguments, input: input, environment: ["LANG": "\(language.rawValue)_IT.UTF-8"])
    #expect(result.exitStatus == status)
    let shown = Self.words(result.output + result.errors)
    for message in messages {
      let words = Self.words(message(language))
      #expect(!words.isEmpty && shown.contains(words), "\(language.rawValue): \(words)")
      #expect(!shown.contains(Self.words(message(.english))))
    }
  }

  private static func words(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
