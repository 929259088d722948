import TestSupport
import Testing

/// `cie-lab trace-lint` and `mutate-trace` from the command line.
@Suite struct TraceToolTests {
  private let lab: BuiltBinary
  private let good = Repository.path("CardTraces/virtual/gemalto-verify-pin.trace")

  init() throws { lab = try BuiltBinary("cie-lab") }

  /// Changes a good trace and lints a folder with only that trace; findings about the incomplete folder are left out.
  private func findings(
    _ piece: String, to other: String, as path: String = "virtual/gemalto-verify-pin.trace"
  ) throws -> [String] {
    let folder = try TemporaryDirectory()
    for name in ["virtual", "attack", "spec"] { try folder.makeFolder(name) }
    let text = String(decoding: try Repository.read(good), as: UTF8.self)
    try #require(text.contains(piece))
    let changed = text.split(separator: piece, maxSplits: 1, omittingEmptySubsequences: false)
      .joined(separator: other)
    try folder.write(path, [UInt8](changed.utf8))
    let result = try lab.run(["trace-lint", folder.path("")])
    #expect(result.exitStatus == 1)
    return result.errors.split(separator: "\n").map(String.init).filter { $0.hasPrefix(path) }
  }

  @Test func `lint finds nothing in a good trace`() throws {
    #expect(try findings("title: ", to: "title: ").isEmpty)
  }

  @Test(arguments: [
    ("title: ", "titel: ", ":1: unknownKey(\"titel\")"),
    ("persona: gemalto", "persona: mario", ": no persona is called mario"),
    ("atr: ", "fault: card-mute\natr: ", ": the fault card-mute outside the folder of attacks"),
    ("title: ", "title: 123123123123, ", ": 123123123123 belongs to no persona"),
    ("title: ", "title: CA00000AA, ", ": CA00000AA belongs to no persona"),
    ("title: ", "title: RSSMRA80A01H501U, ", ": RSSMRA80A01H501U belongs to no persona"),
    ("< 9000", "< 3939393132333435363738399000", ": 999123456789 belongs to no persona"),
  ])
  func `lint finds each planted mistake`(piece: String, other: String, finding: String) throws {
    let found = try findings(piece, to: other)
    #expect(found.contains("virtual/gemalto-verify-pin.trace" + finding), "\(found)")
  }

  @Test func `lint finds misplaced files`() throws {
    let named = "virtual/nxp-verify-pin.trace"
    #expect(
      try findings("title: ", to: "title: ", as: named) == [
        named + ": a trace of gemalto-verify-pin under another name"
      ])
    let attack = "attack/a.trace"
    #expect(
      try findings("title: ", to: "title: ", as: attack) == [attack + ": an attack without fault"])
    #expect(
      try findings("atr: ", to: "fault: card-mute\natr: ", as: attack) == [
        attack + ": an attack that succeeds"
      ])
    let spec = "spec/a.trace"
    #expect(
      try findings("title: ", to: "title: ", as: spec) == [
        spec + ": the software card in the folder of specifications"
      ])
    let stray = "spec/notes.txt"
    #expect(try findings("title: ", to: "title: ", as: stray) == [stray + ": not a trace"])
  }

  @Test func `lint lists functions and faults without a trace`() throws {
    let folder = try TemporaryDirectory()
    let result = try lab.run(["trace-lint", folder.path("")])
    #expect(result.exitStatus == 1)
    #expect(result.errors.contains("virtual: no successful trace of sign for nxp\n"))
    #expect(result.errors.contains("attack: no trace of stale-counter\n"))
  }

  /// Another place of the change in the same answer is no other attack.
  @Test func `lint finds an attack that is there twice`() throws {
    let folder = try TemporaryDirectory()
    try folder.makeFolder("attack")
    let attack = try TraceFile.at("attack/flip-1-84-1-sign").bytes()
    let text = String(decoding: attack, as: UTF8.self)
    try folder.write("attack/a.trace", attack)
    let again = text.replacing("fault: flip=1@", with: "fault: flip=2@")
    try folder.write("attack/b.trace", [UInt8](again.utf8))
    let other = text.replacing("fault: flip=1@", with: "fault: cut=2@")
    try folder.write("attack/c.trace", [UInt8](other.utf8))
    let errors = try lab.run(["trace-lint", folder.path("")]).errors
    #expect(errors.contains("attack/b.trace: the effect of a again: authenticate-terminal 84:1"))
    #expect(!errors.contains("attack/c.trace"))
    #expect(errors.contains("attack: 3 traces, fewer than 300\n"))
  }

  private func mutate(
    exchange: Int, _ change: String, expect: String
  ) throws -> ProcessResult {
    try lab.run([
      "mutate-trace", good, "--exchange", "\(exchange)", "--change=\(change)", "--expect", expect,
      "--title", "A test",
    ])
  }

  @Test(arguments: [
    (18, "flip=-3", "not-believed-wrong-mac at authenticate-terminal"),
    (18, "strip", "not-believed-unprotected at authenticate-terminal"),
    (18, "duplicate", "not-believed-wrong-mac at authenticate-terminal"),
    (18, "cut=20", "not-believed-malformed at authenticate-terminal"),
    (34, "strip", "not-believed-unprotected at verify-pin"),
  ])
  func `a mutated trace names its outcome`(exchange: Int, change: String, expect: String) throws {
    let result = try mutate(exchange: exchange, change, expect: expect)
    #expect(result.errors == "")
    #expect(result.exitStatus == 0)
    #expect(result.output.contains("\nfault: \(change)@\(exchange)\n"))
    #expect(result.output.contains("\nexpect: \(expect)\n"))
    #expect(result.output.split(separator: "\n").filter { $0.hasPrefix("> ") }.count == exchange)
  }

  @Test(arguments: [
    (18, "strip", "ok"), (99, "strip", "ok"), (0, "strip", "ok"), (18, "flip=999", "ok"),
    (18, "flip=0", "ok"), (18, "cut=1", "ok"), (1, "duplicate", "ok"), (1, "strip", "ok"),
    (18, "twist", "ok"),
  ])
  func `a mutation that cannot be made is refused`(exchange: Int, change: String, expect: String)
    throws
  {
    let result = try mutate(exchange: exchange, change, expect: expect)
    #expect(result.exitStatus != 0)
    #expect(result.output == "")
    #expect(result.errors != "")
  }

  /// The changes that a test run must notice: a file that is missing, changed or no longer made.
  @Test func `a recording is compared with the folder`() throws {
    let folder = try TemporaryDirectory()
    try folder.makeFolder("virtual")
    let name = "virtual/gemalto-verify-pin.trace"
    let bytes = try Repository.read(good)
    try folder.write("virtual/gemalto-verify-pin-old.trace", bytes)
    try folder.write(name, bytes)
    let result = try lab.run(
      ["record-traces", "--check", folder.path("")], timeLimit: .seconds(300))
    #expect(result.exitStatus == 1)
    let listed = Set(result.output.split(separator: "\n").map(String.init))
    #expect(listed.contains("virtual/gemalto-verify-pin-old.trace"))
    #expect(listed.contains("virtual/gemalto-sign.trace"))
    #expect(listed.contains("attack/README.md") && listed.contains("made.txt"))
    #expect(listed.contains("option/no-root-gemalto-authenticity.trace"))
    #expect(!listed.contains(name))
    #expect(try folder.read(name) == bytes)
  }
}
