import Foundation
import TestSupport
import Testing
import VirtualCIE

/// The built `cie-read login`, against the sandbox.
@Suite(.serialized) struct LoginTests {
  private let pin = Persona.gemalto.pin

  @Test(arguments: ["client-certificate", "signed-challenge"], ["redirect", "post"])
  func `a login from the service's page ends in its session`(_ method: String, _ binding: String)
    throws
  {
    let sandbox = try LoginSandbox.fresh()
    let directory = try TemporaryDirectory()
    let cookies = directory.path("cookies")
    let (object, result) = try Program.json(
      [
        "login", "--sp-url", try sandbox.address("spLogin") + "?binding=\(binding)", "--virtual",
        "--environment", try sandbox.environment(method), "--consent", "yes", "--cookies", cookies,
      ], input: pin)
    #expect(result.exitStatus == 0)
    #expect(object["finalUrl"] as? String == (try sandbox.address("spProfile")))
    #expect(object["status"] as? Int == 200)

    // The session is a real one, for another client; other users cannot read it.
    let mode = try FileManager.default.attributesOfItem(atPath: cookies)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    let profile = try BuiltBinary(path: "/usr/bin/curl").run([
      "--silent", "--cacert", try sandbox.address("ca"), "--cookie", cookies,
      try sandbox.address("spProfile") + "?format=json",
    ])
    #expect(profile.output.contains("TINIT-" + Persona.gemalto.fiscalCode))
    #expect(try directory.fileNames() == ["cookies"])
  }

  @Test func `a login from a link ends in an address for the browser`() throws {
    let sandbox = try LoginSandbox.fresh()
    let pattern =
      /https:\/\/localhost:\d+\/idp\/Authn\/X509\?conversation=e1s1&login=1&codice=\d{16}\n/
    let plain = try Program.run(try sandbox.assisted(try sandbox.cardLink()), input: pin)
    #expect(plain.exitStatus == 0)
    #expect(plain.output.wholeMatch(of: pattern) != nil)
    let link = try sandbox.cardLink()
    let (object, _) = try Program.json(
      try sandbox.assisted("CIEID://" + link + "&sourceApp=kiosk"), input: pin)
    let url = try #require(object["completedUrl"] as? String)
    #expect((url + "\n").wholeMatch(of: pattern) != nil)
  }

  /// The link on standard input, so the PIN comes by a descriptor.
  @Test func `the link may come from standard input`() throws {
    let sandbox = try LoginSandbox.fresh()
    let result = try Program.run(
      try sandbox.assisted("-", "--pin-fd", "3"), input: try sandbox.cardLink() + "\r\n",
      descriptors: [3: [UInt8](pin.utf8)])
    #expect(result.exitStatus == 0 && result.output.contains("codice="))
  }

  /// The receiver of the certificate is shown before the PIN is asked for, and without a terminal there is no question.
  @Test func `the host is shown before the PIN is asked for`() throws {
    let sandbox = try LoginSandbox.fresh()
    let idp = try sandbox.address("idp").replacing("/idp/", with: "")
    let result = try Program.run(
      try sandbox.headless("--pin-file", "/proc/nonexistent"), input: pin)
    #expect(result.exitStatus == 64 && !result.errors.contains(idp))
    let wrong = try Program.run(try sandbox.headless(), input: "90817263")
    #expect(wrong.exitStatus == 7)
    #expect(wrong.errors.contains("\(idp) will receive the card's certificate"))
    #expect(wrong.errors.contains("SANDBOX"))
  }

  /// Any answer but yes is no.
  @Test(arguments: [["--consent", "no"], ["--consent", "ask"], []])
  func `without a terminal consent is not given`(_ option: [String]) throws {
    let sandbox = try LoginSandbox.fresh()
    let (object, result) = try Program.json(try sandbox.headless() + option, input: pin)
    #expect(try ReportedError(object).name == "consent-denied")
    #expect(result.exitStatus == 11)
  }

  @Test func `errors of the card keep their exit status in a login`() throws {
    let sandbox = try LoginSandbox.fresh()
    for (fault, exit) in [("card-removed@20:1", 9), ("wrong-signature", 10), ("card-mute@5", 9)] {
      let result = try Program.run(
        try sandbox.headless("--fault", fault, "--consent", "yes"), input: pin)
      #expect(result.exitStatus == CInt(exit), "\(fault)")
    }
  }

  @Test(arguments: ["slow", "login-slow", "tls-slow"], [SIGINT, SIGTERM])
  func `a signal ends a login`(_ fault: String, _ signal: CInt) throws {
    let sandbox = try LoginSandbox.fresh()
    try sandbox.arm(fault)
    let moment = fault == "login-slow" ? "- Identity provider" : "- Presenting the card to"
    let result = try BuiltBinary("cie-read").run(
      try sandbox.headless("--verbose"), input: [UInt8](pin.utf8),
      interrupt: ProcessInterrupt(when: moment, send: signal), timeLimit: .seconds(300))
    #expect(result.exitStatus == (signal == SIGINT ? 130 : 143))
    #expect(result.output == "")
  }

  @Test func `a login at level 2 goes through the app`() throws {
    let sandbox = try LoginSandbox.fresh()
    let directory = try TemporaryDirectory()
    let picture = directory.path("code.svg")
    let result = try Program.run(
      try sandbox.headless("--return", "stdin", "--qr", picture, query: "?level=2"),
      input: "https://evil.example/idp/login/livello2mobile?value=e1s1\n")
    #expect(result.exitStatus == 15 && result.errors.contains("[return-foreign-host; exit 15]"))
    #expect(result.errors.contains("CIEID://https://localhost:"))
    #expect(String(decoding: try directory.read("code.svg"), as: UTF8.self).hasPrefix("<svg"))
  }
}
