import Foundation
import TestSupport
import Testing

/// `cie-read lock` as processes: one after the other, several at once, and killed.
@Suite struct LockCommandTests: ~Copyable {
  private let directory: TemporaryDirectory
  private var environment: [String: String] { ["XDG_STATE_HOME": directory.url.path] }

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// Makes the folder before the program runs.
  private func makeFolder() throws {
    try #require(mkdir(directory.path("cie-read"), 0o700) == 0)
  }

  private func lock(_ command: String, _ codes: String...) throws -> ProcessResult {
    try Program.run(
      ["lock"] + command.split(separator: " ").map(String.init),
      input: codes.map { $0 + "\n" }.joined(), environment: environment)
  }

  private func expect(_ name: String, _ exit: CInt, _ command: String, _ codes: String...) throws {
    let (object, result) = try Program.json(
      ["lock"] + command.split(separator: " ").map(String.init),
      input: codes.map { $0 + "\n" }.joined(), environment: environment)
    #expect(try ReportedError(object).name == name)
    #expect(result.exitStatus == exit)
    for code in codes where code.count > 3 { #expect(!result.output.contains(code)) }
  }

  /// Members of the object with the state of the lock.
  private func state() throws -> (state: String?, triesLeft: Int?, isOpen: Bool) {
    let (object, result) = try Program.json(["lock", "status"], environment: environment)
    #expect(result.exitStatus == 0)
    let lock = try #require(object["lock"] as? [String: Any])
    #expect(Set(lock.keys) == ["state", "triesLeft", "until"])
    return (lock["state"] as? String, lock["triesLeft"] as? Int, lock["until"] is String)
  }

  /// Runs a shell script: `$1` is the program, `$2` the file of the code.
  private func shell(_ script: String) throws -> String {
    let program = try BuiltBinary("cie-read").path
    return try BuiltBinary(path: "/bin/bash").run(
      ["-c", script, "bash", program, directory.path("cie-read/local-code.json")],
      environment: environment
    ).output
  }

  @Test func `a code is set, entered, changed and forgotten`() throws {
    #expect(try state() == ("not-set", nil, false))
    try #expect(lock("set", "271828").exitStatus == 0)
    #expect(try state() == ("unlocked", 3, true))
    try expect("local-code-wrong", 7, "enter", "271829")
    #expect(try state() == ("locked", 2, false))
    try #expect(lock("enter", "271828").exitStatus == 0)
    try #expect(lock("change", "271828", "314159").exitStatus == 0)
    try expect("local-code-unchanged", 64, "change", "314159", "314159")
    try #expect(lock("forget").exitStatus == 0)
    #expect(try state() == ("not-set", nil, false))
  }

  @Test(arguments: ["enter", "change"])
  func `the third wrong code ends the session`(_ command: String) throws {
    try makeFolder()
    try directory.write("cie-read/session", "cie-read session 1 file-mode\nsecret".utf8)
    try #expect(lock("set", "271828").exitStatus == 0)
    for left in [2, 1] {
      let (object, _) = try Program.json(
        ["lock", command], input: "271829\n314159\n", environment: environment)
      #expect(try ReportedError(object).triesLeft == left)
    }
    #expect(access(directory.path("cie-read/session"), F_OK) == 0)
    try expect("local-code-exhausted", 8, command, "271829", "314159")
    #expect(access(directory.path("cie-read/session"), F_OK) != 0)
    #expect(try state() == ("exhausted", 0, false))
    try expect("local-code-exhausted", 8, "enter", "271828")
    try #expect(lock("set", "314159").exitStatus == 0)
    #expect(try state() == ("unlocked", 3, true))
  }

  @Test(arguments: ["claims", "token"])
  func `commands that show the session require the code`(_ command: String) throws {
    func end() throws -> ReportedError {
      try ReportedError(Program.json([command], environment: environment).object)
    }
    try #expect(lock("set", "271828").exitStatus == 0)
    #expect(try end().exit == 16)
    try expect("local-code-wrong", 7, "enter", "271829")
    #expect(try end().name == "session-locked" && end().exit == 8)
    try #expect(lock("enter", "271828").exitStatus == 0)
    #expect(try end().exit == 16)
  }

  @Test func `a process killed during the comparison has spent its try`() throws {
    try makeFolder()
    // A hash that takes half a minute.
    let record = """
      {"version":1,"length":6,"scrypt":{"N":131072,"r":8,"p":64},"salt":"\(String(repeating: "0", count: 32))",\
      "hash":"\(String(repeating: "0", count: 64))","triesLeft":{"enter":3,"change":3},"lastUse":{}}
      """
    try directory.write("cie-read/local-code.json", record.utf8)
    let status = try shell(
      """
      "$1" lock enter <<< 271828 & process=$!
      until grep -q '"enter":2' "$2"; do kill -0 $process || exit; sleep 0.01; done
      kill -KILL $process; wait $process; echo $?
      """)
    #expect(status == "137\n")
    #expect(try state() == ("locked", 2, false))
  }

  @Test func `of several at once each spends its own try`() throws {
    try #expect(lock("set", "271828").exitStatus == 0)
    let objects = try shell(
      #"for _ in 1 2 3 4 5 6; do "$1" lock enter --json <<< 271829 & done; wait"#)
    #expect(objects.count { $0 == "\n" } == 6)
    for (text, count) in [
      (#""triesLeft":2"#, 1), (#""triesLeft":1"#, 1), ("local-code-exhausted", 4),
    ] { #expect(objects.ranges(of: text).count == count, "\(objects)") }
  }

  @Test func `a code is not accepted as an argument`() throws {
    try expect("unexpected-argument", 64, "enter 271828")
    try expect("unknown-option", 64, "enter --code 271828")
    try expect("several-local-code-sources", 64, "enter --code-fd 0 --code-file code", "271828")
  }

  @Test func `a code comes from a file or a descriptor, too`() throws {
    let file = try directory.write("code", "271828\n".utf8)
    try #expect(lock("set --new-code-file \(file)").exitStatus == 0)
    let result = try Program.run(
      ["lock", "change", "--code-fd", "3", "--new-code-fd", "4"], environment: environment,
      descriptors: [3: [UInt8]("271828\n".utf8), 4: [UInt8]("314159\n".utf8)])
    #expect(result.exitStatus == 0)
    let exposed = try directory.write("exposed", "314159\n".utf8, permissions: 0o644)
    try expect("local-code-file-exposed", 64, "enter --code-file \(exposed)")
    try expect("local-code-unreadable", 64, "enter --code-fd 77")
    try expect("new-local-code-unreadable", 64, "change --code-fd 0 --new-code-fd 77", "314159")
  }

  @Test(arguments: [
    ("set", "", "new-local-code-missing"), ("set", "123", "local-code-length"),
    ("set", "1234567890123", "local-code-length"), ("set", "27182", "local-code-length"),
    ("set", "27182x", "local-code-not-digits"), ("set", "777777", "local-code-weak"),
    ("set", "654321", "local-code-weak"), ("set --length 3", "271828", "bad-code-length"),
    ("set --length 13", "271828", "bad-code-length"), ("enter", "271828", "local-code-not-set"),
    ("change", "271828\n314159", "local-code-not-set"),
  ])
  func `an invalid or untimely code is refused`(
    _ command: String, _ code: String, _ name: String
  ) throws {
    try expect(name, 64, command, code)
    #expect(access(directory.path("cie-read/local-code.json"), F_OK) != 0)
    #expect(try state() == ("not-set", nil, false))
  }

  @Test func `a file not made by this user alone is refused, and removed`() throws {
    let file = directory.path("cie-read/local-code.json")
    let spoilings: [(name: String, spoil: () -> Int32)] = [
      ("local-code-malformed", { truncate(file, 3) }),
      ("state-exposed", { chmod(file, 0o640) }),
      ("state-too-large", { truncate(file, 5000) }),
      ("state-not-plain", { rename(file, file + ".x") | symlink("local-code.json.x", file) }),
    ]
    for (name, spoil) in spoilings {
      try #expect(lock("set", "271828").exitStatus == 0)
      try #require(spoil() == 0)
      try expect(name, 64, "enter", "271828")
      try expect(name, 64, "status")
      try #expect(lock("forget").exitStatus == 0)
    }
  }

  @Test func `a folder that others may write to is refused`() throws {
    try makeFolder()
    try #require(chmod(directory.path("cie-read"), 0o777) == 0)
    try expect("state-exposed", 64, "set", "271828")
  }

  @Test func `a session that cannot be removed is no success`() throws {
    try makeFolder()
    try directory.makeFolder("cie-read/session")
    try expect("session-not-removed", 1, "forget")
  }

  @Test func `a folder that cannot be made is named`() throws {
    let (object, result) = try Program.json(
      ["lock", "set"], input: "271828\n", environment: ["XDG_STATE_HOME": "/proc/none"])
    #expect(try ReportedError(object).name == "state-unusable")
    #expect(result.exitStatus == 1)
  }
}
