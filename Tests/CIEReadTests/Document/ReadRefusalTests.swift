import Foundation
import Messages
import TestSupport
import Testing
import VirtualCIE

/// Wrong codes, readers that are too small, refused command lines.
@Suite struct ReadRefusalTests {
  @Test func `a wrong CAN ends with the status of a wrong code`() throws {
    let (object, result) = try Program.json(["read", "--virtual", "--can", "000000"])
    #expect(result.exitStatus == 7)
    let error = try ReportedError(object)
    #expect(error.name == "wrong-can" && error.triesLeft == nil)
    #expect(error.step == "open-access" && error.statusWord == "6300")
    let plain = try Program.run(["read", "--virtual", "--can", "000000", "--language", "it"])
    #expect(plain.output == "")
    #expect(plain.errors.contains("La carta ha rifiutato il CAN."))
    #expect(!plain.errors.contains("lentamente"))
  }

  @Test func `a wrong zone ends with the status of a wrong code`() throws {
    let (object, result) = try Program.json(
      ["read", "--virtual", "--document", "CA00000AA", "--birth", "1985-01-31"]
        + ["--expiry", "31/01/2031"])
    #expect(result.exitStatus == 7)
    #expect(try ReportedError(object).name == "wrong-mrz")
  }

  @Test func `the tries that the document reports are shown`() throws {
    let (object, _) = try Program.json(
      ["read", "--virtual", "--can", "000000", "--option", "shown-tries=4"])
    #expect(try ReportedError(object).triesLeft == 3)
  }

  /// The delay is in the card: the test does not measure its own time, but the program's message. Five seconds are more
  /// than a bad link takes.
  @Test(arguments: [(2100, false), (5100, true)])
  func `a slow refusal is reported as slow`(milliseconds: Int, isTold: Bool) throws {
    let result = try Program.run(
      ["read", "--virtual", "--can", "000000", "--fault", "delay=\(milliseconds)@86:1"])
    #expect(result.exitStatus == 7)
    #expect(result.errors.contains("[wrong-can, "))
    let words = "The card answered slowly: it slows down after each wrong code."
    #expect(result.errors.contains(words) == isTold)
  }

  /// The last step of PACE may be refused for a wrong code or for any other reason: both are reported. About one run in
  /// 256 has a secret that begins with zero and is repeated: its last step is refused, too.
  @Test func `a refusal without a reason is reported with its possible causes`() throws {
    let arguments = [
      "read", "--virtual", "--can", Persona.gemalto.can, "--fault",
      "status=6985@86:4,status=6985@86:8",
    ]
    let error = try ReportedError(try Program.json(arguments).object)
    #expect(error.name == "access-refused" && error.exit == 7 && error.statusWord == "6985")
    let plain = try Program.run(arguments)
    #expect(plain.errors.contains("because of the CAN, or because the card or the reader failed"))
  }

  /// A bank card has neither EF.CardAccess nor the application.
  @Test func `a card that refuses every file is reported as no CIE`() throws {
    let faults = (1...8).flatMap { ["status=6A82@A4:\($0)", "status=6A82@B0:\($0)"] }
      .joined(separator: ",")
    for command in ["read", "verify"] {
      let (object, result) = try Program.json(
        [command, "--virtual", "--can", Persona.gemalto.can, "--fault", faults])
      #expect(result.exitStatus == 6)
      #expect(try ReportedError(object).name == "not-a-cie")
    }
  }

  @Test func `a document that needs extended length says so`() throws {
    let result = try Program.run(
      ["read", "--virtual", "--can", Persona.gemalto.can, "--option", "no-extended-length"])
    #expect(result.exitStatus == 12)
    #expect(result.errors.contains("[extended-length-needed, open-access"))
    #expect(result.errors.contains("ACR1252U"))
  }

  @Test(arguments: [
    (["--can", "12345"], "can-length"), (["--can", "1234567"], "can-length"),
    (["--can", "12345x"], "can-not-digits"), (["--can", "１２３４５６"], "can-length"),
    (["--can", ""], "can-missing"), (["--can-fd", "99"], "can-unreadable"),
    (["--can", "123456", "--can-fd", "0"], "several-access-codes"),
    (["--can", "123456", "--birth", "850131"], "several-access-codes"),
    (["--document", "CA00000AA"], "incomplete-mrz"),
    (["--birth", "850131", "--expiry", "310131"], "incomplete-mrz"),
    (["--document", "CA-00000", "--birth", "850131", "--expiry", "310131"], "bad-document-number"),
    (["--document", "CA00000AA", "--birth", "851331", "--expiry", "310131"], "bad-birth-date"),
    (["--document", "CA00000AA", "--birth", "850131", "--expiry", "soon"], "bad-expiry-date"),
    (["--mrz-file", "/proc/nonexistent"], "input-unreadable"),
    (["--mrz-file", "/dev/null"], "bad-mrz-file"),
    (["--mrz-file", "/etc/passwd"], "bad-mrz-file"),
    (["--can", "123456", "--only", "dg17"], "unknown-data-group"),
    (["--can", "123456", "--only", "dg1,,dg2"], "unknown-data-group"),
    (["--can", "123456", "--only", ""], "unknown-data-group"),
    (["--can", "123456", "--only", "dg3"], "protected-data-group"),
    (["--can", "123456", "--photo", "-"], "output-twice"),
    (["--can", "123456", "--reader", "0"], "several-sources"),
    (["--can", "123456", "--out", "/etc"], "folder-not-empty"),
  ])
  func `a wrong command line of read has a named error`(_ arguments: [String], _ name: String)
    throws
  {
    for language in Language.allCases.map(\.rawValue) {
      let result = try Program.run(["read", "--virtual", "--language", language] + arguments)
      #expect(result.exitStatus == 64)
      #expect(result.output == "")
      #expect(result.errors.contains("[\(name); exit 64]"))
    }
  }

  @Test func `a wrong check digit in the zone's file fails before the card is asked`() throws {
    let directory = try TemporaryDirectory()
    let zone = Persona.gemalto.mrzLines.joined(separator: "\n")
    let birth = Persona.gemalto.birthDate
    let wrong = zone.replacing(birth, with: "9" + birth.dropFirst())
    #expect(wrong != zone)
    let file = try directory.write("mrz", [UInt8](wrong.utf8))
    let (object, result) = try Program.json(["read", "--virtual", "--mrz-file", file])
    #expect(result.exitStatus == 64)
    #expect(try ReportedError(object).name == "mrz-check-digit")
  }

  /// CAN and zone are in no message and no diary, and the data of a failed reading in neither.
  @Test(arguments: [
    "wrong-mac@B0:6", "card-removed@B0:6", "truncated-answer@B0:6", "card-mute@86:3",
    "wrong-token", "endless-61xx@B0:6", "pace-value=mapping-identity", "",
  ])
  func `the CAN and the zone reach no output`(_ fault: String) throws {
    let persona = Persona.gemalto
    let directory = try TemporaryDirectory()
    let diary = directory.path("diary")
    let zone = [
      "--document", persona.documentNumber, "--birth", persona.birthDate,
      "--expiry", persona.expiryDate,
    ]
    for code in [["--can", persona.can], zone] {
      let result = try Program.run(
        ["read", "--virtual", "--record", diary] + code + (fault.isEmpty ? [] : ["--fault", fault]))
      guard case .exited = result.end else {
        Issue.record("\(fault) ended by \(result.end)")
        return
      }
      let text = String(decoding: try directory.read("diary"), as: UTF8.self)
      for secret in [
        persona.can, persona.documentNumber, persona.birthDate, persona.expiryDate,
        persona.surname, persona.fiscalCode,
      ] {
        #expect(!result.errors.contains(secret) && !text.contains(secret))
        #expect(fault.isEmpty || !result.output.contains(secret))
      }
    }
  }
}
