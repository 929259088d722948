import Foundation
import Glibc
import TestSupport
import Testing

/// `--pinentry`: the code is asked for in a window. The program that shows it is one of ours, which says what it is told.
@Suite struct PinentryTests {
  /// Runs `pin verify` with a `pinentry` that does this at GETPIN.
  ///
  /// - Returns: what came of it, and what the window was asked.
  private func verify(_ answer: String) throws -> (result: ProcessResult, requests: String) {
    let folder = try TemporaryDirectory()
    let log = folder.path("requests")
    try folder.write(
      "pinentry",
      Array(
        """
        #!/bin/sh
        echo "OK Pleased to meet you"
        log=\(log)
        while read -r line; do
          echo "$line" >> "$log"
          case $line in GETPIN) \(answer) ;; *) echo OK ;; esac
        done
        """.utf8), permissions: 0o700)
    let result = try Program.run(
      ["pin", "verify", "--virtual", "--pinentry", "--json"],
      environment: ["PATH": folder.url.path + ":/usr/bin:/bin"])
    let requests = String(decoding: try folder.read("requests"), as: UTF8.self)
    return (result, requests)
  }

  @Test func `the PIN comes from the window, which says which card it is for`() throws {
    let (result, requests) = try verify(#"echo "S QUALITY"; echo "D 27182818"; echo OK"#)
    #expect(result.exitStatus == 0, "\(result.output)")
    #expect(requests.contains("SETDESC virtual gemalto%0APIN (8 digits, 3 tries left)\n"))
    #expect(requests.contains("SETPROMPT PIN:\n"))
    #expect(!result.output.contains("27182818") && !requests.contains("27182818"))
  }

  /// One that stays although nobody speaks to it any more.
  @Test func `the window is closed when the PIN has been typed`() throws {
    let (result, requests) = try verify(
      #"echo "pid $$" >> "$log"; echo "D 27182818"; echo OK; exec sleep 60"#)
    #expect(result.exitStatus == 0, "\(result.output)")
    let line = try #require(requests.split(separator: "\n").first { $0.hasPrefix("pid ") })
    let process = try #require(pid_t(line.dropFirst(4)))
    #expect(kill(process, 0) != 0)
  }

  @Test func `a wrong PIN is shown to the card once`() throws {
    let (result, requests) = try verify(#"echo "D 11223344"; echo OK"#)
    #expect(result.exitStatus == 7)
    #expect(result.output.contains(#""triesLeft":2"#))
    #expect(requests.split(separator: "\n").filter { $0 == "GETPIN" }.count == 1)
  }

  @Test func `a window that is closed ends it before the card is asked`() throws {
    let (result, _) = try verify(#"echo "ERR 83886179 Operation cancelled <Pinentry>""#)
    #expect(result.exitStatus == 130)
    #expect(result.output.contains(#""name":"entry-declined""#))
  }

  @Test func `a window that is closed by its own end is told as such`() throws {
    let (result, _) = try verify("exit 1")
    #expect(result.exitStatus == 64)
    #expect(result.output.contains(#""name":"no-pinentry""#))
  }

  @Test(arguments: ["D 1234567", "D 1234567x", "D "])
  func `what is no PIN is not shown to the card`(_ line: String) throws {
    let (result, _) = try verify("echo \"\(line)\"; echo OK")
    #expect(result.exitStatus == 64)
  }
}
