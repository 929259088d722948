import Foundation
import TestSupport
import Testing
import VirtualCIE

/// A login's connection to its servers, and its time limits.
extension LoginTests {
  /// Through a proxy, which sees only the destination; and no file of keys, whatever the environment requests.
  @Test func `a login goes through a proxy`() throws {
    let sandbox = try LoginSandbox.fresh()
    let folder = try TemporaryDirectory()
    let proxy = try BackgroundProcess(
      "/usr/bin/python3",
      [Repository.path("Tests/Servers/connect-proxy"), "--log", folder.path("log")])
    let port = try #require(proxy.firstLine())
    let result = try Program.run(
      try sandbox.headless("--consent", "yes"), input: Persona.gemalto.pin,
      environment: [
        "HTTPS_PROXY": "http://127.0.0.1:\(port)", "SSLKEYLOGFILE": folder.path("keys"),
      ])
    #expect(result.exitStatus == 0)
    let log = String(decoding: try Repository.read(folder.path("log")), as: UTF8.self)
    #expect(log.split(separator: "\n").count >= 3)
    #expect(log.split(separator: "\n").allSatisfy { $0.hasPrefix("CONNECT localhost:") })
    #expect(try folder.fileNames() == ["log"])
  }

  @Test func `a proxy that refuses is named`() throws {
    let sandbox = try LoginSandbox.fresh()
    let folder = try TemporaryDirectory()
    let proxy = try BackgroundProcess(
      "/usr/bin/python3", [Repository.path("Tests/Servers/connect-proxy"), "--refuse", "403"])
    let port = try #require(proxy.firstLine())
    for (address, name) in [
      ("http://u:s3cret@127.0.0.1:1", "proxy-not-connected"), ("gopher://x", "proxy-unusable"),
      ("127.0.0.1:\(port)", "proxy-refused"), ("nobody.invalid", "proxy-unknown"),
    ] {
      let (object, result) = try Program.json(
        try sandbox.headless("--consent", "yes"), input: Persona.gemalto.pin,
        environment: ["HTTPS_PROXY": address])
      #expect(try ReportedError(object).name == name)
      #expect(result.exitStatus == 14)
      #expect(!(result.output + result.errors).contains("s3cret"))
    }
    #expect(try folder.fileNames().isEmpty)
  }

  /// The time is up during a server's silence, and during the wait for a link.
  @Test func `the deadline ends the whole run`() throws {
    let sandbox = try LoginSandbox.fresh()
    for fault in ["login-slow", "slow", "tls-slow"] {
      try sandbox.arm(fault)
      let (object, result) = try Program.json(
        try sandbox.headless("--consent", "yes", "--deadline", "2"), input: Persona.gemalto.pin)
      #expect(try ReportedError(object).name == "deadline", "\(fault)")
      #expect(result.exitStatus == 14)
    }
    let directory = try TemporaryDirectory()
    let pin = try directory.write("pin", [UInt8](Persona.gemalto.pin.utf8))
    let silent = try BuiltBinary(path: "/bin/bash").run(
      [
        "-c",
        #"chmod 600 "$1" && "$0" login - --virtual --pin-file "$1" --deadline 2 < <(exec sleep 30 2> /dev/null)"#,
        try BuiltBinary("cie-read").path, pin,
      ], timeLimit: .seconds(300))
    #expect(silent.exitStatus == 14 && silent.errors.contains("[deadline; exit 14]"))
    // The card's answer is reported, even after the deadline.
    try sandbox.clear()
    let (object, result) = try Program.json(try sandbox.headless(), input: "90817263")
    #expect(try ReportedError(object).name == "wrong-pin" && result.exitStatus == 7)
    for seconds in ["0", "86401"] {
      let (object, result) = try Program.json(try sandbox.headless("--deadline", seconds))
      #expect(try ReportedError(object).name == "bad-deadline" && result.exitStatus == 64)
    }
  }
}
