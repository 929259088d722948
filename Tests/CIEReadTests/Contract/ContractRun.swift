import Foundation
import TestSupport
import VirtualCIE

/// A script that is run in one language, in a separate folder.
final class ContractRun {
  private let script: ContractScript
  private let language: String
  private let folder: TemporaryDirectory
  private let values: [(name: String, value: String)]

  init(_ script: ContractScript, _ language: String, _ sandbox: Sandbox? = nil) throws {
    self.script = script
    self.language = language
    folder = try TemporaryDirectory()
    var values = [("folder", folder.url.path), ("repository", Repository.path(""))]
    let text = script.head
    if text.contains("{module}") {
      values.append(("module", try BuiltBinary("libcie-pkcs11.so").path))
    }
    if text.contains("{trust}") {
      try folder.makeFolder("trust")
      for (name, anchor) in [
        ("card", Persona.gemalto.csca), ("document", Persona.gemalto.documentCSCA),
        ("document2", Persona.gemalto2.documentCSCA),
      ] { try folder.write("trust/\(name).der", anchor) }
      values.append(("trust", folder.path("trust")))
    }
    if let sandbox, let fault = script.sandbox {
      try sandbox.clear()
      if text.contains("{link}") { values.append(("link", try sandbox.cardLink())) }
      values.append(("environment", try sandbox.environment()))
      values.append(("service", try sandbox.address("spLogin")))
      values.append(("description", try sandbox.address("service")))
      if text.contains("{password}") {
        try folder.write("password.txt", [UInt8](try sandbox.password(of: "password").utf8))
        values.append(("password", folder.path("password.txt")))
      }
      if fault != "-" { try sandbox.arm(fault) }
    }
    self.values = values
    for file in script.files { try folder.write(file.name, [UInt8](filled(file.text).utf8)) }
  }

  /// Runs it.
  ///
  /// - Returns: its output and its exit, as in the script below the language.
  func transcript() throws -> String {
    for command in script.before {
      let result = try Program.run(command.map { filled($0) }, environment: environment)
      guard result.exitStatus == 0 else { throw Failed(script.name, command, result.errors) }
    }
    return try script.steps.isEmpty ? piped() : atTerminal()
  }

  /// A preparatory command failed.
  struct Failed: Error {
    let script: String, command: [String], errors: String
    init(_ script: String, _ command: [String], _ errors: String) {
      (self.script, self.command, self.errors) = (script, command, errors)
    }
  }

  private func piped() throws -> String {
    let result = try BuiltBinary(path: "/usr/bin/env").run(
      try invocation(), input: [UInt8](script.input.utf8), environment: environment)
    return section("stdout", text(result.standardOutput)) + section("stderr", result.errors)
      + ending(result.exitStatus)
  }

  private func atTerminal() throws -> String {
    let player = Repository.path("Tests/CIEReadTests/Terminal/terminal_session.py")
    let steps = script.steps.flatMap {
      switch $0 {
      case .types(let text): ["asked", "type=\(text)"]
      case .signal(let name): ["asked", "signal=\(name)"]
      }
    }
    let result = try BuiltBinary(path: "/usr/bin/env").run(
      ["python3", player, "apart"] + steps + ["--"] + ["/usr/bin/env"] + (try invocation()),
      environment: environment)
    let session = try JSONDecoder().decode(
      TerminalTests.Session.self, from: Data(result.standardOutput))
    return section("stdout", session.output ?? "") + section("terminal", Self.seen(session.shown))
      + ending(session.status)
  }

  /// The visible rest of a terminal's text after overwriting.
  private static func seen(_ text: String) -> String {
    text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
      .map { line in
        line.range(of: "\r\u{1B}[K", options: .backwards).map { String(line[$0.upperBound...]) }
          ?? String(line)
      }.joined(separator: "\n")
  }

  private func invocation() throws -> [String] {
    let program = try BuiltBinary("cie-read").path
    var words = [program] + script.command.dropFirst().map { filled($0) }
    if let output = script.output {
      words = ["sh", "-c", #"file=$1; shift; exec "$@" > "$file""#, "sh", filled(output)] + words
    }
    guard let reader = script.reader else { return words }
    return [
      Repository.path("tools/with-pcscd"), "bash", Repository.path(Self.helpers + "reader.sh"),
      reader, try BuiltBinary("cie-lab").path,
    ] + words
  }

  private static let helpers = "Tests/CIEReadTests/Contract/"

  /// No service, home or desktop of this machine, unless the script sets it.
  private var environment: [String: String] {
    var variables = [
      "LANG": language == "en" ? "C" : "\(language)_IT.UTF-8",
      "TZ": "UTC", "HOME": folder.url.path, "XDG_DATA_HOME": folder.path("share"),
      "XDG_CONFIG_HOME": folder.path("config"), "XDG_STATE_HOME": folder.path("state"),
    ]
    if script.reader == nil { variables["PCSCLITE_CSOCK_NAME"] = "/proc/nonexistent/pcscd.comm" }
    return variables.merging(script.environment.mapValues { filled($0) }) { $1 }
  }

  private func filled(_ text: String) -> String {
    values.reduce(text) { $0.replacing("{\($1.name)}", with: $1.value) }
  }

  /// Replaces values that differ from run to run by a name: all that is masked, and the reason.
  private func masked(_ text: String) -> String {
    values.sorted { $0.value.count > $1.value.count }
      .reduce(text) { $0.replacing($1.value, with: "{\($1.name)}") }
      // The ports of the sandbox.
      .replacing(/localhost:\d{4,5}/, with: "localhost:PORT")
      // The code of a login, which is random.
      .replacing(/codice=\d{16}/, with: "codice=CODE")
      // The clock of events, with milliseconds.
      .replacing(/2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/, with: "TIME")
      // Values that differ in each sandbox's account: tokens, pseudonyms, and the times of its beginning and end; the time of
      // doctor.
      .replacing(/eyJ[A-Za-z0-9_.-]+/, with: "TOKEN")
      .replacing(/\b[0-9a-f]{40}\b/, with: "PSEUDONYM")
      .replacing(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/, with: "UUID")
      .replacing(/(since|expires)":"2\d{3}-\d\d-\d\dT[0-9:]{8}Z/) { "\($0.output.1)\":\"TIME" }
      .replacing(
        /(says|computer:|Since|until|Dal|al) [0-9A-Za-z\/ ]{8,14},? \d\d:\d\d/
      ) {
        "\($0.output.1) TIME"
      }
  }

  private func section(_ name: String, _ text: String) -> String {
    guard !text.isEmpty else { return "" }
    let isWhole = text.hasSuffix("\n")
    return "-- \(name)\(isWhole ? "" : ", last line without its end")\n" + masked(text)
      + (isWhole ? "" : "\n")
  }

  private func text(_ bytes: [UInt8]) -> String {
    String(validating: bytes, as: UTF8.self) ?? "\(bytes.count) bytes that are no text\n"
  }

  private func ending(_ status: CInt?) -> String {
    status.map { "-- exit \($0)\n" } ?? "-- no exit by itself\n"
  }
}
