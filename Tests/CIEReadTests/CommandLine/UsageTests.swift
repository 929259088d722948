import TestSupport
import Testing
import VirtualCIE

/// Refused command lines: with 64, in every language, and without repeating the input.
@Suite struct UsageTests {
  /// Nine digits that appear nowhere else in the output.
  private static let stray = "90817263"

  @Test(arguments: [
    ["pin", "verify", stray], ["pin", "verify", "--pin", stray],
    ["pin", "verify", "--pin=" + stray],
    ["pin", "verify", "--" + stray], ["pin", "verify", "-" + stray], ["pin", stray], [stray],
    ["pin", "verify", "--pin" + stray], ["pin", "change", stray, stray],
    ["pin", "verify", "--pin-fd", "x" + stray], ["pin", "verify", "--pin-file", stray],
    ["pin", "verify", "--virtual", stray], ["pin", "verify", "--virtual=" + stray],
    ["pin", "verify", "--wait", stray], ["pin", "verify", "--language", stray],
    ["cert", "--format", stray], ["cert", "--json=" + stray], ["verify", "--challenge", stray],
    ["nis", "--virtual", "--fault", stray], ["pin", "verify", "--", stray], ["help", stray, stray],
    ["pin", "verify", "--pin-fd=" + stray + stray], ["nis", "-p" + stray], ["--pin", stray, "nis"],
  ])
  func `digits typed in the wrong place are not echoed`(_ arguments: [String]) throws {
    for language in ["C", "it_IT.UTF-8", "de_DE.UTF-8", "fr_FR.UTF-8", "sl_SI.UTF-8"] {
      let plain = try Program.run(arguments, environment: ["LANG": language])
      #expect(!plain.output.contains(Self.stray) && !plain.errors.contains(Self.stray))
      let json = try Program.run(["--json"] + arguments, environment: ["LANG": language])
      #expect(!json.output.contains(Self.stray) && !json.errors.contains(Self.stray))
      if arguments.first != "help" {
        #expect(plain.exitStatus == 64)
        #expect(plain.output == "")
      }
    }
  }

  @Test(arguments: [
    (["verfy"], ["\"verfy\"", "cie-read verify"]),
    (["pin", "chnge"], ["\"chnge\"", "cie-read pin change"]),
    (["browser", "install", "chrome"], ["\"chrome\"", "firefox", "chromium", "openssh"]),
    (["nis", "--language", "xx"], ["\"xx\"", "it", "sl"]),
    (["nis", "--language", "1234"], ["--language", "it", "sl"]),
    (["cert", "--format", "word"], ["\"word\"", "pem", "der", "text"]),
    (["nis", "--virtal"], ["--virtal", "--virtual"]),
  ])
  func `a mistake is named, and so is what may be meant`(
    _ arguments: [String], _ words: [String]
  ) throws {
    let result = try Program.run(arguments)
    #expect(result.exitStatus == 64)
    for word in words { #expect(result.errors.contains(word), "\(result.errors)") }
  }

  /// They write no file.
  @Test(arguments: [["status"], ["reset"], ["demo"], ["logout"], ["trust", "list"]])
  func `--force is only where a file is written`(_ command: [String]) throws {
    let (object, result) = try Program.json(command + ["--force"])
    #expect(result.exitStatus == 64)
    #expect(try ReportedError(object).name == "unknown-option")
  }

  @Test(arguments: [
    (["nis", "--reader", "0", "--virtual"], "several-sources"),
    (["nis", "--virtual", "--replay", "x"], "several-sources"),
    (["nis", "--fault", "card-removed"], "fault-without-virtual"),
    (["nis", "--option", "no-bac"], "fault-without-virtual"),
    (["nis", "--replay", "x", "--record", "y"], "record-of-replay"),
    (["nis", "--virtual", "nobody"], "unknown-persona"),
    (["demo", "--virtual", "nobody"], "unknown-persona"),
    (["--virtual", "nobody", "nis"], "unknown-persona"),
    (["nis", "--virtual=nobody"], "unknown-persona"),
    (["trust", "list", "--virtual"], "unknown-option"),
    (["--wait", "1", "trust", "list"], "unknown-option"),
    (["demo", "--reader", "0"], "unknown-option"),
    (["watch", "--virtual", "--wait", "3"], "unknown-option"),
    (["watch", "--virtual", "--require-valid"], "wrong-watch-option"),
    (["nis", "--json=yes"], "usage"), (["nis", "--language", "xx"], "bad-value"),
    (["nis", "--virtual", "--fault", "explosion"], "bad-fault"),
    (["nis", "--virtual", "--option", "explosion"], "bad-option"),
    (["nis", "--virtual", "--option", "nonce=9"], "bad-option"),
    (["nis", "--virtual", "--fault", "delay"], "bad-fault"),
    (["nis", "--virtual", "--fault", "card-removed@soon"], "bad-fault"),
    (["nis", "--wait=-1"], "bad-wait"),
    (["nis", "--wait", "90000"], "bad-wait"),
    (["nis", "--wait", "long"], "bad-value"),
    (["verify", "--virtual", "--challenge", "00"], "bad-challenge"),
    (["verify", "--virtual", "--challenge", "xy"], "bad-challenge"),
    (["verify", "--virtual", "--challenge", String(repeating: "00", count: 103)], "bad-challenge"),
    (
      ["verify", "--challenge", "00112233445566778899", "--challenge=00112233445566778899"],
      "repeated-option"
    ),
    (["nis", "--audience", "a", "--audience", "b", "--evidence", "x"], "repeated-option"),
    (["verify", "--evidence", "-", "--max-age", "9", "--max-age", "99"], "repeated-option"),
    (
      ["verify", "--evidence", "-", "--require", "ias", "--require", "document"], "repeated-option"
    ),
    (["verify", "--evidence", "-", "--max-age", "-5"], "bad-value"),
    (["verify", "--evidence", "-", "--max-age", "1m"], "bad-value"),
    (["verify", "--evidence", "-", "--max-age", "99999999999999999999"], "bad-value"),
    (["verify", "--evidence", "-", "--require", "ias,chip"], "unknown-part"),
    (["verify", "--evidence", "-", "--require", ""], "unknown-part"),
    (["verify", "--virtual", "--require", "ias"], "evidence-missing"),
    (["verify", "--evidence", "-", "--challenge-file", "-"], "standard-input-twice"),
    (["verify", "--virtual", "--challenge-file", "/dev/null"], "bad-challenge"),
    (["verify", "--virtual", "--challenge-file", "/proc/version"], "bad-challenge"),
    (["verify", "--virtual", "--challenge-file", "/proc/nonexistent"], "input-unreadable"),
    (
      ["verify", "--virtual", "--challenge", "0011223344556677", "--challenge-file", "/dev/null"],
      "several-challenges"
    ),
    (["nis", "--virtual", "--challenge-file", "/dev/null"], "evidence-missing"),
    (["verify", "--virtual", "--trust", "/proc/nonexistent"], "trust-not-found"),
    (["verify", "--virtual", "--trust", "/dev/null"], "trust-not-a-file"),
    (["nis", "--replay", "/proc/nonexistent"], "input-unreadable"),
    (["nis", "--replay", "/etc/passwd"], "trace-malformed"),
    (["sign", "--virtual"], "missing-option"),
    (["sign", "--virtual", "--in"], "missing-value"),
    (["sign", "--virtual", "--in", "/proc/nonexistent"], "input-unreadable"),
    (["sign", "--virtual", "--in", "a", "--in", "b", "--out", "c"], "out-count"),
    (["sign", "--virtual", "--in", "a", "--in", "b", "--out", "-", "--out", "-"], "output-twice"),
    (["sign", "--virtual", "--in", "-", "--in", "-"], "standard-input-twice"),
    (["cert", "--virtual", "--format", "word"], "bad-value"),
    (["nis", "--jsn"], "unknown-option"),
    (["steal"], "unknown-command"), (["pin", "steal"], "unknown-command"),
    (["nis", "please"], "unexpected-argument"),
    (["trust", "import", "/proc/nonexistent"], "trust-not-found"),
    (["trust", "import", "/etc/passwd"], "trust-not-a-master-list"),
    (["trust", "import"], "missing-option"), (["trust", "steal"], "unknown-command"),
    (["pin"], "no-command"), (["trust"], "no-command"),
    (["--virtual"], "no-command"),
  ])
  func `a wrong command line has a named error`(_ arguments: [String], _ name: String) throws {
    let plain = try Program.run(arguments)
    #expect(plain.exitStatus == 64)
    #expect(plain.output == "")
    #expect(plain.errors.contains("[\(name); exit 64]"))
    let json = try Program.json(arguments)
    #expect(try ReportedError(json.object).name == name)
  }

  @Test
  func `a misspelt option has a suggestion`() throws {
    for (typed, meant) in [("--jsn", "--json"), ("--replya", "--replay"), ("--trsut", "--trust")] {
      let result = try Program.run(["nis", typed])
      #expect(result.errors.contains("There is no option \(typed); did you mean \(meant)?"))
    }
    #expect(try Program.run(["nis", "--photo"]).errors.contains("There is no option --photo."))
  }

  @Test func `binary data and JSON do not share a stream`() throws {
    for arguments in [
      ["cert", "--virtual", "--format", "der"],
      ["sign", "--virtual", "--in", "/dev/null", "--out", "-"],
    ] {
      let (object, result) = try Program.json(arguments, input: Persona.gemalto.pin)
      #expect(result.exitStatus == 64)
      #expect(try ReportedError(object).name == "output-twice")
    }
  }
}
