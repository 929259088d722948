import Foundation
import TestSupport
import Testing
import VirtualCIE

/// `watch --record FOLDER`: a log for each card, bounded; and a watch that says less.
@Suite struct WatchRecordTests {
  private static func folder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.path + "/watch-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  private static func watch(_ arguments: [String]) throws -> ProcessResult {
    try Program.run(["watch", "--virtual", "--do", "nis"] + arguments)
  }

  private static func result(_ run: ProcessResult) throws -> [String: Any] {
    let events = try run.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    return try #require(events.first { $0["event"] as? String == "result" })
  }

  private static func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  @Test(
    arguments: [
      ([], "ok"), (["--fault", "card-removed@4"], "card-removed"),
      (["--fault", "status=6A82@A4:1"], nil), (["--fault", "card-mute@4"], nil),
    ] as [([String], String?)])
  func `a card has a log, and its result names it`(
    _ fault: [String], _ end: String?
  ) throws {
    try Self.folder { folder in
      let run = try Self.watch(["--record", folder] + fault)
      let result = try Self.result(run)
      let names = try Self.names(folder)
      #expect(names.count == 1)
      let error = (result["error"] as? [String: Any])?["name"] as? String
      #expect(names == ["card-000001-\(error ?? "ok").log"])
      if let end { #expect((error ?? "ok") == end) }
      #expect(result["log"] as? String == folder + "/" + (names.first ?? ""))
      #expect(
        try Program.run(["trace", "check", folder + "/" + (names.first ?? "")]).exitStatus != 64)
    }
  }

  @Test func `numbers grow, whatever is in the folder, and the oldest go by their kind`() throws {
    try Self.folder { folder in
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let foreign = ["letter.txt", "card-7.log", "card-x-ok.log", "card-000100-ok.log.bak"]
      let failed = (1...3).map { "card-00000\($0)-card-removed.log" }
      let good = (10..<70).map { "card-0000\($0)-ok.log" }
      for name in foreign + failed + good + ["card-000100.log"] {
        try Data("x".utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
      }
      #expect(try Self.watch(["--record", folder]).exitStatus == 0)
      let names = Set(try Self.names(folder))
      #expect(names.isSuperset(of: foreign + failed + ["card-000100.log", "card-000101-ok.log"]))
      #expect(names.intersection(good) == Set(good.suffix(49)))
    }
  }

  @Test func `failures go too when there are too many`() throws {
    try Self.folder { folder in
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for number in 1_000_001...1_000_060 {
        let path = folder + "/card-\(number)-card-removed.log"
        try Data("x".utf8).write(to: URL(fileURLWithPath: path))
      }
      _ = try Self.watch(["--record", folder, "--fault", "card-removed@4"])
      let names = try Self.names(folder)
      #expect(names.count == 50)
      #expect(names.last == "card-1000061-card-removed.log")
      #expect(names.first == "card-1000012-card-removed.log")
    }
  }

  @Test func `a folder that cannot be is told before any card`() throws {
    try Self.folder { folder in
      try Data().write(to: URL(fileURLWithPath: folder))
      for path in [folder, folder + "/below", "/proc/nonexistent/logs"] {
        let run = try Self.watch(["--record", path])
        #expect(run.exitStatus == 1 && run.output == "")
      }
    }
  }

  @Test func `a folder that goes away costs the log and not the card`() throws {
    try Self.folder { folder in
      let script = #"rm -rf "$1" && touch "$1""#
      let run = try Self.watch([
        "--record", folder, "--exec", "sh", "--", "-c", script, "sh", folder,
      ])
      #expect(run.exitStatus == 0)
      #expect(try Self.result(run)["ok"] as? Bool == true)
    }
  }

  @Test func `with --quiet there are no events of progress`() throws {
    let loud = try Self.watch([])
    let quiet = try Self.watch(["--quiet"])
    #expect(loud.output.contains(#""progress""#))
    #expect(!quiet.output.contains(#""progress""#))
    #expect(quiet.output.contains(#""result""#) && quiet.errors == "")
  }

  @Test func `the help has no option that is always refused`() throws {
    let help = try Program.run(["watch", "--help"]).output
    #expect(!help.contains("--wait") && !help.contains("--force"))
    #expect(help.contains("--record <folder>"))
    let run = try Self.watch(["--wait", "3"])
    #expect(run.exitStatus == 64 && run.errors.contains("unknown-option"))
  }
}
