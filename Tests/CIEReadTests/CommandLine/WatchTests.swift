import Foundation
import TestSupport
import Testing
import VirtualCIE

/// `watch` without a reader: the virtual card is placed and removed. `tools/lab soak-watch` has the rest.
@Suite struct WatchTests {
  /// Runs it; each line is an event with the next number.
  private func watch(
    _ arguments: [String], input: String = ""
  ) throws -> (events: [[String: Any]], result: ProcessResult) {
    let result = try Program.run(["watch", "--virtual"] + arguments, input: input)
    let events = try result.output.split(separator: "\n").filter { $0.hasPrefix("{") }.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(events.map { $0["sequence"] as? Int } == (1..<events.count + 1).map { $0 })
    for event in events {
      #expect(event["schema"] as? String == "cie-read/1")
      let time = try #require(event["time"] as? String)
      #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
    }
    return (events, result)
  }

  private func names(_ events: [[String: Any]]) -> [String] {
    events.compactMap { $0["event"] as? String }.filter { $0 != "progress" }
  }

  private let visit = [
    "reader-added", "card-present", "result", "card-removed", "reader-removed",
  ]

  @Test func `a card is reported from its arrival to its removal`() throws {
    let (events, result) = try watch(["--do", "nis"])
    #expect(result.exitStatus == 0 && result.errors == "")
    #expect(names(events) == visit)
    #expect(events[1]["atr"] as? String == "3B8F800180318065B085040011120FFF8290008A")
    let steps = events.compactMap { $0["step"] as? String }
    #expect(steps.first == "select-root" && steps.contains("read-services-number"))
  }

  @Test func `a result equals that of the command itself`() throws {
    let (events, _) = try watch(["--do", "nis"])
    let result = try #require(events.first { $0["event"] as? String == "result" })
    var alone = try Program.json(["nis", "--virtual"]).object
    alone["schema"] = nil
    for (name, value) in alone {
      #expect(result[name] as? NSObject == value as? NSObject, "\(name)")
    }
  }

  @Test func `a failure is a result too, and with --once the exit code`() throws {
    let (events, result) = try watch(["--do", "nis", "--fault", "card-removed@2", "--once"])
    #expect(result.exitStatus == 9)
    let end = try #require(events.first { $0["event"] as? String == "result" })
    #expect(end["ok"] as? Bool == false)
    #expect((end["error"] as? [String: Any])?["exit"] as? Int == 9)
  }

  @Test func `verify and read take the key to the document`() throws {
    for task in ["verify", "read"] {
      let (events, result) = try watch(["--do", task, "--can", Persona.gemalto.can])
      let end = try #require(events.first { $0["event"] as? String == "result" })
      #expect(end["command"] as? String == task)
      #expect(end["outcome"] != nil, "\(end)")
      #expect(result.exitStatus == (end["error"] as? [String: Any])?["exit"] as? Int32 ?? 0)
    }
  }

  @Test func `the program of --exec gets the result and its circumstances`() throws {
    let script = #"read -r line; echo "$CIE_READ_READER|$CIE_READ_STATUS|$1|$line" >&2"#
    let (events, result) = try watch(["--exec", "sh", "--", "-c", script, "sh", "; word"])
    let end = try #require(events.first { $0["event"] as? String == "result" })
    #expect(names(events) == visit)
    let number = try #require(end["sequence"] as? Int)
    #expect(result.errors.hasPrefix("virtual gemalto|0|; word|{"))
    #expect(result.errors.contains(#""event":"result""#))
    #expect(result.errors.contains(#""sequence":\#(number),"#))
  }

  @Test func `the program of --exec gets the card's result and its number`() throws {
    let script = #"echo "$CIE_READ_STATUS $CIE_READ_SEQUENCE""#
    let (events, result) = try watch([
      "--fault", "card-removed@2", "--exec", "sh", "--", "-c", script,
    ])
    let end = try #require(events.first { $0["event"] as? String == "result" })
    let number = try #require(end["sequence"] as? Int)
    #expect(result.errors.hasPrefix("9 \(number)\n"))
  }

  @Test func `the program's output is never among the events`() throws {
    let (events, result) = try watch(["--exec", "echo", "--", "not JSON"])
    #expect(names(events) == visit)
    #expect(result.errors == "not JSON\n")
    #expect(!result.output.contains("not JSON"))
  }

  @Test(arguments: [("exit 3", "exec-failed"), ("kill -9 $$", "exec-killed")])
  func `a failing program is an event, and the watch continues`(
    _ script: String, _ name: String
  ) throws {
    let (events, result) = try watch(["--exec", "sh", "--", "-c", script])
    #expect(result.exitStatus == 0)
    #expect(
      names(events) == [
        "reader-added", "card-present", "result", "error", "card-removed", "reader-removed",
      ])
    let error = try #require(events.first { $0["event"] as? String == "error" })
    #expect((error["error"] as? [String: Any])?["name"] as? String == name)
  }

  @Test func `with --do none the program gets the card's arrival`() throws {
    let (events, result) = try watch(["--do", "none", "--exec", "sh", "--", "-c", "cat >&2"])
    #expect(names(events) == visit.filter { $0 != "result" })
    #expect(result.errors.contains(#""event":"card-present""#))
  }

  @Test(arguments: [
    ["--do", "none", "--record", "diary"], ["--do", "none", "--can", "123456"],
    ["--do", "verify", "--require-proved"], ["--only", "dg1"], ["--require-valid"],
    ["--do", "none", "--challenge-file", "x"], ["--audience", "x"], ["--terminal-key", "x"],
  ])
  func `an option without effect is refused`(_ arguments: [String]) throws {
    let (events, result) = try watch(arguments)
    #expect(result.exitStatus == 64 && events.isEmpty)
    #expect(result.errors.contains("wrong-watch-option"))
  }

  /// `test-kiosk` has two cards and two challenges.
  @Test func `a result has evidence for the challenge of the moment`() throws {
    let folder = try TemporaryDirectory()
    let challenge = try folder.write("challenge", "00112233445566778899aabbccddeeff\n".utf8)
    let request = ["--challenge-file", challenge, "--audience", "office.example"]
    let (events, result) = try watch(request)
    #expect(result.exitStatus == 0)
    let end = try #require(events.first { $0["event"] as? String == "result" })
    let evidence = try #require(end["evidence"] as? String)
    let trust = ["--trust", try Persona.gemalto.writeAnchor(in: folder), "--require", "ias"]
    let judged = try Program.json(["verify", "--evidence", "-"] + request + trust, input: evidence)
    #expect(judged.result.exitStatus == 0)
    _ = try folder.write("challenge", "0011".utf8)
    let refused = try watch(request).events.first { $0["event"] as? String == "result" }
    #expect((refused?["error"] as? [String: Any])?["name"] as? String == "bad-challenge")
  }

  @Test func `a missing program is reported before any card`() throws {
    let (events, result) = try watch(["--exec", "/proc/nonexistent/door"])
    #expect(result.exitStatus == 64 && events.isEmpty)
    #expect(result.errors.contains("input-unreadable"))
  }
}
