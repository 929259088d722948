import CIECard
import Foundation
import Glibc
import Synchronization
import VirtualCIE

/// The sandbox of `tools/sandbox`, on free ports, with separate keys. It ends with this object, and with the tests in
/// every case.
public final class Sandbox: Sendable {
  /// Its addresses and secrets, by the names of its ready file.
  public let addresses: [String: String]
  /// The environment files, by method.
  public let environments: [String: String]
  private let folder: URL
  private let shell: pid_t
  private let lifeLine: Mutex<ProcessPipe>

  /// Starts it; all personas' cards are accepted.
  public init(_ options: [String] = []) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("cie-read-sandbox-\(UUID().uuidString)")
    self.folder = folder
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let authorities = folder.appendingPathComponent("cards.pem")
    try Persona.all.map { try Certificate(der: $0.certificateIssuer).pem }.joined()
      .write(to: authorities, atomically: true, encoding: .utf8)
    let ready = folder.appendingPathComponent("ready.json")

    // The shell ends the server and removes its files when our end of the pipe closes.
    let script = """
      folder=$1; shift
      "$@" > "$folder/log" 2>&1 &
      read -r _
      kill $!; wait; rm -rf "$folder"
      """
    let lifeLine = try ProcessPipe(.toChild)
    let shell = try spawn(
      "/bin/sh",
      ["-c", script, "sh", folder.path]
        + [Repository.path("tools/sandbox/run"), "--state", folder.path + "/state"]
        + ["--client-ca", authorities.path, "--ready-file", ready.path] + options,
      environment: childEnvironment(adding: [:]), ends: [STDIN_FILENO: lifeLine])
    lifeLine.handOver()
    self.shell = shell
    self.lifeLine = Mutex(lifeLine)

    let deadline = ContinuousClock.now + .seconds(120)
    while !FileManager.default.fileExists(atPath: ready.path) {
      guard ContinuousClock.now < deadline else { throw SandboxFailure("it did not start") }
      usleep(10_000)
    }
    let object =
      try JSONSerialization.jsonObject(with: Data(contentsOf: ready)) as? [String: Any] ?? [:]
    addresses = object.compactMapValues { $0 as? String }.merging(["readyFile": ready.path]) { $1 }
    environments = object["environments"] as? [String: String] ?? [:]
  }

  /// An address by its name in the ready file.
  public func address(_ name: String) throws -> String {
    guard let address = addresses[name] else { throw SandboxFailure("no \(name)") }
    return address
  }

  /// The environment file for a method.
  public func environment(_ method: String = "client-certificate") throws -> String {
    guard let file = environments[method] else { throw SandboxFailure("no \(method)") }
    return file
  }

  /// The password of a user of the other sign-in methods, by the word in `personas.json` for the user's behaviour.
  public func password(of user: String) throws -> String {
    let users = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(fileURLWithPath: try address("users"))))
    guard let entry = (users as? [String: [String: String]])?[user], let text = entry["password"]
    else { throw SandboxFailure("no user \(user)") }
    return text + "\n"
  }

  /// The contents of its log.
  public var log: String {
    get throws { try String(contentsOf: folder.appendingPathComponent("log"), encoding: .utf8) }
  }

  /// Arms a fault for one use, or until `clear`.
  public func arm(_ fault: String, at place: String = "card", once: Bool = true) throws {
    try control("fault", ["fault=\(fault)", "at=\(place)"] + (once ? ["count=1"] : []))
  }

  /// Turns a variant on or off.
  public func turn(_ name: String, on: Bool) throws {
    try control("switch", ["switch=\(name)", "on=\(on ? 1 : 0)"])
  }

  /// Disarms all faults.
  public func clear() throws {
    try curl(["--request", "DELETE", try address("control") + "fault"])
  }

  /// The numbers of handshakes with a client certificate: at the browser's port, the card call's, the service
  /// provider's.
  public func certificates() throws -> [Int] {
    let state =
      try JSONSerialization.jsonObject(
        with: Data(curl([try address("control") + "state"]))) as? [String: Any]
    let listeners = state?["listeners"] as? [String: [String: Int]] ?? [:]
    return try ["idp", "card", "sp"].map {
      guard let counters = listeners[$0] else { throw SandboxFailure("no counters for \($0)") }
      return counters["certificates", default: 0]
    }
  }

  /// The simulated app's returned URL.
  public func app(_ link: String, _ outcome: String) throws -> String {
    let answer = try control("app", ["outcome=\(outcome)"], ["--data-urlencode", "url=\(link)"])
    let object = try JSONSerialization.jsonObject(with: Data(answer)) as? [String: String]
    guard let url = object?["returnUrl"] else { throw SandboxFailure("the app did not answer") }
    return url
  }

  /// The link that the login page gives to a phone.
  public func cardLink(_ parameters: String = "") throws -> String {
    let page = String(
      decoding: try curl([
        "--location", "--cookie", "", "--user-agent", "Android",
        try address("spLogin") + parameters,
      ]), as: UTF8.self)
    guard let start = page.range(of: "id=\"hand-off\" href=\""),
      let end = page.range(of: "\"", range: start.upperBound..<page.endIndex)
    else { throw SandboxFailure("no link on the login page") }
    return String(page[start.upperBound..<end.lowerBound].replacing("&amp;", with: "&"))
  }

  @discardableResult
  func control(
    _ path: String, _ form: [String], _ further: [String] = []
  ) throws -> [UInt8] {
    try curl(form.flatMap { ["--data", $0] } + further + [try address("control") + path])
  }

  /// curl, an independent client; TLS 1.3, so that it is distinguished from a card.
  @discardableResult
  func curl(_ arguments: [String]) throws -> [UInt8] {
    let result = try BuiltBinary(path: "/usr/bin/curl").run(
      ["--silent", "--show-error", "--fail", "--tlsv1.3", "--cacert", try address("ca")]
        + arguments)
    guard result.exitStatus == 0 else { throw SandboxFailure(result.errors) }
    return result.standardOutput
  }

  deinit {
    lifeLine.withLock { $0.finish() }
    var status: CInt = 0
    waitpid(shell, &status, 0)
  }
}

/// The sandbox did not start, or failed in a request of a test.
public struct SandboxFailure: Error, CustomStringConvertible {
  /// The failure.
  public let description: String

  init(_ description: String) { self.description = description }
}
