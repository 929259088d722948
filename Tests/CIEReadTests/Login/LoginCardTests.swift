import Foundation
import TestSupport
import Testing
import VirtualCIE

/// The card's side of `cie-read login`: the text before it is used, the sources of its PIN, and its removal.
extension LoginTests {
  /// The receiver of the certificate is on the screen when the very first command to the card fails.
  @Test func `the host is shown before the card is used`() throws {
    let sandbox = try LoginSandbox.fresh()
    let idp = try sandbox.address("idp").replacing("/idp/", with: "")
    for arguments in [
      try sandbox.headless("--fault", "card-removed@1"),
      try sandbox.assisted(try sandbox.cardLink(), "--fault", "card-removed@1"),
    ] {
      let result = try Program.run(arguments, input: Persona.gemalto.pin)
      #expect(result.exitStatus == 9)
      #expect(result.errors.contains("\(idp) will receive the card's certificate"))
    }
  }

  /// At any point of removal the login ends, and the server has received nothing.
  @Test(arguments: [1, 5, 14].map { "@\($0)" } + ["@20:1", "@2A:1", "@88:2"])
  func `removing the card ends the login`(_ moment: String) throws {
    let sandbox = try LoginSandbox.fresh()
    let directory = try TemporaryDirectory()
    let before = try sandbox.log.count
    for method in ["client-certificate", "signed-challenge"] {
      let (object, result) = try Program.json(
        [
          "login", "--sp-url", try sandbox.address("spLogin"), "--consent", "yes", "--virtual",
          "--environment", try sandbox.environment(method), "--fault", "card-removed" + moment,
          "--cookies", directory.path("cookies"),
        ], input: Persona.gemalto.pin)
      #expect(result.exitStatus == 9)
      #expect(try ReportedError(object).name == "card-removed")
    }
    let log = try sandbox.log.dropFirst(before)
    for word in ["codice-issued", "authenticated", "logged-in"] { #expect(!log.contains(word)) }
    #expect(try directory.fileNames() == [])
  }

  /// The counter comes before the PIN, and the PIN before any call: a card with one try left is not asked.
  @Test(arguments: [(2, "last-try-refused"), (3, "pin-blocked")])
  func `the last try is not spent on a login`(_ spent: Int, _ name: String) throws {
    let sandbox = try LoginSandbox.fresh()
    let directory = try TemporaryDirectory()
    let text = try TryGuardTests.trace(spending: spent, allowingLastTry: false)
    let trace = try directory.write("few.trace", [UInt8](text.utf8))
    let (object, result) = try Program.json(
      [
        "login", try sandbox.cardLink(), "--environment", try sandbox.environment(),
        "--replay", trace,
      ], input: Persona.gemalto.pin)
    #expect(result.exitStatus == 8)
    #expect(try ReportedError(object).name == name)
  }

  /// No option and no variable takes a PIN, and no stream shows the value.
  @Test func `the PIN is no argument of login`() throws {
    let sandbox = try LoginSandbox.fresh()
    let pin = Persona.gemalto.pin
    for option in [["--pin", pin], ["--pin=" + pin], [pin]] {
      let result = try Program.run(try sandbox.headless() + option)
      #expect(result.exitStatus == 64)
      #expect(!(result.output + result.errors).contains(pin))
    }
    let variables = ["PIN": pin, "CIE_PIN": pin, "CIE_READ_PIN": pin]
    let result = try Program.run(try sandbox.headless(), environment: variables)
    #expect(result.exitStatus == 64 && result.errors.contains("[pin-missing; exit 64]"))
  }
}
