import TestSupport
import Testing

/// The log of `--record` while it is written.
@Suite struct LogTests {
  /// A program that is killed in the middle of a command leaves all lines so far, each of them whole.
  @Test func `a killed program leaves its log`() throws {
    let folder = try TemporaryDirectory()
    let log = folder.path("log")
    let program = try BuiltBinary("cie-read").path
    var run: BackgroundProcess? = try BackgroundProcess(
      "/bin/sh",
      [
        "-c", #"echo 27182818 | "$0" "$@""#, program, "pin", "verify", "--virtual", "--fault",
        "delay=600000@20:1", "--record", log,
      ])
    let isAtVerify = run?.wait {
      (try? folder.read("log")).map { String(decoding: $0, as: UTF8.self).contains("> 0C2000") }
        ?? false
    }
    #expect(isAtVerify == true)
    run = nil
    let text = String(decoding: try folder.read("log"), as: UTF8.self)
    #expect(text.hasSuffix("\n"))
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count > 60)
    for line in lines.dropFirst(4) {
      let isWhole = line.wholeMatch(
        of: /# [a-z-]+|> [0-9A-F]{8} \+[0-9]+|< [0-9A-F]{4} \+[0-9]+ [0-9]+ ms/)
      #expect(isWhole != nil, "\(line)")
    }
    #expect(lines.last?.hasPrefix("> 0C200081 +") == true)
  }
}
