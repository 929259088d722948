import CIECard
import Foundation
import TestSupport
import Testing
import VirtualCIE

@testable import cie_read

/// `trace from-report`: a log and a report become the options of a software card, and a trace.
@Suite struct FieldSessionTests {
  /// Not visible in a report: they would take wrong codes, or are not asked.
  private static let unseen: Set = [
    "last-try-swapped", "token-refusal", "shown-tries", "failure-delay", "active-authentication",
    "no-card-security", "no-chip-key",
  ]
  /// Commands that the survey does not send in extended form.
  private static let unsent: Set = [
    "pace", "chip-authentication", "certificate", "external-authenticate", "internal-authenticate",
  ]
  /// The usual behaviour of these cards, and what only a card with 3DES shows.
  private static let usual: [String: Set<String>] = [
    "gemalto": ["combined-parameters", "no-extended-length"],
    "itj4": [
      "separate-parameters", "no-root-aid", "nonce", "no-set-kat", "announced-length=two-bytes",
    ],
  ]

  /// Every option is found in the report of a card that has it, and no other.
  @Test(arguments: ["gemalto", "itj4"])
  func `every option comes back from a report`(_ name: String) throws {
    let persona = try #require(Persona.named(name))
    func answers(_ options: [String]) throws -> [String: String] {
      try ReportedCard.answers(
        of: SoftwareCard(persona, options), isOpened: true, isVerified: false,
        in: TraceSession.quiet)
    }
    let base = try answers([])
    for option in CardOptions.examples {
      let parts = option.split(separator: "=").map(String.init)
      guard !Self.unseen.contains(parts[0]),
        parts[0] != "no-extended-length" || parts.count < 2 || !Self.unsent.contains(parts[1])
      else { continue }
      let found = CardExplanation(card: try answers([option]), base: base).options
      let isUsual =
        found.isEmpty && Self.usual[name]?.isDisjoint(with: [parts[0], option]) == false
      #expect(Array(Set(found)) == [option] || isUsual, "\(option) came back as \(found)")
    }
  }

  /// A log and a report of one software card give a trace that follows the log, and replays.
  @Test(arguments: [
    ("gemalto", ["nis"], "", "nis"), ("itj4", ["verify"], "", "authenticity"),
    ("st", ["cert"], "pin", "certificate"), ("nxp", ["pin", "verify"], "pin", "verify-pin"),
    ("gemalto2", ["pin", "change"], "pin\n86420864", "change-pin"),
    ("senior", ["info"], "", "info"),
    ("unknown", ["pin", "unblock"], "puk\n86420864", "unblock-pin"),
  ])
  func `a session becomes a trace`(
    _ name: String, _ command: [String], _ codes: String, _ journey: String
  ) throws {
    let persona = try #require(Persona.named(name))
    let folder = try TemporaryDirectory()
    let (log, report, out) = (folder.path("log"), folder.path("report"), folder.path("out.trace"))
    let card = ["--virtual", name, "--option", "exact-le"]
    let input = codes.replacing("pin", with: persona.pin).replacing("puk", with: persona.puk)
    let recorded = try Program.run(command + card + ["--record", log], input: input)
    #expect(recorded.exitStatus == 0, "\(recorded.errors)")
    _ = try Program.run(["doctor", "--report", report] + card)
    let (object, result) = try Program.json(["trace", "from-report", log, report, "--out", out])
    #expect(result.exitStatus == 0, "\(result.errors)")
    #expect(object["options"] as? [String] == ["exact-le"])
    #expect(object["journey"] as? String == journey)
    #expect(object["same"] as? Bool == true, "\(object["first"] ?? "")")
    #expect(try Program.run(["trace", "check", out]).exitStatus == 0)
    #expect(try Program.run(["trace", "diff", log, out]).exitStatus == 0)
  }

  /// The content of another card: a longer certificate, and a longer EF.SOD with one more piece.
  @Test func `the files have the lengths of the log`() throws {
    let folder = try TemporaryDirectory()
    let (log, report, out) = (folder.path("log"), folder.path("report"), folder.path("out.trace"))
    let pin = Persona.gemalto.pin
    _ = try Program.run(["cert", "--virtual", "--record", log], input: pin)
    _ = try Program.run(["doctor", "--virtual", "--report", report])
    let text = try String(contentsOf: URL(fileURLWithPath: log), encoding: .utf8)
    try #require(text.contains("< 9000 +154 ") && text.contains("< 9000 +210 "))
    let longer = text.replacing(
      /< 9000 \+154 (\d+) ms\n/,
      with: { "< 9000 +250 \($0.1) ms\n> 0CB0081F +15\n< 9000 +89 \($0.1) ms\n" }
    ).replacing("< 9000 +210 ", with: "< 9000 +226 ")
    try Data(longer.utf8).write(to: URL(fileURLWithPath: log))
    let (object, _) = try Program.json(["trace", "from-report", log, report, "--out", out])
    #expect(object["same"] as? Bool == true, "\(object["first"] ?? "")")
    let lengths = try #require(object["lengths"] as? [[String: Any]])
    #expect(lengths.map { $0["file"] as? String } == ["1003", "1006"])
    #expect(lengths.allSatisfy { $0["extra"] as? Int ?? 0 > 8 })
    #expect(try Program.run(["trace", "check", out]).exitStatus == 0)
  }

  @Test func `each file must be of its kind`() throws {
    let folder = try TemporaryDirectory()
    let (log, out) = (folder.path("log"), folder.path("out"))
    let trace = Repository.path("CardTraces/virtual/gemalto-nis.trace")
    _ = try Program.run(["nis", "--virtual", "--record", log])
    let report = folder.path("report")
    _ = try Program.run(["doctor", "--virtual", "--report", report])
    for (files, error) in [
      ([log], "is not a report"), ([log, log, "--out", out], "is not a report"),
      ([trace, report, "--out", out], "already a trace"), ([log, report], "--out"), ([], "--out"),
      ([report, report, "--out", out], "a report of doctor"),
    ] {
      let result = try Program.run(["trace", "from-report"] + files)
      #expect(result.exitStatus == 64, "\(files)")
      #expect(result.errors.contains(error), "\(files): \(result.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: out))
    let alone = try Program.run(["trace", "from-report", report])
    #expect(alone.output == "--virtual gemalto\n" && alone.exitStatus == 0)
  }
}
