import Foundation
import TestSupport
import Testing

/// A signal between a command that sets a PIN and its answer.
extension RealReaderTests {
  /// The valid PIN is then unknown. The error has a separate name, after one signal and after two; the advice is to try
  /// the new PIN, with the cost of that. The old one is not advised, because it may be the third wrong one.
  @Test func `a PIN without an answer is in doubt`() throws {
    let directory = try TemporaryDirectory()
    let programs = URL(fileURLWithPath: try BuiltBinary("cie-read").path)
      .deletingLastPathComponent().path
    let result = try BuiltBinary(path: Repository.url("tools/with-pcscd").path).run(
      [
        "bash", Repository.url("Tests/CIEReadTests/RealReader/pin-in-flight.sh").path, programs,
        directory.url.path,
        Repository.url("Tests/CIEReadTests/Terminal/terminal_session.py").path,
      ], timeLimit: .seconds(300))
    let lines = result.output.split(separator: "\n")
    #expect(
      lines.compactMap { $0.split(separator: " ").first } == [
        "change", "change-twice", "unblock", "unblock-twice",
      ], "\(result.errors)")
    for line in lines {
      let parts = line.split(separator: " ", maxSplits: 1)
      let name = try #require(parts.first)
      let session = try JSONDecoder().decode(
        TerminalTests.Session.self, from: Data(try #require(parts.last).utf8))
      let status: CInt = name.hasSuffix("twice") ? 143 : 130
      let step = name.hasPrefix("change") ? "change-pin" : "reset-pin"
      #expect(session.status == status && session.stepsLeft.isEmpty, "\(line)")
      #expect(session.shown.contains("[pin-outcome-unknown, \(step); exit \(status)]"), "\(line)")
      let text = session.shown.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(text.contains("The PIN may have been changed: the command had been sent."))
      #expect(
        text.contains(
          "Try the new PIN first (cie-read pin verify): if it is wrong, that costs a try."))
      #expect(!text.contains("you can start again"))
    }
  }
}
