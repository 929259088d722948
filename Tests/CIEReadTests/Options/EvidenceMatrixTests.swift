import Foundation
import TestSupport
import Testing
import VirtualCIE

/// The results of each function of the program without evidence of the chip: the table in
/// `CIECard.docc/MissingEvidence.md`.
@Suite struct EvidenceMatrixTests {
  @Test func `each function without evidence matches the table`() throws {
    let sandbox = try Sandbox()
    let rows = try MissingEvidence.allCases.map { lack in
      try [lack.name] + Self.functions.map { try Self.cell(of: $0, lack, sandbox) }
    }
    let heading = ["missing"] + Self.functions.map(\.name)
    let changes = try Pin.changes(
      ofTable: "evidence", in: MissingEvidence.document, heading, rows)
    #expect(changes == [])
  }

  /// A command of the program, and its input.
  private struct Function: Sendable {
    let name: String
    let arguments: [String]
    var input = ""
  }

  private static let persona = Persona.gemalto

  private static let functions = [
    Function(name: "nis", arguments: ["nis"]), Function(name: "verify", arguments: ["verify"]),
    Function(name: "verify --can", arguments: ["verify", "--can", persona.can]),
    Function(name: "read", arguments: ["read", "--can", persona.can, "--no-picture"]),
    Function(name: "cert", arguments: ["cert"], input: persona.pin),
    Function(name: "sign", arguments: ["sign", "--in", "/dev/null"], input: persona.pin),
    Function(name: "pin verify", arguments: ["pin", "verify"], input: persona.pin),
    Function(
      name: "pin change", arguments: ["pin", "change"], input: "\(persona.pin)\n86420864\n"),
    Function(
      name: "pin unblock", arguments: ["pin", "unblock"], input: "\(persona.puk)\n86420864\n"),
    Function(name: "login", arguments: ["login"], input: persona.pin),
    Function(name: "serve", arguments: ["serve"], input: persona.pin),
    Function(
      name: "doctor --with-pin", arguments: ["doctor", "--report", "report", "--with-pin"],
      input: persona.pin),
  ]

  private static func cell(
    of function: Function, _ lack: MissingEvidence, _ sandbox: Sandbox
  ) throws -> String {
    let directory = try TemporaryDirectory()
    // The conversation of the survey is in the report.
    let isSurvey = function.arguments.contains("report")
    let diary = directory.path(isSurvey ? "report" : "diary")
    let anchors = try (lack.isUnknownIssuer ? Persona.nxp : persona).writeAnchors(in: directory)
    let card =
      ["--virtual", persona.identifier, "--trust-only", anchors]
      + (isSurvey ? [] : ["--record", diary]) + (lack.fault.map { ["--fault", $0] } ?? [])
    var arguments = function.arguments.map { $0 == "report" ? diary : $0 }
    let outcome: String
    switch function.name {
    case "serve":
      outcome = try served(card, function.input, directory.path("socket"))
    case "login":
      arguments += ["--sp-url", try sandbox.address("spLogin"), "--consent", "yes"]
      arguments += ["--environment", try sandbox.environment()]
      outcome = try Self.outcome(Program.json(arguments + card, input: function.input).object)
    case "doctor --with-pin":
      let (object, _) = try Program.json(arguments + card, input: function.input)
      // Other findings on this machine are ignored.
      let survey = object["survey"] as? [[String: Any]] ?? []
      outcome = survey.contains { $0["subject"] as? String == "verify" } ? "ok" : "no PIN"
    default:
      outcome = try Self.outcome(Program.json(arguments + card, input: function.input).object)
    }
    let lines = try String(contentsOfFile: diary, encoding: .utf8).split(separator: "\n")
    let codes = lines.count { $0.hasPrefix("> 0C20") }
    guard !function.input.isEmpty else {
      #expect(codes == 0)
      return outcome
    }
    #expect(codes <= 1)
    return "\(outcome) · \(codes)"
  }

  private static func outcome(_ object: [String: Any]) -> String {
    let error = object["error"] as? [String: Any]
    let word =
      object["outcome"] as? String
      ?? (object["overall"] as? [String: Any])?["outcome"] as? String
      ?? (object["authenticity"] as? [String: Any])?["outcome"] as? String
    guard let error, let status = error["exit"] as? Int, let name = error["name"] as? String else {
      return word ?? "ok"
    }
    return "\(status) \(name)"
  }

  /// The answer to a page that requests the certificate from the service.
  private static func served(_ card: [String], _ pin: String, _ socket: String) throws -> String {
    let script = """
      socket=$1 body=$2
      shift 2
      "$@" > /dev/null 2>&1 &
      for ((tries = 0; tries < 600; tries++)); do [[ -S $socket ]] && break; sleep 0.05; done
      curl --silent --max-time 60 --unix-socket "$socket" --json "$body" http://localhost/v1/cert
      kill $!
      wait
      """
    let result = try BuiltBinary(path: "/usr/bin/env").run(
      ["bash", "-c", script, "bash", socket, #"{"pin":"\#(pin)"}"#, BuiltBinary("cie-read").path]
        + ["serve", "--allow", "cert", "--socket", socket, "--pin-entry", "page"] + card)
    let object = try JSONSerialization.jsonObject(with: Data(result.standardOutput))
    return outcome(try #require(object as? [String: Any]))
  }
}
