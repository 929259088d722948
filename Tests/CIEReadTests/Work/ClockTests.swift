import Arguments
import CIECard
import Foundation
import Messages
import Primitives
import TestSupport
import Testing
import VirtualCIE

@testable import CardWork
@testable import cie_read

/// Clocks that cannot be right, over the commands: each names the clock, and none calls anything expired or not yet
/// valid because of it.
@Suite struct ClockTests {
  /// A year, and the error of each command in it; `ok` for none.
  struct Row: Sendable {
    let command: String
    /// In 1970, 2019 and 2040.
    let errors: [String]
  }

  /// The document is valid from 2024 to 2034, its signer and the holder's certificate until 2045.
  static let table = [
    Row(command: "nis", errors: ["ok", "ok", "ok"]),
    Row(command: "nis --require-proved", errors: ["clock-early", "clock-early", "ok"]),
    Row(command: "verify", errors: ["clock-early", "clock-early", "ok"]),
    Row(command: "verify CAN", errors: ["clock-early", "clock-early", "ok"]),
    Row(
      command: "verify CAN --require-valid",
      errors: ["clock-early", "clock-early", "document-expired"]),
    Row(command: "read CAN", errors: ["ok", "ok", "ok"]),
    Row(
      command: "read CAN --require-valid",
      errors: ["clock-early", "clock-early", "document-expired"]),
    Row(
      command: "verify FILES", errors: ["could-not-check", "could-not-check", "could-not-check"]),
    Row(
      command: "verify FILES --require-valid",
      errors: ["clock-early", "clock-early", "document-expired"]),
    Row(command: "cert PIN", errors: ["ok", "ok", "ok"]),
    Row(command: "pin verify PIN", errors: ["ok", "ok", "ok"]),
    Row(command: "info", errors: ["ok", "ok", "ok"]),
    Row(command: "doctor", errors: ["clock-early", "clock-early", "ok"]),
    // A signature alone has no time.
    Row(command: "sign TEXT PIN", errors: ["ok", "ok", "ok"]),
    Row(command: "sign --format cades TEXT PIN", errors: ["clock-early", "clock-early", "ok"]),
    Row(command: "check SIGNED", errors: ["clock-early", "clock-early", "signature-not-checked"]),
    Row(command: "trust list", errors: ["ok", "ok", "ok"]),
  ]

  static let years: [(year: Int, index: Int)] = [(1970, 0), (2019, 1), (2040, 2)]

  private func perform(
    _ command: String, in year: Int
  ) throws -> (outcome: CommandOutcome, text: String, warnings: String) {
    let persona = Persona.gemalto
    let folder = try TemporaryDirectory()
    let trust = try persona.writeAnchors(in: folder)
    let card = ["--virtual", persona.identifier, "--trust", trust]
    var arguments: [String] = []
    for word in command.split(separator: " ").map(String.init) {
      switch word {
      case "CAN": arguments += ["--can", persona.can]
      case "PIN": arguments += ["--pin-file", try folder.write("pin", [UInt8](persona.pin.utf8))]
      case "TEXT": arguments.append(try folder.write("a.txt", "text".utf8))
      case "SIGNED":
        arguments.append(Repository.url("Tests/CIEReadTests/SignedFiles/letter.txt.p7m").path)
      case "FILES":
        try folder.makeFolder("files")
        for (name, bytes) in persona.savedFiles { try folder.write("files/\(name)", bytes) }
        arguments += ["--from", folder.path("files"), "--trust", trust]
      default: arguments.append(word)
      }
    }
    if !command.hasPrefix("check"), !command.hasPrefix("trust"), !command.contains("FILES") {
      arguments += ["info", "doctor"].contains(command) ? Array(card.prefix(2)) : card
    }
    let start = UTCCalendar.start(year: year, month: 3, day: 1)
    var context = RunContext(.english, Interruption(takesSignals: false)) {
      UTCTime(seconds: start)
    }
    context.isJSON = true
    guard
      case .command(let parsed) = try Parser.parse(arguments, of: CieRead.self, text: \.systemText),
      let command = parsed as? any CardCommand
    else { throw CocoaError(.featureUnsupported) }
    let outcome = CommandOutcome { () throws(Failure) in try command.perform(in: context) }
    let text = outcome.lines.joined(separator: "\n") + JSON.object(outcome.members).text
    return (outcome, text, JSON.object(context.notices.elements).text)
  }

  @Test(arguments: table)
  func `each command names a wrong clock`(_ row: Row) throws {
    for (year, index) in Self.years {
      let (outcome, text, warnings) = try perform(row.command, in: year)
      let name = outcome.failure.map { Diagnosis($0).name } ?? "ok"
      #expect(name == row.errors[index], "\(row.command), \(year)")
      guard year < 2024 else { continue }
      for word in [
        "xpired on", "EXPIRED", "not-yet-valid", "not valid before", "\"expired\":true", "1934-",
        "1885-",
      ] {
        let isSaid = text.contains(word)
        #expect(!isSaid, "\(row.command), \(year): \(word)")
      }
      if row.command.hasPrefix("cert") { #expect(warnings.contains("clock-early")) }
    }
  }

  @Test func `the century of an expiry does not come from the clock`() throws {
    for year in [1970, 2019, 2040, 2099] {
      let (outcome, _, _) = try perform("verify CAN", in: year)
      #expect(JSON.object(outcome.members).text.contains("\"validUntil\":\"2034-03-01\""))
    }
  }

  @Test func `the newest anchor of the program is the one that is stated`() {
    let stores = [TrustStore.italian, .masterListSigners]
    let issued = stores.flatMap(\.certificates).map(\.notBefore)
    #expect(issued.max() == TrustStore.newestBuiltIn)
  }
}
