import Foundation
import TestSupport
import Testing
import VirtualCIE

/// The result of every journey with every option of the software card: the table in `Tests/README.md`, made by the
/// built program and compared with the committed one.
@Suite struct OptionMatrixTests {
  @Test func `every journey with every option matches the table`() async throws {
    let directory = try TemporaryDirectory()
    var folders: [String: Anchors] = [:]
    for persona in Persona.all {
      folders[persona.identifier] = Anchors(
        identity: try persona.writeAnchor(in: directory),
        document: try directory.write("\(persona.identifier)-document.der", persona.documentCSCA))
    }
    let anchors = folders
    let options = [""] + CardOptions.examples
    let rows = try await withThrowingTaskGroup(of: (Int, [String]).self) { group in
      for (index, option) in options.enumerated() {
        group.addTask { (index, try Self.row(option, anchors)) }
      }
      var rows = options.map { [$0] }
      for try await (index, row) in group { rows[index] = row }
      return rows
    }
    let heading = ["option", "card"] + Self.journeys.map(\.name)
    let changes = try Pin.changes(ofTable: "options", in: "Tests/README.md", heading, rows)
    #expect(changes == [])
  }

  /// Files with the test authorities of a persona.
  private struct Anchors: Sendable {
    let identity: String
    let document: String
  }

  /// A command of the program; `%anchor` stands for the authority of the IAS side, `%document` for that of the
  /// travel document, `%can` for the card access number.
  private struct Journey: Sendable {
    let name: String
    let arguments: [String]
    let input: @Sendable (Persona) -> String

    init(
      _ name: String, _ arguments: String,
      input: @escaping @Sendable (Persona) -> String = { _ in "" }
    ) {
      self.name = name
      self.arguments = arguments.split(separator: " ").map(String.init)
      self.input = input
    }
  }

  private static let journeys = [
    Journey("info", "info"), Journey("nis", "nis --trust-only %anchor"),
    Journey("verify", "verify --trust-only %anchor"),
    Journey("cert", "cert") { $0.pin }, Journey("pin verify", "pin verify") { $0.pin },
    Journey("wrong PIN", "pin verify") { _ in "00000000" },
    Journey("pin change", "pin change") { "\($0.pin)\n86420864\n" },
    Journey("pin unblock", "pin unblock") { "\($0.puk)\n86420864\n" },
    Journey("sign", "sign --in /dev/null") { $0.pin },
    Journey("read", "read --can %can --no-picture --trust-only %document"),
    Journey("wrong CAN", "read --can 000000 --no-picture --trust-only %document"),
    Journey(
      "verify --can", "verify --can %can --trust-only %anchor --trust-only %document"),
  ]

  private static func row(_ option: String, _ anchors: [String: Anchors]) throws -> [String] {
    let persona = Persona.showing(option)
    let own = try #require(anchors[persona.identifier])
    let outcomes = try journeys.map { try outcome(of: $0, option, persona, own) }
    return [option.isEmpty ? "none" : "`\(option)`", persona.identifier] + outcomes
  }

  private static func outcome(
    of journey: Journey, _ option: String, _ persona: Persona, _ anchors: Anchors
  ) throws -> String {
    let arguments = journey.arguments.map { word in
      switch word {
      case "%anchor": anchors.identity
      case "%document": anchors.document
      case "%can": persona.can
      default: word
      }
    }
    let (object, result) = try Program.json(
      arguments + ["--virtual", persona.identifier]
        + (option.isEmpty ? [] : ["--option", option]),
      input: journey.input(persona))
    let status = try #require(result.exitStatus)
    if let error = object["error"] as? [String: Any] {
      return "\(status) \(error["name"] as? String ?? "?")"
    }
    let word =
      object["outcome"] as? String
      ?? (object["authenticity"] as? [String: Any])?["outcome"] as? String
    return (status == 0 ? "" : "\(status) ") + (word ?? "ok")
  }
}
